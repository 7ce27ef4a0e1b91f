from .places cimport Place, Places
from .secret_names cimport gives_secret, tells_secret


cdef class Secrets:
    cdef object _evaluator
    cdef Places _places
    cdef bint _marks
    cdef Py_ssize_t _values_left

    cpdef bint at(self, tuple path) except -1
    cpdef bint would_hold(self, tuple path) except -1
    cpdef bint inside(self, value, tuple path) except -1
    cdef bint _gives(self, str text) except -1
    cpdef tuple shown(self, tuple path)
    cdef bint _is_marked(self, Place place) except -1
