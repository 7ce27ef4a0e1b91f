cimport cython

from .render cimport json_pointer


cdef class Edit:
    cdef readonly str kind
    cdef readonly tuple path
    cdef readonly object value
    cdef readonly tuple source

    cpdef dict operation(self)

cpdef list operations_of(list edits)
@cython.locals(edit=Edit)
cpdef applied(document, list edits)
@cython.locals(path=tuple)
cpdef edited(document, Edit edit)
cdef _moved(document, tuple source, tuple target)
@cython.locals(level=Py_ssize_t)
cpdef loosened(document, tuple path)
cdef _copied(value)
cpdef bint has_exact_names(dict members) except -1
cdef _part(container, token)
@cython.locals(level=Py_ssize_t)
cdef _value_at(document, tuple path, Py_ssize_t levels)
