"""The options of a service: what its author gives is checked when it is given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Literal

from ..limits import Limits

CacheScope = Literal["public", "private"]


def whole_number(name: str, value: int, smallest: int, largest: int | None = None) -> int:
    """Return `value`. Raises `TypeError` or `ValueError` for what is no integer of at least `smallest`, …"""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
    if value < smallest or (largest is not None and value > largest):
        most = "" if largest is None else f" and at most {largest}"
        raise ValueError(f"{name} must be at least {smallest}{most}, not {value}")
    return value


def text(name: str, value: str) -> str:
    """Return `value`. Raises `TypeError` for what is no string, `ValueError` for what no client could be sent."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {type(value).__name__}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{name} has a lone surrogate, which is no Unicode text") from None
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


def flag(name: str, value: bool) -> bool:
    """Return `value`. Raises `TypeError` for what is no boolean: the string "no" would count as true."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be true or false, not {type(value).__name__}")
    return value


def check_compilation(limits: Limits, resources: Mapping[str, Any] | None) -> None:
    """Raise `TypeError` for limits that are none, and for resources that are no mapping."""
    if not isinstance(limits, Limits):
        raise TypeError(f"limits must be a Limits, not {type(limits).__name__}")
    if resources is not None and not isinstance(resources, Mapping):
        raise TypeError(f"resources must be a mapping of URIs to schemas, not {type(resources).__name__}")


def tool_options(limits: Limits, assert_formats: bool, resources: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return how a service makes tools of definitions, for `Tool.from_dict`."""
    check_compilation(limits, resources)
    formats = flag("assert_formats", assert_formats)
    return {"limits": limits, "assert_formats": formats, "assert_result_formats": False, "resources": resources}


def visible_or_none(value: Callable[..., bool] | None) -> Callable[..., bool] | None:
    """Return the option `visible`. Raises `TypeError` for what is no plain function."""
    if value is not None and not callable(value):
        raise TypeError(f"visible must be a function, not {type(value).__name__}")
    if inspect.iscoroutinefunction(value):
        raise TypeError("visible must be a plain function: what an async one returns is true for everybody")
    return value


def cache_scope_of(value: CacheScope, visible: object) -> CacheScope:
    """Return for whom a list may be kept: one that is filtered by who asks, for nobody else."""
    if value not in ("public", "private"):
        raise ValueError(f'cache_scope must be "public" or "private", not {value!r}')
    return value if visible is None else "private"


def server_info(name: str, version: str, title: str | None) -> dict[str, str]:
    """Return what a server says of itself in every result (MCP 2026-07-28 schema § Implementation)."""
    info = {"name": text("name", name), "version": text("version", version)}
    return info if title is None else {**info, "title": text("title", title)}
