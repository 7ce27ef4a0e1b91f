"""Names of tools for those who call models, and for those who merge the tools of several servers.

Comes in: names that MCP allows, and those it does not. Goes out: warnings about what model APIs refuse, the name that
hosts usually make of one, and prefixed names for aggregators: allowed everywhere, never the same for two tools, and
always the same for one (MCP 2026-07-28 tools § Tool Names).
"""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..render import quote_text
from .problems import Findings

if TYPE_CHECKING:
    from .definitions import Tool

#: What the APIs of the large model providers take as the name of a function, the narrowest of them.
MAX_MODEL_NAME_CHARS = 64
_REFUSED_BY_MODELS = re.compile(r"[^A-Za-z0-9_-]")

SEPARATOR = "__"
#: A tool or server name that goes into a prefixed name as it is. It neither holds the separator nor touches it with a
#: "_" of its own, so the first separator in a prefixed name is where the server's name ends.
_PLAIN_SERVER = re.compile(r"[A-Za-z](?:[A-Za-z0-9-]|_(?!_))*(?<!_)")
_PLAIN_TOOL = re.compile(r"[A-Za-z0-9-][A-Za-z0-9_-]*")
#: Characters of a digest in a prefixed name: 16 of base 32 are 80 bits; where two tools of a server still meet, 26.
_DIGEST_CHARS, _WHOLE_DIGEST_CHARS = 16, 26
_DIGESTED = re.compile(
    rf".*-[a-z2-7]{{{_DIGEST_CHARS}}}(?:[a-z2-7]{{{_WHOLE_DIGEST_CHARS - _DIGEST_CHARS}}})?", re.DOTALL
)


def note_model_api_warnings(name: str, findings: Findings) -> None:
    """Warn of what MCP allows in a name and the APIs of model providers refuse."""
    if len(name) > MAX_MODEL_NAME_CHARS:
        excess = f"{len(name)} characters, where model APIs take {MAX_MODEL_NAME_CHARS} at most"
        findings.warning("name_long_for_models", "/name", f"the tool name {quote_text(name)} has {excess}: shorten it")
    if "." in name:
        text = f'the tool name {quote_text(name)} has a ".", which model APIs refuse: use "_" or "-" instead'
        findings.warning("name_dot_for_models", "/name", text)
    if name[:1].isdigit() or name[:1] == "-":
        text = f"the tool name {quote_text(name)} starts with {quote_text(name[0])}, which some model APIs refuse: "
        findings.warning("name_start_for_models", "/name", text + 'start it with a letter or "_"')


def model_name(name: str) -> str:
    """Return what hosts usually make of a tool name before they hand it to a model API: "_" for what it refuses."""
    return _REFUSED_BY_MODELS.sub("_", name[:MAX_MODEL_NAME_CHARS])


def prefix_names(server: str, tools: Iterable[Tool | dict[str, Any] | str]) -> dict[str, str]:
    """Return for each tool of a server the name under which an aggregator can list it beside those of other servers.

    `server` is the aggregator's own label for the server, one a server: never what the server says of itself, since a
    server may say it is another one (MCP basic § General fields: clientInfo and serverInfo are unverified). `tools` are
    `Tool` objects, definitions with a string as name, or names.

    Returns {name: prefixed name} in the order of the names. A prefixed name has at most 64 characters out of A-Z, a-z,
    0-9, "_" and "-". No two tools get the same one, be they of one server or of two with different labels. A name
    depends on the label and the tool's name alone: not on the order, the other tools, the run or the machine. Where
    both are plain it reads "server__tool"; otherwise a digest takes the place of what was lost.

    Raises `ValueError` for an empty label, `TypeError` for a label or a name that is no string.
    """
    if not isinstance(server, str):
        raise TypeError(f"server must be a string, not {type(server).__name__}")
    if not server:
        raise ValueError("server must not be empty: give each server a label of its own")
    names = sorted({_name_of(tool) for tool in tools})
    prefixed = {name: _prefixed(server, name, _DIGEST_CHARS) for name in names}
    if len(set(prefixed.values())) < len(prefixed):
        # Someone has gone to the length of finding two names with the same 80 bits. It costs only those two.
        taken = list(prefixed.values())
        for name, short in prefixed.items():
            if taken.count(short) > 1:
                prefixed[name] = _prefixed(server, name, _WHOLE_DIGEST_CHARS)
    return prefixed


def _name_of(tool: Any) -> str:
    name = (
        tool if isinstance(tool, str) else tool.get("name") if isinstance(tool, dict) else getattr(tool, "name", None)
    )
    if not isinstance(name, str):
        raise TypeError(f"a tool must be a Tool, a definition with a name, or a name, not {type(tool).__name__}")
    return name


def _prefixed(server: str, name: str, digest_chars: int) -> str:
    plain = f"{server}{SEPARATOR}{name}"
    if (
        len(plain) <= MAX_MODEL_NAME_CHARS
        and _PLAIN_SERVER.fullmatch(server)
        and _PLAIN_TOOL.fullmatch(name)
        and not _DIGESTED.fullmatch(plain)  # so that no plain name reads like one with a digest
    ):
        return plain
    # The length of the label goes in as well, so that no other split of the same text has the same digest.
    identity = f"{len(server)}:{server}{name}".encode("utf-8", "surrogatepass")
    digest = b32encode(hashlib.sha256(identity).digest()).decode("ascii").lower()[:digest_chars]
    room = MAX_MODEL_NAME_CHARS - digest_chars - 1
    label = _readable(server)[: room // 3]
    readable = f"{label}{SEPARATOR}{_readable(name)}"[:room]
    return f"{readable}-{digest}"


def _readable(name: str) -> str:
    """Return what is left of a name among the characters that every API takes; a letter comes first."""
    plain = re.sub("_+", "_", _REFUSED_BY_MODELS.sub("_", name[: 4 * MAX_MODEL_NAME_CHARS])).strip("_-")
    return plain if plain[:1].isalpha() else f"t{plain}"
