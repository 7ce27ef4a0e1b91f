cimport cython


cdef class Near:
    cdef public str text
    cdef public object nearness


cdef class Spelt:
    cdef public list texts
    cdef public list spelt


cpdef str plain(str text)
cpdef list words_of(str text)
cpdef list nearest_of_each(list given, list texts)
@cython.locals(texts=list, spelt=list)
cpdef nearest_of(str given, Spelt among)
cdef bint _is_part(list one, list other) except -1
cpdef list by_nearness(str text, list values, Py_ssize_t most)
