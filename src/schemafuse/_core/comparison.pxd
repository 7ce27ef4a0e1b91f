cdef bint is_of_kind(list failures, Py_ssize_t depth)
cdef tuple branch_rank(list failures, Py_ssize_t depth, tuple evidence)
cdef set in_common(list lists, tuple tag_path)
