from ._core.texts cimport beginning

cpdef bint is_secret_name(str name) except -1
cpdef bint tells_secret(text) except -1
cpdef bint gives_secret(str text) except -1
