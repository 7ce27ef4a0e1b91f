from ._core.failure cimport Failure
from .knowledge cimport recall, recall_of
from .render cimport quote_text
from .scene cimport Scene

cpdef tag_values(Scene scene)
cpdef list allowed_values(Failure failure)
