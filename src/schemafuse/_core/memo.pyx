"""Remembers what a check has found out about a node and a value, within the memory that it may take."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memset

from cpython.ref cimport Py_INCREF

from .costs cimport SET, SET_SHIFT, WORDS_SHIFT
from .meter cimport ABSENT, OUT_OF_MEMORY, Table, fail, pay

cdef extern from "Python.h":
    void Py_DECREF(PyObject*)

cdef enum:
    FIRST_ROOM = 256        # entries of a new table
    MOST_UNCHARGED = 1 << 17
    SPARE_ROOM = 4096       # a larger table is not kept for the next check

# One table is kept for the next check: most checks that need one need a small one. The GIL guards it.
cdef Table* spare = NULL


cdef uint64_t mixed(uint64_t what, size_t container, Py_ssize_t position) noexcept nogil:
    cdef uint64_t h = (container >> 4) * <uint64_t> 0x9E3779B97F4A7C15
    h ^= (<uint64_t> position + 1) * <uint64_t> 0xC2B2AE3D27D4EB4F
    h ^= what * <uint64_t> 0x165667B19E3779F9
    h ^= h >> 32
    h *= <uint64_t> 0xD6E8FEB86659FD93
    return h ^ (h >> 32)


cdef Table* new_table(uint32_t room) noexcept:
    cdef Table* table = <Table*> PyMem_Malloc(sizeof(Table))
    if table == NULL:
        return NULL
    table.entries = <Entry*> PyMem_Calloc(room, sizeof(Entry))
    if table.entries == NULL:
        PyMem_Free(table)
        return NULL
    table.mask = room - 1
    table.used = 0
    table.epoch = 1
    return table


cdef void free_table(Table* table) noexcept:
    PyMem_Free(table.entries)
    PyMem_Free(table)


cdef bint spend(State* st, int64_t size) noexcept:
    st.memory += size
    return True if st.memory <= st.max_memory else fail(st, OUT_OF_MEMORY)


cdef bint charge(State* st, Entry* entry) noexcept:
    """Let the memory of an entry count: what a fresh table would take for so many, whichever table is at hand."""
    cdef int64_t n
    if entry.charged:
        return True
    entry.charged = True
    st.charged += 1
    n = st.charged
    if n == 1:
        return spend(st, FIRST_ROOM * sizeof(Entry))
    if n * 2 > FIRST_ROOM and (n & (n - 1)) == 0:
        return spend(st, n * 2 * sizeof(Entry))
    return True


cdef bint open_table(State* st) noexcept:
    global spare
    if spare != NULL:
        st.table = spare
        spare = NULL
        st.table.epoch += 1
        st.table.used = 0
        if st.table.epoch == 0:
            memset(st.table.entries, 0, (<size_t> st.table.mask + 1) * sizeof(Entry))
            st.table.epoch = 1
        return True
    st.table = new_table(FIRST_ROOM)
    return True if st.table != NULL else fail(st, OUT_OF_MEMORY)


cdef bint grow(State* st) noexcept:
    cdef Table* old = st.table
    cdef uint64_t room = (<uint64_t> old.mask + 1) * 2
    cdef Table* new
    cdef uint32_t i, at
    cdef Entry* entry
    new = new_table(<uint32_t> room) if room <= 1 << 30 else NULL
    if new == NULL:
        return fail(st, OUT_OF_MEMORY)
    for i in range(old.mask + 1):
        entry = &old.entries[i]
        if entry.epoch != old.epoch:
            continue
        at = <uint32_t> mixed(entry.what, entry.container, entry.position) & new.mask
        while new.entries[at].epoch == new.epoch:
            at = (at + 1) & new.mask
        new.entries[at] = entry[0]
        new.entries[at].epoch = new.epoch
    new.used = old.used
    free_table(old)
    st.table = new
    return True


cdef Entry* lookup(State* st, uint64_t what, PyObject* container, Py_ssize_t position, bint charged) noexcept:
    """Find what is known, or make room for it (`verdict` is then ABSENT). NULL when the memory is spent.

    Not `charged` is what is remembered because a container may be shared: only references from outside may make it look
    so, and those must not use up a budget. It is charged when it turns out to be shared, and there is an end to it.
    The entry may move at the next call.
    """
    if st.table == NULL and not open_table(st):
        return NULL
    if st.table.used * 2 > st.table.mask and not grow(st):
        return NULL
    cdef uint32_t at = <uint32_t> mixed(what, <size_t> container, position) & st.table.mask
    cdef Entry* entry = &st.table.entries[at]
    while entry.epoch == st.table.epoch:
        if entry.what == what and entry.container == <size_t> container and entry.position == position:
            return entry
        at = (at + 1) & st.table.mask
        entry = &st.table.entries[at]
    if not charged:
        if st.uncharged >= MOST_UNCHARGED:
            entry = &st.nowhere
            entry.verdict = ABSENT
            return entry
        st.uncharged += 1
    entry.what = what
    entry.container = <size_t> container
    entry.position = position
    entry.epoch = st.table.epoch
    entry.verdict = ABSENT
    entry.charged = False
    entry.extra = 0
    st.table.used += 1
    return entry if not charged or charge(st, entry) else NULL


cdef Bits* new_bits(State* st, Py_ssize_t size) noexcept:
    """An empty set for a container of `size` members; NULL when the memory is spent."""
    cdef size_t n_bytes = sizeof(Bits) + <size_t> (size >> 6) * sizeof(uint64_t)
    if not spend(st, n_bytes) or not pay(st, SET + (size >> SET_SHIFT)):
        return NULL
    cdef Bits* bits = <Bits*> PyMem_Calloc(1, n_bytes)
    if bits == NULL:
        fail(st, OUT_OF_MEMORY)
        return NULL
    bits.size = size
    bits.following = st.bits
    st.bits = bits
    return bits


cdef bint merge_bits(State* st, Bits* into, const Bits* other) noexcept:
    cdef Py_ssize_t i
    cdef Py_ssize_t n_words = (min(into.size, other.size) >> 6) + 1
    if not pay(st, n_words >> WORDS_SHIFT):
        return False
    for i in range(n_words):
        into.words[i] |= other.words[i]
    return True


cdef bint keep_alive(State* st, PyObject* value) noexcept:
    """Hold a reference until the end of the check, so that no other object can appear at the same address."""
    cdef list kept
    try:
        if st.kept == NULL:
            kept = []
            Py_INCREF(kept)
            st.kept = <PyObject*> kept
        (<list> st.kept).append(<object> value)
    except BaseException:
        return fail(st, OUT_OF_MEMORY)
    return True


cdef void release(State* st) noexcept:
    """Give back all that a check has taken."""
    global spare
    cdef Bits* bits = st.bits
    cdef Bits* following
    while bits != NULL:
        following = bits.following
        PyMem_Free(bits)
        bits = following
    st.bits = NULL
    if st.table != NULL:
        if spare == NULL and st.table.mask < SPARE_ROOM:
            spare = st.table
        else:
            free_table(st.table)
        st.table = NULL
    if st.kept != NULL:
        Py_DECREF(st.kept)
        st.kept = NULL
    if st.trace != NULL:
        Py_DECREF(st.trace)
        st.trace = NULL
