from .knowledge cimport recall, recall_of
from .render cimport quote, quote_text
from .scene cimport Scene
from .secret_names cimport tells_secret

cpdef words(Scene scene)
cdef _and_got(expected, Scene scene)
cpdef tag_values(Scene scene)
