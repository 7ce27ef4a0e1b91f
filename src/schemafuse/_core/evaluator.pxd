from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint32_t

from .meter cimport Bits, State
from .plan cimport Instr, Plan

# How a visit goes about its value.
cdef enum Mode:
    PLAIN = 0
    COVERING = 1     # see to it that every value inside is JSON; one visit of each value does so
    ALL_OF_IT = 2    # stop at nothing: the caller needs to know all that was evaluated


cdef class Evaluator:
    cdef readonly Plan plan
    cdef int64_t max_steps
    cdef int64_t max_memory
    cdef double max_seconds
    cdef int32_t max_depth

    cdef void begin(self, State* st) noexcept


cdef bint visit(State* st, int32_t index, PyObject* value, int kind, int mode, Bits* bits) noexcept
cdef bint run(State* st, const Instr* instr, PyObject* value, int kind, int mode, Bits* bits, bint once) noexcept
cdef bint matches(State* st, const void* matcher, PyObject* text) noexcept
