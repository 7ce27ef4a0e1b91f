from ._core.failure cimport Failure
from .knowledge cimport recall
from .render cimport place, quote_text
from .scene cimport Scene

cpdef condition(Scene scene)
cpdef absent_from_condition(Failure failure)
