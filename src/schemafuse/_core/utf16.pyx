"""A text as UTF-16 code units, lone surrogates as they stand.

Comes in: any exact `str`. Goes out: an `array("H")`. Python's own encoder calls an error handler for each lone surrogate.
"""

from array import array

from cpython cimport array as c_array
from libc.stdint cimport uint16_t, uint32_t

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    int PyUnicode_KIND(object)
    void* PyUnicode_DATA(object)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index)

cdef c_array.array NO_UNITS = array("H")


def code_units(str text not None) -> array:
    """Return the code units of a text."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), n = length, i
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef uint32_t code
    if kind == 4:
        for i in range(length):
            n += PyUnicode_READ(kind, data, i) > 0xFFFF
    cdef c_array.array result = c_array.clone(NO_UNITS, n, zero=False)
    cdef uint16_t* unit = <uint16_t*> result.data.as_ushorts
    for i in range(length):
        code = PyUnicode_READ(kind, data, i)
        if code > 0xFFFF:
            unit[0] = <uint16_t> (0xD800 + (code - 0x10000 >> 10))
            unit += 1
            code = 0xDC00 + (code & 0x3FF)
        unit[0] = <uint16_t> code
        unit += 1
    return result
