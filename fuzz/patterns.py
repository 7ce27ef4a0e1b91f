"""Regular expressions and texts, random and hostile, and what must hold for every pair.

Comes in: a `random.Random`. Goes out: sources in the three languages that are read (patterns.md), sources in none of
them, and texts that come near to matching. The promises: a SchemaError or a report, in bounded time and memory, through
`pattern` and `patternProperties` alike.
"""

from __future__ import annotations

import time
from random import Random
from typing import Any, NamedTuple

import schemafuse
from schemafuse import Limits, SchemaError

#: Enough that the machine's other work does not decide, little enough that an overrun shows.
LIMITS = Limits(max_time_ms=60, max_compile_ms=2_000, max_steps=2**60)
#: A compilation can't be stopped within one pattern (patterns.md).
_COMPILE_ALLOWANCE = 0.3
_COARSE_CLOCK = 0.02
_CHARS = (
    "a",
    "b",
    "c",
    "A",
    "0",
    "9",
    "_",
    "-",
    " ",
    ".",
    "é",
    "ß",
    "\u0130",
    "\u212a",
    "\n",
    "\u2028",
    "\U0001f600",
    "\ud83d",
)
_CLASSES = (
    r"\d",
    r"\w",
    r"\s",
    r"\D",
    r"\W",
    r"\S",
    r"\p{L}",
    r"\P{Lu}",
    r"\p{Script=Greek}",
    ".",
    r"[^]",
    "[]",
    r"\b",
    r"\B",
    "^",
    "$",
)
_ESCAPES = (
    r"\.",
    r"\n",
    r"\x41",
    r"\u0061",
    r"\u{1F600}",
    r"\cJ",
    r"\0",
    r"\/",
    r"\-",
    r"\_",
    r"\1",
    r"\2",
    r"\k<n>",
    r"\ud83d",
)
_PYTHON = (r"\A", r"\Z", "(?P<n>", "(?P=n)", "(?i)", "(?s)", "(?x)", "(?#c)")
_WRONG = (
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "*",
    "+",
    "?",
    "|",
    "\\",
    "{2,1}",
    "(?",
    "(?<",
    "(?<n>",
    "(?:",
    "[z-a]",
    r"\p{Foo}",
    r"\u{110000}",
)
_QUANTIFIERS = ("*", "+", "?", "*?", "+?", "{2}", "{1,3}", "{0,}", "{,3}", "{1,50}", "{1000}", "{2,100000}")
_HOSTILE = (
    *("(a*)*b", "(a+)+$", "(a|a)*b", "(a|aa)+$", "((a{1,30}){1,30}){1,30}b", "(.*)*x", "(?:a|b|ab)*c", "([^x]*)*y"),
    *("^(([a-z])+.)+[A-Z]([a-z])+$", "(a?){25}a{25}", "(?:[ab]*a[ab]{12}c|[ab]*b[ab]{13}d)", r"\p{L}+\d"),
    *(r"(a*)*\1b", r"(?=(a+))*b", "(?<=a+)b", "(?<!(a|b)*)c", "(?i)(a|A)*b", "(?P<n>a*)*b"),
    *(
        "a" * 900,
        "(" * 300 + ")" * 300,
        "(?:" * 300 + "a" + ")*" * 300,
        "[" + "a-b" * 300 + "]",
        "a?" * 400 + "a" * 100,
    ),
)
#: What loops are made of that an engine may fail to stop, and texts that nearly match them.
_LOOPED = ("a", "a", "b", ".", r"\w", "[^x]", r"\p{L}", "é", "[ab]", "$", "^", r"\b", r"\B", "", "[^]")
_LOOPS = ("*", "+", "?", "*?", "+?", "??", "{2}", "{0,3}", "{1,}", "{2,}?", "{1,20}", "{3,}")
_ROWS = ("a", "a", "b", "ab", "aab", "é", "aé", "a1", "\u2028a", "a b", "\U0001f600", "\ud83d", "aaaaaaaaaab")


class PatternTrial(NamedTuple):
    """A source, and texts to search."""

    source: str
    texts: list[str]


def atom(random: Random, level: int) -> str:
    kind = random.randrange(12)
    if kind < 4:
        return random.choice(_CHARS[:-1] if kind else _CHARS)
    if kind < 6:
        return random.choice(_CLASSES)
    if kind == 6:
        return random.choice(_ESCAPES)
    if kind == 7:
        inside = "".join(
            random.choice((*_CHARS, *_CLASSES[:9], *_ESCAPES, "a-z", "0-9", "-")) for _ in range(random.randrange(4))
        )
        return f"[{random.choice(('', '^'))}{inside}]"
    if level > 3:
        return "a"
    opening = random.choice(("(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(", "(?:"))
    return f"{opening}{source(random, level + 1)})"


