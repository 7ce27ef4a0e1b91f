# The table of remembered verdicts of one check: open addressing, emptied by a new epoch.

from libc.stdint cimport uint64_t

from cpython.object cimport PyObject

from .meter cimport Bits, Entry, State

# Pseudo nodes: what else is remembered of a container.
cdef enum:
    COVERED = 0xFFFFFFF0     # it has been walked as JSON
    HASHED = 0xFFFFFFF1
    EQUALS = 0xFFFFFFF2      # position: the address of the other container

cdef Entry* lookup(State* st, uint64_t what, PyObject* container, Py_ssize_t position, bint charged) noexcept
cdef bint charge(State* st, Entry* entry) noexcept
cdef Bits* new_bits(State* st, Py_ssize_t size) noexcept
cdef bint merge_bits(State* st, Bits* into, const Bits* other) noexcept
cdef bint keep_alive(State* st, PyObject* value) noexcept
cdef void release(State* st) noexcept


cdef inline void mark(Bits* bits, Py_ssize_t index) noexcept:
    if bits != NULL and index < bits.size:
        bits.words[index >> 6] |= <uint64_t> 1 << (index & 63)


cdef inline bint marked(const Bits* bits, Py_ssize_t index) noexcept:
    return index < bits.size and bits.words[index >> 6] >> (index & 63) & 1
