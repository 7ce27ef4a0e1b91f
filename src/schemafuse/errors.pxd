from ._core.failure cimport Failure
from .render cimport json_pointer, quote_text

cdef extern from "Python.h":
    ctypedef class builtins.ValueError [object PyBaseExceptionObject]:
        pass


cdef class ValidationError(ValueError):
    cdef public object message
    cdef public object instance
    cdef public object instance_path
    cdef public object keyword
    cdef public object context
    cdef public object fix
    cdef public bint _covered
    cdef public Failure _failure
    cdef public object _schema_part


cpdef error_of(message, Failure failure, tuple context, fix, bint covered)


cdef class Report:
    cdef public object status
    cdef public object steps
    cdef public object errors
    cdef public bint more_errors
    cdef public object exhausted
    cdef public object fixes
    cdef public object _limits
