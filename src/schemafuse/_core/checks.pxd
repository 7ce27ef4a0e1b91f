from libc.stdint cimport int32_t, int64_t

from .meter cimport State
from .plan cimport Plan


cdef class Evaluator:
    cdef readonly Plan plan
    cdef int64_t max_steps
    cdef int64_t max_memory
    cdef double max_seconds
    cdef int32_t max_depth

    cdef void begin(self, State* st) noexcept
    cpdef double time_is_up(self)


cdef tuple outcome(State* st)
