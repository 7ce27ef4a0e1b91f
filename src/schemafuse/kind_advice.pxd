cimport cython

from .candidates cimport Candidate, choose, is_plain, is_short, left_out, lifted, listed_text, replacing
from .knowledge cimport recall, recall_of
from .render cimport quote, quote_text
from .scene cimport Judge, Scene

@cython.locals(wanted=int)
cpdef about_kind(Scene scene, Judge judge)
cdef _otherwise(Scene scene, Judge judge, int wanted)
cpdef list as_string(Scene scene)
cdef list _as_text(Scene scene, int wanted)
cpdef list spelt(Scene scene, read)
cdef _that_string(Scene scene)
cdef list _wrapped(Scene scene, Judge judge, int wanted)
cdef list _listed(Scene scene, str text)
cdef bint _is_item(Scene scene, dict value) except -1
cdef list _members(Scene scene, dict value)
cdef list _unwrapped(Scene scene, int wanted)
cdef bint _is_pair(Scene scene, item) except -1
