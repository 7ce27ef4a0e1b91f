from .render cimport json_pointer, quote_text
from .scene cimport Judge, Scene

cpdef about_unknown(Scene scene, Judge judge)
cpdef about_missing(Scene scene, Judge judge)
