"""Regular expressions: a source goes in, something that searches a text in bounded time comes out.

A source is tried as ECMA-262 with flag `u` (what Core 6.4 asks for); else, when it bears a mark of Python's own syntax,
as a Python pattern and nothing else; else as ECMA-262 without flags (Annex B). `BadPattern` says why none takes it.
Compiling and searching never hang, recurse, log, or let a panic of a native engine through.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any, Literal

import corvus_regex_ecma262
import regex

from ._core.utf16 import code_units
from .pattern_costs import PLAIN_WEIGHT, Cost, pattern_cost
from .pattern_forms import LiteralKind, Sequence, class_form, literal_form, simple_forms
from .pattern_python import translate
from .pattern_python_characters import NotPythonError
from .pattern_rewrites import for_test
from .render import quote_text

__all__ = ["BadPattern", "LiteralKind", "Pattern", "Sequence", "class_form", "compile_pattern", "literal_form"]

Engine = Literal["ecma-unicode", "python", "ecma-annex-b"]
Search = Callable[..., object]

#: A longer source is refused, whatever the caller's own limit: both engines' compile times are measured up to here.
MAX_SOURCE_CHARS = 100_000
#: `regex` compiles slowly, in Python.
_MAX_PYTHON_CHARS = 4_096
#: Members of character classes written out one by one; the ECMA-262 engine takes time quadratic in them.
_MAX_CLASS_CHARS = 4_096
#: Sources up to this length may have a simple form, which is not handed to an engine before someone searches with it.
_MAX_SIMPLE_CHARS = 1_024
#: Sources up to this length are remembered with what they compiled to, unless they ignore case or are Python's: those
#: take up to 2 MB each, the others 200 KB at most of those measured.
_MAX_CACHED_CHARS = 320
_NEVER_CACHED = re.compile(r"\(\?[imsxauLP-]|\\[AZ]")
#: `regex` counts processor time and overruns by up to a half, so it is given half of what is left.
_SHARE_FOR_REGEX = 0.5
#: Beyond its time `regex` may run for another 2 µs a character of the text before it looks at the clock again (2.3 s
#: instead of 0.1 s for `(?:a|b)*[xy]` on a million characters): a search is not begun where that may be too long.
_SECONDS_A_CHAR_FOR_REGEX = 2e-6
MAX_PYTHON_TEXT_CHARS = 50_000
_SHORT_LITERAL = 8
_MAX_REASON_CHARS = 160

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE_OR_SURROGATE = re.compile("\\\\[\\s\\S]|[\ud800-\udfff]")
_LEADING_FLAGS = re.compile(r"\(\?[aiLmsux]+\)")
_PYTHON_MARK = re.compile(r"\(\?P[<=]|\\[AZ]")
_PYTHON_CLASS = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]?", re.DOTALL)
_ESCAPE_OR_CLASS = re.compile(r"\\.|\[(?:[^\]\\]|\\.)*", re.DOTALL)


class BadPattern(ValueError):
    """No engine takes the pattern. `reason` is one short line with every odd character escaped."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Pattern:
    """A compiled pattern. Immutable; may be shared by threads."""

    __slots__ = ("engine", "linear", "search", "search_wide", "source", "timeouts", "weight")

    def __init__(self, source: str, engine: Engine, search: Search, linear: bool, weight: int) -> None:
        self.source = source
        self.engine: Engine = engine
        #: `search(text, timeout=seconds)` is truthy if the pattern matches anywhere in the text, which must be an exact
        #: `str`. The timeout must lie in 0 < seconds <= 10**9: to the engines 0 or less means "no limit".
        #: It raises one of `timeouts`; any other exception, a Rust panic (no `Exception`) included, means that the
        #: engine failed, and there is no verdict. The GIL is released meanwhile.
        self.search: Search = search
        #: The same for a text that may hold lone surrogates, that is, where PyUnicode_KIND is above 1.
        self.search_wide: Search = search if engine == "python" else _wide_search(search)
        #: Whether a search takes time proportional to `weight` × the length of the text, whatever the text.
        self.linear = linear
        #: Charge 1 + weight × length // 64 steps before each search.
        self.weight = weight
        #: What `search` raises when its time, or its memory, is up.
        self.timeouts: tuple[type[BaseException], ...] = _TIMEOUTS

    def __repr__(self) -> str:
        return f"<Pattern {quote_text(self.source, 80)}, {self.engine}>"


