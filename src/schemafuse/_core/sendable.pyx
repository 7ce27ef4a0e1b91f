# cython: binding=False
"""One look at a value that is to be sent as JSON in UTF-8: whether it can be, and where it cannot.

Comes in: any Python object. Goes out: a verdict, or the first place that cannot be sent. Reads subclasses as what they are
built on and runs no code that a value could bring along, so nothing changes under it and references can be borrowed.
Counts every value as often as it occurs: what is shared takes as much room in a text as what is not.
"""

from cpython.object cimport PyObject

cdef extern from "Python.h":
    int PyUnicode_Check(PyObject*) noexcept
    int PyUnicode_CheckExact(PyObject*) noexcept
    int PyUnicode_IS_ASCII(PyObject*) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject*) noexcept
    int PyUnicode_KIND(PyObject*) noexcept
    void* PyUnicode_DATA(PyObject*) noexcept
    unsigned int PyUnicode_READ(int, void*, Py_ssize_t) noexcept
    int PyDict_Check(PyObject*) noexcept
    int PyDict_CheckExact(PyObject*) noexcept
    int PyDict_Next(PyObject*, Py_ssize_t*, PyObject**, PyObject**) noexcept
    int PyList_Check(PyObject*) noexcept
    int PyList_CheckExact(PyObject*) noexcept
    Py_ssize_t PyList_GET_SIZE(PyObject*) noexcept
    PyObject* PyList_GET_ITEM(PyObject*, Py_ssize_t) noexcept
    int PyTuple_Check(PyObject*) noexcept
    Py_ssize_t PyTuple_GET_SIZE(PyObject*) noexcept
    PyObject* PyTuple_GET_ITEM(PyObject*, Py_ssize_t) noexcept
    int PyLong_Check(PyObject*) noexcept
    int PyLong_CheckExact(PyObject*) noexcept
    long long PyLong_AsLongLongAndOverflow(PyObject*, int*) noexcept
    int PyFloat_Check(PyObject*) noexcept
    int PyFloat_CheckExact(PyObject*) noexcept
    double PyFloat_AS_DOUBLE(PyObject*) noexcept
    PyObject* Py_None
    PyObject* Py_True
    PyObject* Py_False

cdef extern from "math.h":
    int isfinite(double) noexcept

cdef enum:
    LEVELS = 256                # arrays and objects within each other, as many as the evaluator takes at most
    VALUES = 1 << 22            # in one value, itself counted: more than fit into a message of 4 MiB, and some 50 ms
    DEEPEST = 512               # of recursion, whatever is asked
    INTEGER_BITS = 14283        # of which no integer has more than 4,300 digits

# Python writes integers of at most 4,300 digits unless told otherwise.
cdef object TOO_LARGE = 10**4300

MAX_LEVELS = LEVELS
MAX_RECURSION = DEEPEST
MAX_VALUES = VALUES

cdef enum Fault:
    NO_FAULT
    SURROGATE
    NAME_SURROGATE
    NAME
    NUMBER
    DIGITS
    NOT_JSON
    TOO_DEEP
    ENDLESS
    TOO_MANY

FAULTS = ("", "surrogate", "name_surrogate", "name", "number", "digits", "not_json", "too_deep", "endless", "too_many")

cdef struct Look:
    int levels
    Py_ssize_t left
    bint plain                  # exact builtin types so far, and no tuples: what a reader of JSON makes
    int fault
    PyObject* culprit
    int depth                   # of the containers around it: where each goes on, outermost first
    PyObject* names[DEEPEST]
    Py_ssize_t indices[DEEPEST]


cdef void start(Look* look, int levels, Py_ssize_t values) noexcept:
    look.levels = min(levels, <int> DEEPEST)
    look.left = values
    look.plain = True
    look.fault = NO_FAULT
    look.culprit = NULL
    look.depth = 0


