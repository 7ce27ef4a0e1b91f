cimport cython

from ._core.failure cimport Failure
from .candidates cimport is_short
from .levels cimport other_level, wrapper
from .nearness cimport Near, nearest_of_each
from .patch cimport Edit, operations_of
from .render cimport quote_text
from .scene cimport Judge, Scene

cpdef about_unknown(Scene scene, Judge judge)
cpdef about_strangers(Scene scene, Judge judge)
cdef _about_names(Failure failure, Judge judge, list strangers, list free)
cdef str _given_already(list strangers, Failure failure, list known, Judge judge)
@cython.locals(properties=dict)
cpdef about_missing(Scene scene, Judge judge)
cdef list _pairs(list given, list names, Judge judge)
cdef bint _rename(Failure failure, Judge judge, str name, Near meant, least, list edits) except -1
cdef _helping(list edits, Judge judge)
cdef _allowed(Failure failure, Judge judge, list known)
cdef dict _renamed(Failure failure, Judge judge, list given)
cdef list _missing_names(Failure failure)
cdef dict _filled_in(Failure failure, Judge judge)
cdef bint _may_be_meant(branch, dict properties, dict filled, dict value) except -1
cdef dict _only_values(list names, dict properties)
@cython.locals(schema=dict)
cpdef only_value(subschema)
