# cython: auto_pickle=False
"""Short texts in which nothing needs an escape, told from others at once: most names and values of tools are such.

Texts and paths go in, quotations and JSON Pointers come out; None where it takes render.py to make them.
"""

from cpython.object cimport PyObject
from libc.string cimport memcpy

from .values cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_Check, PyUnicode_CheckExact

cdef extern from "Python.h":
    object PyUnicode_FromStringAndSize(const char*, Py_ssize_t)
    object PyUnicode_New(Py_ssize_t size, unsigned int largest_character)

cdef enum:
    LONGEST = 120   # characters of a pointer


cpdef quoted(text, Py_ssize_t room):
    """A text in double quotes, where it has at most `room` characters, all of them printable ASCII that needs no escape."""
    cdef const unsigned char* data
    cdef Py_ssize_t i, size
    if not PyUnicode_Check(<PyObject*> text):
        return None
    data = <const unsigned char*> PyUnicode_DATA(<PyObject*> text)
    size = PyUnicode_GET_LENGTH(<PyObject*> text)
    if size > room or PyUnicode_KIND(<PyObject*> text) != 1:
        return None
    for i in range(size):
        if not 0x20 <= data[i] <= 0x7e or data[i] == c'"' or data[i] == c'\\':
            return None
    quotation = PyUnicode_New(size + 2, 0x7f)
    cdef char* target = <char*> PyUnicode_DATA(<PyObject*> quotation)
    memcpy(&target[1], data, size)
    target[0] = target[size + 1] = c'"'
    return quotation


cpdef beginning(text, Py_ssize_t size):
    """At most the first `size` characters of a text, as an exact str, whatever methods a subclass has."""
    if PyUnicode_CheckExact(<PyObject*> text) and PyUnicode_GET_LENGTH(<PyObject*> text) <= size:
        return text
    return str.__getitem__(text, slice(0, size))


cpdef plain_pointer(tuple path, bint of_names=False):
    """The JSON Pointer of a path, where it is short and nothing in it needs an escape; else None. `of_names`: and where all
    is of letters, digits and what names in programs have besides."""
    cdef char[LONGEST] pointer
    cdef Py_ssize_t length = 0, size
    for part in path:
        if not isinstance(part, str):
            part = str(part)
        size = PyUnicode_GET_LENGTH(<PyObject*> part)
        if length + 1 + size > LONGEST or not is_plain(<PyObject*> part, size, of_names):
            return None
        pointer[length] = c'/'
        memcpy(&pointer[length + 1], PyUnicode_DATA(<PyObject*> part), size)
        length += 1 + size
    return PyUnicode_FromStringAndSize(pointer, length)


cdef bint is_plain(PyObject* text, Py_ssize_t size, bint of_names) noexcept:
    """Is a text of characters that neither a pointer nor a reader's text has to escape?"""
    cdef const unsigned char* data = <const unsigned char*> PyUnicode_DATA(text)
    cdef Py_ssize_t i
    if PyUnicode_KIND(text) != 1:
        return False
    for i in range(size):
        if not 0x20 < data[i] < 0x7f or data[i] in (c'"', c'\\', c'/', c'~'):
            return False
        if of_names and not (c'a' <= data[i] | 0x20 <= c'z' or c'0' <= data[i] <= c'9' or data[i] in (c'_', c'-', c'$', c'@')):
            return False
    return True
