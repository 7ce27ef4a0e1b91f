from .knowledge cimport recall
from .render cimport quote, quote_text
from .scene cimport Scene
from .secret_names cimport tells_secret
from .union_words cimport tag_values

cpdef words(Scene scene)
cdef _and_got(expected, Scene scene)
