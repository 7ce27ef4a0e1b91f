cimport cython
from libc.stdint cimport int64_t

from ._core.checks cimport Evaluator
from ._core.explainer cimport failures_within, steps_to_accept
from ._core.failure cimport Failure
from .mentions cimport what
from .patch cimport Edit, applied, operations_of
from .secrets cimport Secrets


cdef class Judge:
    cdef public Evaluator evaluator
    cdef public object limits
    cdef public double deadline
    cdef public Secrets secrets
    cdef public object instance
    cdef public list _failures
    cdef public object _wrong
    cdef public dict _asked
    cdef public set asked_about
    cdef public int64_t steps_left

    cpdef bint can_compare(self, Py_ssize_t texts) except -1
    cpdef bint can_read(self, str text) except -1
    @cython.locals(steps=int64_t)
    cpdef bint accepts(self, int node, value) except -1
    cpdef bint helps(self, list edits, bint uncovering=*) except -1
    cpdef bint _helps(self, list edits, bint uncovering) except -1


cdef class Scene:
    cdef public Failure failure
    cdef public Judge judge
    cdef public bint secret

    cpdef str place(self)
    cpdef str got(self)
