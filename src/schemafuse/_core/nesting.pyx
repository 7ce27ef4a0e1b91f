# cython: binding=False
"""How deep a JSON text is nested, told from its characters before anything recurses into it."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ


def deeper_than(str text not None, Py_ssize_t levels) -> bool:
    """Whether there are more than `levels` arrays and objects open at once anywhere. For text that is no JSON, about."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t position = 0, length = PyUnicode_GET_LENGTH(text), depth = 0
    cdef bint in_string = False
    cdef Py_UCS4 char
    while position < length:
        char = PyUnicode_READ(kind, data, position)
        position += 1
        if in_string:
            if char == u'\\':
                position += 1
            elif char == u'"':
                in_string = False
        elif char == u'"':
            in_string = True
        elif char == u'[' or char == u'{':
            depth += 1
            if depth > levels:
                return True
        elif char == u']' or char == u'}':
            depth -= 1
    return False
