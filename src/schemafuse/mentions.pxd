from ._core.texts cimport beginning
from .knowledge cimport recall
from .render cimport quote, quote_text
from .secret_names cimport tells_secret

cpdef what(value, Py_ssize_t room, bint secret=*)
cdef _string(value, Py_ssize_t room, bint secret)
cdef _object(value, bint secret)
