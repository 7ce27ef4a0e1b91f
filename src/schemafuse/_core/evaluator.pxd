from cpython.object cimport PyObject
from libc.stdint cimport int32_t

from .meter cimport Bits, State
from .plan cimport Instr

# How a visit goes about its value.
cdef enum Mode:
    PLAIN = 0
    COVERING = 1     # see to it that every value inside is JSON; one visit of each value does so
    ALL_OF_IT = 2    # stop at nothing: the caller needs to know all that was evaluated


cdef bint visit(State* st, int32_t index, PyObject* value, int kind, int mode, Bits* bits) noexcept
cdef bint run(State* st, const Instr* instr, PyObject* value, int kind, int mode, Bits* bits, bint once) noexcept
