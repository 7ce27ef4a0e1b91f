"""The content of a schema as bytes: the key under which a cache may remember what became of it.

Comes in: any Python object. Goes out: bytes that are equal exactly when two objects are the same JSON value written the
same way (member order and `1` against `1.0` included), or None when the object is not JSON, too deep or too large; and
from such bytes, the value again, built of exact builtin types.
Writing never runs Python code that a schema could bring along: subclasses are read as what they are built on, nothing is
hashed or compared, and no reference is dropped. The interpreter lock is held all the way, so nothing changes midway.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.object cimport PyObject
from libc.math cimport isfinite
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy


# The C-API again with borrowed pointers: as `object`, each of these would count references.
cdef extern from "Python.h":
    PyObject* Py_None
    PyObject* Py_True
    PyObject* Py_False
    bint PyUnicode_Check(PyObject*)
    int PyUnicode_READY(PyObject*) except -1
    int PyUnicode_KIND(PyObject*)
    void* PyUnicode_DATA(PyObject*)
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject*)
    bint PyDict_Check(PyObject*)
    Py_ssize_t PyDict_Size(PyObject*)
    bint PyDict_Next(PyObject*, Py_ssize_t*, PyObject**, PyObject**)
    bint PyList_Check(PyObject*)
    Py_ssize_t PyList_GET_SIZE(PyObject*)
    PyObject* PyList_GET_ITEM(PyObject*, Py_ssize_t)
    bint PyTuple_Check(PyObject*)
    Py_ssize_t PyTuple_GET_SIZE(PyObject*)
    PyObject* PyTuple_GET_ITEM(PyObject*, Py_ssize_t)
    bint PyLong_Check(PyObject*)
    long long PyLong_AsLongLongAndOverflow(PyObject*, int*) except? -1
    bint PyFloat_Check(PyObject*)
    double PyFloat_AS_DOUBLE(PyObject*)
    str PyUnicode_FromKindAndData(int, const void*, Py_ssize_t)


# A tag comes first and says what follows. A string's tag is STRING plus its bytes per character (1, 2 or 4), which its
# content determines (PEP 393). A length is one byte, or LONG and eight bytes. So every part knows where it ends, and no
# two values have the same bytes.
cdef enum Tag:
    NULL_VALUE = 1
    TRUE_VALUE
    FALSE_VALUE
    INTEGER
    BIG_INTEGER
    FLOAT
    ARRAY
    TUPLE
    OBJECT
    STRING = 16

cdef enum:
    LONG = 255
    INLINE_BYTES = 2048
    # Frames of `write_value` that fit on a thread with a stack of 256 KiB, with room to spare.
    DEEPEST = 512

cdef struct Writer:
    char* data
    size_t used
    size_t room
    size_t most
    char* grown     # NULL while the bytes are still on the C stack


cdef bint make_room(Writer* out, size_t size) noexcept:
    """Make sure that `size` more bytes fit; false when they would be too many, or there is no memory."""
    cdef size_t room
    cdef char* data
    if size > out.most - out.used:
        return False
    room = 2 * (out.used + size)
    data = <char*> malloc(room)
    if data == NULL:
        return False
    memcpy(data, out.data, out.used)
    free(out.grown)
    out.data = out.grown = data
    out.room = room
    return True


cdef inline bint write_head(Writer* out, unsigned char tag, size_t length, size_t following) noexcept:
    """Write a tag and a length; `following` bytes are to come and have room afterwards."""
    cdef size_t size = 10 + following
    # `used` never exceeds `room` or `most`, and a length in memory is far below 2**62: no sum here wraps.
    if size > out.room - out.used or size > out.most - out.used:
        if not make_room(out, size):
            return False
    out.data[out.used] = <char> tag
    if length < LONG:
        out.data[out.used + 1] = <char> length
        out.used += 2
    else:
        out.data[out.used + 1] = <char> LONG
        memcpy(out.data + out.used + 2, &length, sizeof(size_t))
        out.used += 2 + sizeof(size_t)
    return True


cdef inline bint write_string(Writer* out, PyObject* text) except -1:
    cdef size_t length, size
    cdef int kind
    PyUnicode_READY(text)
    length = PyUnicode_GET_LENGTH(text)
    kind = PyUnicode_KIND(text)
    size = length * kind
    if not write_head(out, <unsigned char> (STRING + kind), length, size):
        return False
    memcpy(out.data + out.used, PyUnicode_DATA(text), size)
    out.used += size
    return True


cdef bint write_integer(Writer* out, PyObject* value) except -1:
    cdef int overflow = 0
    cdef long long small = PyLong_AsLongLongAndOverflow(value, &overflow)
    cdef Py_ssize_t size
    cdef bytes digits
    if not overflow:
        if not write_head(out, INTEGER, 0, sizeof(small)):
            return False
        memcpy(out.data + out.used, &small, sizeof(small))
        out.used += sizeof(small)
        return True
    # Rare. These are functions of `int` itself, written in C: they run nothing of a subclass.
    size = int.bit_length(<object> value) // 8 + 1
    if <size_t> size > out.most - out.used:
        return False
    digits = int.to_bytes(<object> value, size, "little", signed=True)
    if not write_head(out, BIG_INTEGER, size, size):
        return False
    memcpy(out.data + out.used, <char*> digits, size)
    out.used += size
    return True


cdef bint write_float(Writer* out, double value) noexcept:
    if not isfinite(value) or not write_head(out, FLOAT, 0, sizeof(value)):
        return False
    memcpy(out.data + out.used, &value, sizeof(value))
    out.used += sizeof(value)
    return True


cdef bint write_object(Writer* out, PyObject* value, int levels) except -1:
    cdef Py_ssize_t position = 0
    cdef PyObject* name
    cdef PyObject* member
    if levels == 0 or not write_head(out, OBJECT, PyDict_Size(value), 0):
        return False
    while PyDict_Next(value, &position, &name, &member):
        if not PyUnicode_Check(name) or not write_string(out, name):
            return False
        if not write_value(out, member, levels - 1):
            return False
    return True


cdef bint write_value(Writer* out, PyObject* value, int levels) except -1:
    """Write a value, containers at most `levels` deep; false when it cannot be written."""
    cdef Py_ssize_t index, length
    if PyUnicode_Check(value):
        return write_string(out, value)
    if PyDict_Check(value):
        return write_object(out, value, levels)
    if PyList_Check(value):
        length = PyList_GET_SIZE(value)
        if levels == 0 or not write_head(out, ARRAY, length, 0):
            return False
        for index in range(length):
            if not write_value(out, PyList_GET_ITEM(value, index), levels - 1):
                return False
        return True
    if value == Py_True:
        return write_head(out, TRUE_VALUE, 0, 0)
    if value == Py_False:
        return write_head(out, FALSE_VALUE, 0, 0)
    if value == Py_None:
        return write_head(out, NULL_VALUE, 0, 0)
    if PyLong_Check(value):
        return write_integer(out, value)
    if PyFloat_Check(value):
        return write_float(out, PyFloat_AS_DOUBLE(value))
    if PyTuple_Check(value):
        length = PyTuple_GET_SIZE(value)
        if levels == 0 or not write_head(out, TUPLE, length, 0):
            return False
        for index in range(length):
            if not write_value(out, PyTuple_GET_ITEM(value, index), levels - 1):
                return False
        return True
    return False


def content_key(object schema, Py_ssize_t max_bytes, int max_depth):
    """Return the content of `schema` as bytes, or None when it is no JSON value within the limits.

    At most `max_bytes` bytes; containers at most `max_depth` levels deep (never more than 512, whatever is asked).
    """
    cdef char start[INLINE_BYTES]
    cdef Writer out
    out.data = start
    out.used = 0
    out.room = INLINE_BYTES
    out.most = max(max_bytes, 0)
    out.grown = NULL
    try:
        if write_value(&out, <PyObject*> schema, min(max(max_depth, 0), DEEPEST)):
            return PyBytes_FromStringAndSize(out.data, out.used)
        return None
    finally:
        free(out.grown)


cdef size_t read_length(const unsigned char** at) noexcept:
    cdef size_t length = at[0][0]
    at[0] += 1
    if length == LONG:
        memcpy(&length, at[0], sizeof(length))
        at[0] += sizeof(length)
    return length


cdef str read_string(const unsigned char** at, int kind, size_t length):
    # In a key, characters of two or four bytes stand at any address; a bytes object of their own starts at an aligned one.
    cdef bytes aligned
    cdef const void* data = at[0]
    if kind > 1:
        aligned = (<const char*> at[0])[:length * kind]
        data = PyBytes_AS_STRING(aligned)
    at[0] += length * kind
    return PyUnicode_FromKindAndData(kind, data, length)


cdef object read_scalar(const unsigned char** at, unsigned char tag, size_t length):
    cdef long long small
    cdef double real
    cdef object value
    if tag > STRING:
        value = read_string(at, tag - STRING, length)
    elif tag == INTEGER:
        memcpy(&small, at[0], sizeof(small))
        at[0] += sizeof(small)
        value = small
    elif tag == FLOAT:
        memcpy(&real, at[0], sizeof(real))
        at[0] += sizeof(real)
        value = real
    elif tag == BIG_INTEGER:
        value = int.from_bytes((<const char*> at[0])[:length], "little", signed=True)
        at[0] += length
    else:
        value = None if tag == NULL_VALUE else tag == TRUE_VALUE
    return value


cdef object read_value(const unsigned char** at):
    cdef unsigned char tag = at[0][0]
    cdef size_t length, index
    cdef dict members
    cdef list items
    at[0] += 1
    length = read_length(at)
    if tag == OBJECT:
        members = {}
        for index in range(length):
            name = read_value(at)
            members[name] = read_value(at)
        return members
    if tag == ARRAY or tag == TUPLE:
        items = [read_value(at) for index in range(length)]
        return items if tag == ARRAY else tuple(items)
    return read_scalar(at, tag, length)


def content_of(bytes key not None):
    """Return the value that `content_key` wrote. For its results only: other bytes are undefined behaviour."""
    cdef const unsigned char* at = <const unsigned char*> PyBytes_AS_STRING(key)
    return read_value(&at)


def copied(value):
    """Return a copy of an admitted JSON value; unlike `copy.deepcopy`, it takes no Python frame for a level."""
    return content_of(content_key(value, 1 << 62, 1 << 10))
