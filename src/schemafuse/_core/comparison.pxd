cdef class Choice:
    """Which branch of a union stands for it, for one value."""

    cdef Py_ssize_t index   # -1: none
    cdef bint certain       # whether the kind of the value, or a tag, leaves no other
    cdef set common         # of several that are as near: `(keyword, path)` of what all have against the value; else None
    cdef bint partial       # whether some of them have more against it
    cdef dict shared        # places in which they want different things -> the failures there, one of each


cdef bint is_of_kind(list failures, Py_ssize_t depth)
cdef tuple branch_rank(list failures, Py_ssize_t depth, tuple evidence, bint by_weight)
cdef int weigh(Choice choice, list lists, tuple tag_path, Py_ssize_t depth, bint by_weight) except -1
cdef list with_rivals(list failures, dict shared)
cdef bint is_certain(list candidates)
