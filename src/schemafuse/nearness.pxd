cdef class Near:
    cdef public str text
    cdef public object nearness

cpdef str plain(str text)
cpdef list words_of(str text)
cpdef nearest_of(str given, list texts)
cpdef list nearest_of_each(list given, list texts)
cdef _nearest(str given, list texts, list spelt)
cdef bint _is_part(list one, list other) except -1
cpdef list by_nearness(str text, list values, Py_ssize_t most)
