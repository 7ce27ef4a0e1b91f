# Patterns and formats: the assertions that are left to libraries, and the patterns that need none.

from cpython.object cimport PyObject

from .meter cimport State
from .plan cimport FormatCheck, Matcher

cdef bint matches(State* st, const Matcher* matcher, PyObject* text) noexcept
cdef bint has_format(State* st, const FormatCheck* format_check, PyObject* text) noexcept