def source(random: Random, level: int = 0) -> str:
    """Make a source, mostly a valid one."""
    parts = []
    for _ in range(random.choice((1, 1, 2, 3, 4))):
        part = atom(random, level)
        if random.random() < 0.35:
            part += random.choice(_QUANTIFIERS if random.random() < 0.5 else _QUANTIFIERS[:7])
        if random.random() < 0.1:
            part += "|"
        parts.append(part)
    made = "".join(parts)
    if level == 0 and random.random() < 0.1:
        position = random.randrange(len(made) + 1)
        made = made[:position] + random.choice(_PYTHON + _WRONG) + made[position:]
    if level == 0 and random.random() < 0.2:
        made = f"^{made}$"
    return made


def loops(random: Random, level: int) -> str:
    """Make a source of loops in loops, of few characters."""
    parts = []
    for _ in range(random.randrange(1, 4)):
        if level and random.random() < 0.45:
            opening = random.choice(("(", "(?:", "(?:", "(", "(?=", "(?!", "(?<=", "(?<!"))
            part = f"{opening}{loops(random, level - 1)})"
        else:
            part = random.choice(_LOOPED)
        if part and random.random() < 0.6:
            part += random.choice(_LOOPS)
        parts.append(part)
    if random.random() < 0.4:
        parts.append(f"|{loops(random, level - 1) if level else 'a'}")
    return "".join(parts)


def text(random: Random, pattern: str, longest: int) -> str:
    """Make a text of characters that the pattern speaks of, many of them in a row."""
    pool = [*_CHARS, *(character for character in pattern if character.isalnum())]
    parts = [random.choice(pool) for _ in range(random.randrange(6))]
    if random.random() < 0.3:
        parts.append(random.choice(pool) * random.choice((3, 30, longest)))
        parts.append(random.choice(pool))
    return "".join(parts)


def trial(random: Random) -> PatternTrial:
    """Make one pattern with its texts: hostile with long ones, or random with short ones."""
    if random.random() < 0.15:
        pattern = random.choice(_HOSTILE)
        if random.random() < 0.5:
            position = random.randrange(len(pattern) + 1)
            pattern = pattern[:position] + atom(random, 3) + pattern[position:]
        return PatternTrial(pattern, [text(random, pattern, random.choice((1_000, 20_000, 200_000)))])
    if random.random() < 0.15:
        pattern = random.choice(("", "^")) + loops(random, random.randrange(1, 4)) + random.choice(("", "$", "c", "x$"))
        row = random.choice(_ROWS)
        length = random.choice((3_000, 10_000, 40_000, 200_000))
        return PatternTrial(
            pattern, [random.choice(("", "x", "b")) + row * (length // len(row)) + random.choice("bx!")]
        )
    pattern = source(random)
    return PatternTrial(pattern, [text(random, pattern, 300) for _ in range(4)])


def compiled(schema: Any) -> schemafuse.Validator | SchemaError:
    try:
        return schemafuse.compile(schema, limits=LIMITS)
    except SchemaError as error:
        return error


def complaint_of(pattern_trial: PatternTrial, repeats: int = 3) -> str:
    """Return what does not hold for a pattern, or "". What took too long is tried again."""
    try:
        complaint = _complaint(pattern_trial)
        while complaint.startswith("slow") and repeats:
            complaint = _complaint(pattern_trial)
            repeats -= 1
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:300]}"
    return complaint


def _complaint(pattern_trial: PatternTrial) -> str:
    started = time.process_time()  # a clock on the wall would also count what else the machine does
    validator = compiled({"pattern": pattern_trial.source})
    names = compiled({"patternProperties": {pattern_trial.source: False}})
    took = time.process_time() - started
    if took > _COMPILE_ALLOWANCE:
        return f"slow: {took:.3f} s to compile"
    if isinstance(validator, SchemaError) or isinstance(names, SchemaError):
        refusals = [part.code for part in (validator, names) if isinstance(part, SchemaError)]
        return "" if len(refusals) == 2 and refusals[0] == refusals[1] else f"pattern and patternProperties: {refusals}"
    for item in pattern_trial.texts:
        seconds, by_value, by_name = [], validator, names
        statuses = []
        for asked, instance in ((by_value, item), (by_name, {item: 1})):
            started = time.process_time()
            report = asked.check(instance)
            seconds.append(time.process_time() - started)
            statuses.append(report.status)
            if len(report.text()) > LIMITS.max_text_chars:
                return "the text is too long"
        if max(seconds) > 2 * LIMITS.max_time_ms / 1_000 + _COARSE_CLOCK:
            return f"slow: {max(seconds):.3f} s for {len(item)} characters, {LIMITS.max_time_ms} ms are admitted"
        # The property's schema is false: the name is accepted where the pattern does not match.
        if "exhausted" not in statuses and statuses[0] == statuses[1]:
            return f"pattern: {statuses[0]}, patternProperties: {statuses[1]}, for {item[:60]!r}"
    return ""
