from ._core.texts cimport beginning

cdef dict _FOUND

cpdef bint is_secret_name(str name) except -1
cpdef bint tells_secret(text) except -1
cpdef bint gives_secret(str text) except -1
cdef bint _is_secret(str name) except -1
