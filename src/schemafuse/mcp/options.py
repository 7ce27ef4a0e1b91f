"""The options of a service: what its author gives is checked when it is given."""

from __future__ import annotations


def whole_number(name: str, value: int, smallest: int) -> int:
    """Return `value`. Raises `TypeError` or `ValueError` for what is no integer of at least `smallest`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
    if value < smallest:
        raise ValueError(f"{name} must be at least {smallest}, not {value}")
    return value


def text(name: str, value: str) -> str:
    """Return `value`. Raises `TypeError` for what is no string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {type(value).__name__}")
    return value


def seconds(name: str, value: float | None) -> float | None:
    """Return `value`, a time; None is any time. Raises `TypeError` or `ValueError` for what is neither."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number of seconds or None, not {type(value).__name__}")
    if not 0 < value < float("inf"):
        raise ValueError(f"{name} must be more than 0 and finite, not {value}")
    return value