_TIMEOUTS: tuple[type[BaseException], ...] = (corvus_regex_ecma262.MatchLimitError, TimeoutError, MemoryError)


def compile_pattern(source: str, *, seconds: float) -> Pattern:
    """Compile a source (an exact `str`). BadPattern when no engine takes it, or when it is too large for any.

    Measured at worst: 15 ms for 1,024 characters, 50 ms for the longest source that is admitted; Python's flavour up to
    140 ms, its sources being refused above 4,096 characters. It can't be stopped halfway;
    with `seconds` at or below zero there is no time left for it, which is a TimeoutError.
    """
    if seconds <= 0:
        raise TimeoutError("no time is left to compile a pattern")
    if len(source) <= _MAX_CACHED_CHARS and not _NEVER_CACHED.search(source):
        return _compile_cached(source)
    if len(source) > MAX_SOURCE_CHARS:
        raise BadPattern(f"it has {len(source)} characters, more than {MAX_SOURCE_CHARS} are never compiled")
    return _compile(source)


def _compile(source: str) -> Pattern:
    if len(source) <= _MAX_SIMPLE_CHARS and (simple := _compile_simple(source)):
        return simple
    if len(source) > _MAX_CLASS_CHARS and any(
        len(found[0]) > _MAX_CLASS_CHARS for found in _ESCAPE_OR_CLASS.finditer(source)
    ):
        raise BadPattern(f"a character class is written with more than {_MAX_CLASS_CHARS} characters")
    try:
        return _compile_ecma(source, "u")
    except BadPattern as error:
        refused = error
    if has_python_mark(source):
        return _compile_python(source)
    try:
        return _compile_ecma(source, "")
    except BadPattern:
        # Annex B takes nearly everything; where it doesn't, the reason under flag u is the one an author can use.
        raise refused from None


#: Compiling a source again costs more than a whole small schema, and tools of one server repeat theirs.
_compile_cached = functools.lru_cache(maxsize=128)(_compile)


def _wide_search(search: Search) -> Search:
    """Hand lone surrogates over as code units: out of a `str` the engine takes 330 ns to read each, off the clock."""

    def search_wide(text: str, *, timeout: float) -> object:
        return search(code_units(text) if _LONE_SURROGATE.search(text) else text, timeout=timeout)

    return search_wide


# ECMA-262 -----------------------------------------------------------------------------------------------------------


def _compile_simple(source: str) -> Pattern | None:
    """A source with a simple form is valid; the engine is only needed if someone searches with it after all."""
    literal, sequence = simple_forms(source)
    if literal is None and sequence is None:
        return None
    # On some texts the engine tries a long literal at each place anew.
    linear = literal is None or literal[0] in ("prefix", "exact", "any") or len(literal[1]) <= _SHORT_LITERAL
    return Pattern(source, "ecma-unicode", _LazySearch(source), linear, PLAIN_WEIGHT)