def is_plainly_sendable(object value) -> bool:
    """Whether the value can be sent, and is made of exact builtin types without tuples."""
    cdef Look look
    start(&look, LEVELS, VALUES)
    return sendable(&look, <PyObject*> value, 0) and look.plain


def find_unsendable(object value, int max_levels=LEVELS, Py_ssize_t max_values=VALUES):
    """Return None, or a place that cannot be sent: the names and indices to it, which of `FAULTS`, and what stands there."""
    cdef Look look
    cdef int level
    path = []  # made now: the garbage collector may run here, and must not before what was found is held
    start(&look, max_levels, max_values)
    if sendable(&look, <PyObject*> value, 0):
        return None
    culprit = <object> look.culprit
    for level in range(look.depth):
        path.append(look.indices[level] if look.names[level] == NULL else <object> look.names[level])
    return path, FAULTS[look.fault], culprit


cdef bint fail(Look* look, int fault, PyObject* culprit, int level) noexcept:
    look.fault = fault
    look.culprit = culprit
    look.depth = level
    return False


cdef bint sendable(Look* look, PyObject* value, int level) noexcept:
    look.left -= 1
    if look.left < 0:
        return fail(look, TOO_MANY, value, level)
    if PyUnicode_Check(value):
        look.plain &= PyUnicode_CheckExact(value)
        return has_no_surrogate(value) or fail(look, SURROGATE, value, level)
    if value == Py_None or value == Py_True or value == Py_False:
        return True
    if PyLong_Check(value):
        return sendable_integer(look, value, level)
    if PyFloat_Check(value):
        look.plain &= PyFloat_CheckExact(value)
        return isfinite(PyFloat_AS_DOUBLE(value)) != 0 or fail(look, NUMBER, value, level)
    if PyDict_Check(value):
        return sendable_object(look, value, level)
    if PyList_Check(value) or PyTuple_Check(value):
        return sendable_array(look, value, level)
    return fail(look, NOT_JSON, value, level)


cdef bint sendable_integer(Look* look, PyObject* value, int level) noexcept:
    cdef int overflow = 0
    look.plain &= PyLong_CheckExact(value)
    PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow == 0:
        return True
    try:
        if int.bit_length(<object> value) <= INTEGER_BITS or int.__lt__(int.__abs__(<object> value), TOO_LARGE):
            return True
    except BaseException:  # no memory for a number of three bytes
        pass
    return fail(look, DIGITS, value, level)


cdef bint sendable_object(Look* look, PyObject* value, int level) noexcept:
    cdef Py_ssize_t position = 0
    cdef PyObject* name
    cdef PyObject* member
    if level >= look.levels:
        return fail(look, TOO_DEEP, value, level)
    look.plain &= PyDict_CheckExact(value)
    while PyDict_Next(value, &position, &name, &member):
        if not PyUnicode_Check(name):
            return fail(look, NAME, name, level)
        look.plain &= PyUnicode_CheckExact(name)
        if not has_no_surrogate(name):
            return fail(look, NAME_SURROGATE, name, level)
        if not sendable(look, member, level + 1):
            look.names[level] = name
            return within(look, value)
    return True


cdef bint sendable_array(Look* look, PyObject* value, int level) noexcept:
    cdef bint is_list = PyList_Check(value)
    cdef Py_ssize_t position
    if level >= look.levels:
        return fail(look, TOO_DEEP, value, level)
    look.plain &= PyList_CheckExact(value)
    for position in range(PyList_GET_SIZE(value) if is_list else PyTuple_GET_SIZE(value)):
        if not sendable(look, PyList_GET_ITEM(value, position) if is_list else PyTuple_GET_ITEM(value, position), level + 1):
            look.names[level] = NULL
            look.indices[level] = position
            return within(look, value)
    return True


cdef bint within(Look* look, PyObject* container) noexcept:
    """On the way out from a fault: a container that is too deep within itself has no end."""
    if look.fault == TOO_DEEP and container == look.culprit:
        look.fault = ENDLESS
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
