from ._core.failure cimport Failure
from .knowledge cimport recall, recall_of
from .render cimport json_pointer, quote, quote_text
from .scene cimport Judge, Scene
from .words cimport tag_values


cdef class Candidate:
    cdef public object value
    cdef public object hint
    cdef public object operations
    cdef public int node


cpdef advise(Scene scene, Judge judge)
cpdef bint is_plain(value) except -1
cpdef bint is_short(value) except -1
cdef bint _is_small(value) except -1
cdef _replace(Scene scene, value, bint public=*)
cpdef _about_kind(Scene scene, Judge judge)
cdef _only(list candidates, Failure failure, Judge judge)
cdef bint _is_optional(Failure failure) except -1
cdef list _as_text(Scene scene, int wanted)
cdef list _wrapped(Scene scene, Judge judge, int wanted)
cdef list _unwrapped(Scene scene, Judge judge, int wanted)
cpdef _about_values(Scene scene, Judge judge)
cdef list _same_but_for_case(Scene scene, list texts)
