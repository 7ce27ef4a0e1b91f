"""Fetch the official JSON-Schema-Test-Suite, once.

Comes in: nothing but pip's own configuration, which says where packages come from. Goes out: the folder `json/` of
the jsonschema source distribution, in an ignored cache of the checkout; with the folder there it does nothing and
needs no network. It never takes an archive whose hash it does not know, runs nothing from it, and writes nothing
outside the cache.

    python tests/suite/fetch.py
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

RELEASE = "jsonschema-4.26.0"
SHA256 = "0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326"
WANTED = {"LICENSE", "remotes", "tests"}
CACHE = Path(__file__).resolve().parents[2] / ".cache"
SUITE = CACHE / "json-schema-test-suite"


class FetchError(Exception):
    """The suite could not be had; the text says why in one line."""


def download(folder: Path) -> Path:
    """Have pip download the source distribution into `folder`, and return the archive once its hash is right."""
    name, version = RELEASE.rsplit("-", 1)
    # Hashes in a requirements file make pip refuse a wrong archive before it looks inside for metadata.
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{name}=={version} --hash=sha256:{SHA256}\n")
    options = ["--quiet", "--no-deps", "--no-binary", name, "--dest", str(folder), "--requirement", str(requirements)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", *options], capture_output=True, text=True, check=False
    )
    archive = folder / f"{RELEASE}.tar.gz"
    if not archive.is_file():
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        reason = [line for line in said if "ERROR" in line] + said + [f"pip ended with {done.returncode}"]
        raise FetchError(f"pip could not download {RELEASE}.tar.gz: {reason[0][:300]}")
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        raise FetchError(f"{RELEASE}.tar.gz has another hash than the one known for it")
    return archive


def extract(archive: Path, target: Path) -> None:
    """Write the JSON files of the suite to `target`; other members, links and odd paths are passed over."""
    root = PurePosixPath(RELEASE, "json")
    with tarfile.open(archive, "r:gz") as tar:
        for member in tar:
            path = PurePosixPath(member.name)
            if not (member.isfile() and path.is_relative_to(root) and ".." not in path.parts):
                continue
            parts = path.relative_to(root).parts
            content = tar.extractfile(member) if parts[0] in WANTED else None
            if content is None:
                continue
            place = target.joinpath(*parts)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.read())


def fetch() -> Path:
    """Return the folder of the suite, after downloading it if it is not there yet."""
    if SUITE.is_dir():
        return SUITE
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        folder = Path(scratch)
        extracted = folder / "suite"
        extract(download(folder), extracted)
        if not (extracted / "tests" / "draft2020-12").is_dir():
            raise FetchError(f"{RELEASE}.tar.gz holds no test suite")
        shutil.move(extracted, SUITE)  # last, so that a broken download leaves no half suite behind
    return SUITE


if __name__ == "__main__":
    try:
        print(fetch())
    except (FetchError, OSError) as error:
        sys.exit(f"cannot fetch the JSON Schema test suite: {error}")