class _LazySearch:
    """Compiles at the first search. Two threads may both compile; either result serves."""

    __slots__ = ("_search", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._search: Search | None = None

    def __call__(self, text: object, *, timeout: float) -> object:
        search = self._search
        if search is None:
            search = self._search = _ecma_search(self._source, "u")[0]
        return search(text, timeout=timeout)


def _compile_ecma(source: str, flags: Literal["u", ""]) -> Pattern:
    search, cost = _ecma_search(source, flags)
    return Pattern(source, "ecma-unicode" if flags else "ecma-annex-b", search, cost.linear, cost.weight)


def _ecma_search(source: str, flags: Literal["u", ""]) -> tuple[Search, Cost]:
    spelled = _spell_surrogates(source, flags)
    try:
        if not corvus_regex_ecma262.is_valid(spelled, flags):
            corvus_regex_ecma262.compile(spelled, flags)  # for its reason
        cost = pattern_cost(source, unicode=bool(flags))
        search: Search = corvus_regex_ecma262.compile(for_test(spelled, cost.anchored, bool(flags)), flags).test
    except corvus_regex_ecma262.error as error:
        raise BadPattern(_reason(str(error), source)) from None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic in the engine is no Exception
        raise BadPattern(f"the regular expression engine failed on it ({type(error).__name__})") from None
    return search, cost


def _spell_surrogates(source: str, flags: str) -> str:
    """Write lone surrogates as escapes: the engine would read a raw one as U+FFFD."""
    if source.isascii() or not _LONE_SURROGATE.search(source):
        return source
    paired = source.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")

    def spell(found: re.Match[str]) -> str:
        character = found[0][-1]
        if not "\ud800" <= character <= "\udfff":
            return found[0]
        if flags and len(found[0]) > 1:
            raise BadPattern("a lone surrogate is escaped with a backslash")
        # With flag u, \u{d83d} never joins with what follows it, as a raw lone surrogate doesn't.
        return f"\\u{{{ord(character):x}}}" if flags else f"\\u{ord(character):x}"

    return _ESCAPE_OR_SURROGATE.sub(spell, paired)


def _reason(text: str, source: str) -> str:
    """The engine's words without the source, which it quotes after its own message."""
    text = text.removeprefix("ecmaregex: ")
    for quoted in (f' in "{source}"', f" in {source}"):
        text = text.replace(quoted, "")
    text = text.split(' in "', 1)[0]
    return quote_text(text, _MAX_REASON_CHARS)[1:-1]


# Python -------------------------------------------------------------------------------------------------------------


def has_python_mark(source: str) -> bool:
    """Whether the source is meant for Python: `(?P<`, `(?P=`, leading flags, or `\\A` or `\\Z` outside a class."""
    if _LEADING_FLAGS.match(source):
        return True
    at = 0
    while at < len(source):
        if source[at] == "[":
            found = _PYTHON_CLASS.match(source, at)
            at = found.end() if found else at + 1
        elif _PYTHON_MARK.match(source, at):
            return True
        else:
            at += 2 if source[at] == "\\" else 1
    return False


def _compile_python(source: str) -> Pattern:
    if len(source) > _MAX_PYTHON_CHARS:
        raise BadPattern(f"read as a Python pattern: it has more than {_MAX_PYTHON_CHARS} characters")
    try:
        translated, flags = translate(source)
        compiled = regex.compile(translated, flags, cache_pattern=False)
    except NotPythonError as error:
        raise BadPattern(f"read as a Python pattern: {error}") from None
    except (regex.error, RecursionError, MemoryError, OverflowError, ValueError) as error:
        raise BadPattern(f"read as a Python pattern: the engine refuses it ({type(error).__name__})") from None
    cost = pattern_cost(source, unicode=True)
    return Pattern(source, "python", _regex_search(compiled), False, cost.weight)


def _regex_search(compiled: Any) -> Search:
    def search(text: str, *, timeout: float) -> bool:
        # The engine takes a negative time, or NaN, as "no limit".
        if not timeout > 0 or len(text) > min(MAX_PYTHON_TEXT_CHARS, timeout / _SECONDS_A_CHAR_FOR_REGEX):
            raise TimeoutError("there is not enough time to match a pattern")
        return compiled.search(text, timeout=timeout * _SHARE_FOR_REGEX) is not None

    return search
