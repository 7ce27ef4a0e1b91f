from libc.stdint cimport int64_t

from ._core.failure cimport Failure
from .mentions cimport what


cdef class Judge:
    cdef public object evaluator
    cdef public object limits
    cdef public object secrets
    cdef public object instance
    cdef public object _wrong
    cdef public dict _asked
    cdef public int64_t steps_left

    cpdef bint accepts(self, int node, value) except -1


cdef class Scene:
    cdef public Failure failure
    cdef public Judge judge
    cdef public object _secret
