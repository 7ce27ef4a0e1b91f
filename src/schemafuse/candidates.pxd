cimport cython

from .nearness cimport Spelt
from .patch cimport Edit, has_exact_names
from .render cimport quote_text
from .scene cimport Judge, Scene


cdef class Candidate:
    cdef public tuple path
    cdef public object value
    cdef public str hint
    cdef public bint offered
    cdef public str otherwise
    cdef public int node
    cdef public bint lifted

    cpdef list fix(self)

@cython.locals(candidate=Candidate)
cpdef tuple choose(list candidates, Scene scene, Judge judge)
cdef bint _is_accepted(Candidate candidate, Scene scene, Judge judge) except -1
@cython.locals(other=Candidate)
cdef list _out_of_its_array(Scene scene, list others)
@cython.locals(candidate=Candidate)
cpdef list lifted(Scene scene, tuple path, item, int node)
cpdef list replacing(Scene scene, value, str hint, bint offered, str otherwise=*)
cpdef bint repeats_secret(Scene scene, value) except -1
cpdef bint is_plain(value) except -1
cpdef bint is_short(value) except -1
cpdef list listed_text(Scene scene, Judge judge, Spelt among, int node=*)
@cython.locals(path=tuple, schema=dict)
cpdef tuple left_out(Scene scene, Judge judge, bint offered)
