from .scene cimport Judge, Scene
from .union_words cimport tag_values

cpdef advise(Scene scene, Judge judge)
