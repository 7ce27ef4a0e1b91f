from .candidates cimport choose, is_plain, left_out, listed_text
from .kind_advice cimport about_kind, as_string, spelt
from .name_advice cimport about_missing, about_strangers, about_unknown
from .scene cimport Judge, Scene
from .union_words cimport tag_values

cpdef advise(Scene scene, Judge judge)
cpdef _about_alternatives(Scene scene, Judge judge)
cpdef _about_values(Scene scene, Judge judge)
cpdef _about_text(Scene scene, Judge judge)
