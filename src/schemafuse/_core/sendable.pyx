# cython: binding=False
"""The common case of `schemafuse.mcp.sendable`: plain JSON values, seen to be sendable in one quick look.

Takes exact builtin types only and runs no other code, so nothing can change under it and references can be borrowed.
Where it does not say yes, nothing is known: whoever asks has to look for himself.
"""

from cpython.object cimport PyObject

cdef extern from "Python.h":
    int PyUnicode_CheckExact(PyObject*) noexcept
    int PyUnicode_IS_ASCII(PyObject*) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject*) noexcept
    int PyUnicode_KIND(PyObject*) noexcept
    void* PyUnicode_DATA(PyObject*) noexcept
    unsigned int PyUnicode_READ(int, void*, Py_ssize_t) noexcept
    int PyDict_CheckExact(PyObject*) noexcept
    int PyDict_Next(PyObject*, Py_ssize_t*, PyObject**, PyObject**) noexcept
    int PyList_CheckExact(PyObject*) noexcept
    Py_ssize_t PyList_GET_SIZE(PyObject*) noexcept
    PyObject* PyList_GET_ITEM(PyObject*, Py_ssize_t) noexcept
    int PyLong_CheckExact(PyObject*) noexcept
    long long PyLong_AsLongLongAndOverflow(PyObject*, int*) noexcept
    int PyFloat_CheckExact(PyObject*) noexcept
    double PyFloat_AS_DOUBLE(PyObject*) noexcept
    PyObject* Py_None
    PyObject* Py_True
    PyObject* Py_False

cdef extern from "math.h":
    int isfinite(double) noexcept

cdef enum:
    LEVELS = 64                 # of recursion; a frame is small, and 64 of them fit on any stack
    VALUES = 1 << 20            # looked at; what is shared is looked at as often as it occurs


def is_plainly_sendable(object value) -> bool:
    """Whether the value is JSON in exact builtin types that UTF-8 can hold. False: perhaps not."""
    cdef Py_ssize_t left = VALUES
    return sendable(<PyObject*> value, LEVELS, &left)


cdef bint sendable(PyObject* value, int levels, Py_ssize_t* left) noexcept:
    cdef Py_ssize_t position = 0
    cdef PyObject* key
    cdef PyObject* item
    cdef int overflow = 0
    left[0] -= 1
    if left[0] < 0:
        return False
    if PyUnicode_CheckExact(value):
        return has_no_surrogate(value)
    if value == Py_None or value == Py_True or value == Py_False:
        return True
    if PyLong_CheckExact(value):
        PyLong_AsLongLongAndOverflow(value, &overflow)
        return overflow == 0
    if PyFloat_CheckExact(value):
        return isfinite(PyFloat_AS_DOUBLE(value)) != 0
    if levels == 0:
        return False
    if PyDict_CheckExact(value):
        while PyDict_Next(value, &position, &key, &item):
            if not PyUnicode_CheckExact(key) or not has_no_surrogate(key) or not sendable(item, levels - 1, left):
                return False
        return True
    if PyList_CheckExact(value):
        for position in range(PyList_GET_SIZE(value)):
            if not sendable(PyList_GET_ITEM(value, position), levels - 1, left):
                return False
        return True
    return False


cdef bint has_no_surrogate(PyObject* text) noexcept:
    cdef Py_ssize_t position
    cdef int kind
    cdef void* data
    if PyUnicode_IS_ASCII(text) or PyUnicode_KIND(text) == 1:
        return True
    kind = PyUnicode_KIND(text)
    data = PyUnicode_DATA(text)
    for position in range(PyUnicode_GET_LENGTH(text)):
        if PyUnicode_READ(kind, data, position) & 0xFFFFF800 == 0xD800:
            return False
    return True
