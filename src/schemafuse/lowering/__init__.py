"""Lowering: an admitted document becomes the native plan, one node a subschema that the root can reach.

Comes in: a `Document`, every subschema checked and every reference resolved. Goes out: a `Plan`. Choices that depend on
the schema alone are made here: which kinds of value a keyword concerns, the order of the instructions, what must be
remembered. Never looks at an instance.

A keyword, or a family that reads the instance together, is one small function in the module of its kind, registered
with `@lowers(...)`; it turns the keyword's value into instructions of the subschema's `Program`.
"""

from . import arrays, in_place, numbers, objects, strings, values  # noqa: F401  (each registers its keywords)
from .lowering import lower

__all__ = ["lower"]
