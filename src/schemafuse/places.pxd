cdef class Place:
    cdef public list subschemas
    cdef public dict inside
    cdef public object marked
    cdef public list rest

    cpdef bint knows(self, str name) except -1


cdef class Places:
    cdef object _document
    cdef Py_ssize_t _looks
    cdef dict _places
    cdef dict _overrides
    cdef Place _root

    cpdef list along(self, tuple path)
    cpdef Place below(self, Place place, part)
    cdef Place _place(self, subschemas)
