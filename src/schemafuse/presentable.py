"""Values that jsonschema-rs can take: it raises on lone surrogates and reads very long integers as something else.

In comes a private copy, out goes another one in which those are replaced, each by something else of its kind.
"""

from __future__ import annotations

from typing import Any

#: jsonschema-rs reads integers with many digits as null or infinity. This is below the 900 bits that admission notes.
HUGE = 10**200


def presentable(value: Any) -> Any:
    """Return a copy that jsonschema-rs takes: lone surrogates escaped, integers that it reads as null replaced."""
    holder: list[Any] = [value]
    stack: list[Any] = [holder]
    while stack:
        container = stack.pop()
        for key, item in list(container.items() if type(container) is dict else enumerate(container)):
            kind = type(item)
            if kind is str:
                container[key] = _without_surrogates(item)
            elif kind is int and not -HUGE < item < HUGE:
                container[key] = HUGE + hash(item) if item > 0 else hash(item) - HUGE
            elif kind is dict:
                copy = {_without_surrogates(name): member for name, member in item.items()}
                container[key] = copy
                stack.append(copy)
            elif kind is list:
                container[key] = list(item)
                stack.append(container[key])
    return holder[0]


def _without_surrogates(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
