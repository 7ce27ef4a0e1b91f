cimport cython

from ._core.checks cimport Evaluator
from ._core.explainer cimport explain
from ._core.failure cimport Failure
from .advice cimport advise
from .condition_words cimport absent_from_condition, condition
from .errors cimport error_of
from .mentions cimport what
from .render cimport place
from .scene cimport Judge, Scene
from .union_words cimport allowed_values, tag_values
from .words cimport words

@cython.locals(deadline=double, failures=list)
cpdef explain_invalid(Evaluator evaluator, instance, limits)
cpdef to_errors(list failures, Judge judge)
cdef bint _is_covered(Failure failure, list failures) except -1
cdef to_error(Failure failure, Judge judge, bint covered, dict known)
