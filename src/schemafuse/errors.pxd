from ._core.failure cimport Failure
from .render cimport json_pointer, quote_text

cpdef error_of(message, Failure failure, tuple context, fix, bint covered)


cdef class Report:
    cdef public object status
    cdef public object steps
    cdef public object errors
    cdef public bint more_errors
    cdef public object exhausted
    cdef public object fixes
    cdef public object _limits
