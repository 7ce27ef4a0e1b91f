from .scene cimport Judge, Scene
from .words cimport tag_values

cpdef advise(Scene scene, Judge judge)
