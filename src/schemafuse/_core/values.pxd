# JSON values as Python holds them, read in place and without running any code of theirs.
#
# Subclasses are read through their base type: sizes, items and contents come from the C structs, never from a method.

from cpython.object cimport PyObject, PyTypeObject
from libc.math cimport floor, isfinite
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp, memcpy

from .meter cimport State
from .plan cimport (
    ARRAY, BOOLEAN, INTEGER, INTEGRAL, NOT_JSON, NULL_VALUE, NUMBER, OBJECT, STRING,
    Containers, Name, Names, Number, Numbers,
)

cdef extern from "Python.h":
    ctypedef struct PyASCIIObject:
        Py_hash_t hash
    PyTypeObject PyUnicode_Type, PyDict_Type, PyLong_Type, PyBool_Type, PyList_Type, PyFloat_Type, PyTuple_Type
    PyObject* Py_None
    PyObject* Py_True
    PyTypeObject* Py_TYPE(PyObject*)
    Py_ssize_t Py_REFCNT(PyObject*)
    bint PyUnicode_Check(PyObject*)
    bint PyUnicode_CheckExact(PyObject*)
    bint PyLong_Check(PyObject*)
    bint PyLong_CheckExact(PyObject*)
    bint PyFloat_Check(PyObject*)
    bint PyDict_Check(PyObject*)
    bint PyList_Check(PyObject*)
    bint PyTuple_Check(PyObject*)
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject*)
    int PyUnicode_KIND(PyObject*)
    void* PyUnicode_DATA(PyObject*)
    double PyFloat_AS_DOUBLE(PyObject*)
    Py_ssize_t PyList_GET_SIZE(PyObject*)
    PyObject* PyList_GET_ITEM(PyObject*, Py_ssize_t)
    Py_ssize_t PyTuple_GET_SIZE(PyObject*)
    PyObject* PyTuple_GET_ITEM(PyObject*, Py_ssize_t)
    Py_ssize_t PyDict_Size "PyDict_GET_SIZE"(PyObject*)
    bint PyDict_Next(PyObject*, Py_ssize_t*, PyObject**, PyObject**)
    void Py_INCREF(PyObject*)
    void Py_DECREF(PyObject*)


cdef int kind_of_subclass(PyObject* value) noexcept
cdef bint compares(State* st, int op, PyObject* value, const Number* bound) noexcept
cdef bint is_multiple(State* st, PyObject* value, const Number* divisor) noexcept
cdef bint number_in(State* st, PyObject* value, int kind, const Numbers* numbers) noexcept
cdef bint container_in(State* st, PyObject* value, const Containers* containers) noexcept
cdef bint equal(State* st, PyObject* a, PyObject* b) noexcept
cdef bint has_duplicates(State* st, PyObject* array, Py_ssize_t* first, Py_ssize_t* second) noexcept
cdef bint only_exact_keys(State* st, PyObject* value) noexcept
cdef uint64_t hash_of_constant(object value) except? 0
cdef PyObject* exact_text(PyObject* text) noexcept


cdef inline int kind_of_double(double number) noexcept:
    if not isfinite(number):
        return NOT_JSON
    return INTEGRAL if floor(number) == number else NUMBER


cdef inline int kind_of(PyObject* value) noexcept:
    cdef PyTypeObject* type = Py_TYPE(value)
    if type == &PyUnicode_Type:
        return STRING
    if type == &PyLong_Type:
        return INTEGER
    if type == &PyDict_Type:
        return OBJECT
    if type == &PyList_Type:
        return ARRAY
    if type == &PyBool_Type:
        return BOOLEAN
    if value == Py_None:
        return NULL_VALUE
    if type == &PyFloat_Type:
        return kind_of_double(PyFloat_AS_DOUBLE(value))
    return kind_of_subclass(value)


# Sizes are read anew wherever code of others may have run since: it can change a list in between.
cdef inline Py_ssize_t array_size(PyObject* array) noexcept:
    return PyList_GET_SIZE(array) if PyList_Check(array) else PyTuple_GET_SIZE(array)


cdef inline PyObject* array_item(PyObject* array, Py_ssize_t index) noexcept:
    return PyList_GET_ITEM(array, index) if PyList_Check(array) else PyTuple_GET_ITEM(array, index)


cdef inline Py_ssize_t container_size(PyObject* value, int kind) noexcept:
    return PyDict_Size(value) if kind == OBJECT else array_size(value)


cdef inline bint same_text(PyObject* a, PyObject* b) noexcept:
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(a)
    if length != PyUnicode_GET_LENGTH(b):
        return False
    cdef int kind = PyUnicode_KIND(a)
    if kind != PyUnicode_KIND(b):
        return False
    return memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b), length * kind) == 0


cdef inline Py_hash_t text_hash(PyObject* text) noexcept:
    """The hash that `str` computes and keeps, whatever a subclass says its hash is."""
    cdef Py_hash_t known = (<PyASCIIObject*> text).hash
    return known if known != -1 else PyUnicode_Type.tp_hash(<object> text)


cdef inline bint same_bytes(const char* a, const char* b, size_t size) noexcept:
    """memcmp() == 0 without the call: names are short, and this runs for every member of every object."""
    cdef uint64_t x, y
    cdef size_t i = 0
    while i + 8 <= size:
        memcpy(&x, a + i, 8)
        memcpy(&y, b + i, 8)
        if x != y:
            return False
        i += 8
    while i < size:
        if a[i] != b[i]:
            return False
        i += 1
    return True


cdef inline bint is_name(const Name* name, PyObject* text) noexcept:
    return (
        name.text == text
        or (
            name.char_size == PyUnicode_KIND(text)
            and name.size == <size_t> PyUnicode_GET_LENGTH(text) * name.char_size
            and same_bytes(name.data, <const char*> PyUnicode_DATA(text), name.size)
        )
    )


cdef inline const Name* find_name(const Names* names, PyObject* key) noexcept:
    cdef Py_hash_t hash = text_hash(key)
    cdef size_t at = <size_t> hash & names.mask
    cdef const Name* slot = &names.slots[at]
    while slot.text != NULL:
        if slot.hash == hash and is_name(slot, key):
            return slot
        at = (at + 1) & names.mask
        slot = &names.slots[at]
    return NULL
