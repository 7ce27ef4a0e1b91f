from ._core.failure cimport Failure
from .knowledge cimport recall
from .render cimport json_pointer, quote_text
from .scene cimport Judge, Scene

cpdef about_unknown(Scene scene, Judge judge)
cpdef about_missing(Scene scene, Judge judge)
cdef dict _move(Failure failure, name, meant)
cdef bint _fits(Judge judge, Failure failure, name, value) except -1
cdef list _strangers(Failure failure, Judge judge, list names)
cdef _filled_in(missing, subschema, Failure failure, Judge judge)
cpdef only_value(subschema)
