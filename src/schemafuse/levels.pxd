from .candidates cimport is_plain
from .patch cimport Edit
from .render cimport quote_text
from .scene cimport Judge, Scene

cpdef wrapper(Scene scene, Judge judge)
cpdef other_level(Scene scene, Judge judge)
cdef list _inside(Scene scene, str name)
cdef bint _is_known_around(Scene scene, Judge judge, str name) except -1
