# cython: auto_pickle=False
"""How far apart two short texts are, and which of many is nearest: for "did you mean".

Texts go in, a small integer or an index comes out. Bounded: what is long, or further apart than asked, is just "far".
"""

from cpython.object cimport PyObject

from cpython.unicode cimport Py_UNICODE_TOLOWER

from .values cimport PyUnicode_Check, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND

cdef extern from "Python.h":
    unsigned int PyUnicode_READ(int kind, void* data, Py_ssize_t index)

cdef enum:
    LONGEST = 64      # characters of texts that are compared at all
    LOOKED_AT = 200   # the same where only spellings are
    FAR = 1000

cdef dict JOINERS = dict.fromkeys(map(ord, " _-."))


cdef str plain(str text):
    """A name without what people vary in it: case, and how its words are joined."""
    return text[:LOOKED_AT].casefold().translate(JOINERS)


cdef inline unsigned char next_plain(const unsigned char* data, Py_ssize_t size, Py_ssize_t* position) noexcept:
    """The next character of a `plain` ASCII text; 0 at its end, as for a NUL, which `is_ascii` does not let through."""
    cdef unsigned char char
    while position[0] < size:
        char = data[position[0]]
        position[0] += 1
        if c'A' <= char <= c'Z':
            return char + 32
        if char not in (c' ', c'_', c'-', c'.'):
            return char
    return 0


cdef bint is_ascii(str text) noexcept:
    cdef const unsigned char* data = <const unsigned char*> PyUnicode_DATA(<PyObject*> text)
    cdef Py_ssize_t i
    if PyUnicode_KIND(<PyObject*> text) != 1:
        return False
    for i in range(min(PyUnicode_GET_LENGTH(<PyObject*> text), LOOKED_AT)):
        if not 0 < data[i] < 0x80:
            return False
    return True


cdef bint same_ascii(str a, str b) noexcept:
    cdef const unsigned char* data_a = <const unsigned char*> PyUnicode_DATA(<PyObject*> a)
    cdef const unsigned char* data_b = <const unsigned char*> PyUnicode_DATA(<PyObject*> b)
    cdef Py_ssize_t i = 0, j = 0
    cdef Py_ssize_t n = min(PyUnicode_GET_LENGTH(<PyObject*> a), LOOKED_AT)
    cdef Py_ssize_t m = min(PyUnicode_GET_LENGTH(<PyObject*> b), LOOKED_AT)
    cdef unsigned char char
    while True:
        char = next_plain(data_a, n, &i)
        if char != next_plain(data_b, m, &j):
            return False
        if not char:
            return True


def spelt_alike(str text not None, list candidates not None):
    """The candidates that differ from a text by no more than case, and by how their words are joined."""
    cdef bint ascii = is_ascii(text)
    found = []
    for candidate in candidates:
        if type(candidate) is not str:
            continue
        if ascii and is_ascii(<str> candidate):
            alike = same_ascii(text, <str> candidate)
        else:
            alike = plain(text) == plain(<str> candidate)
        if alike:
            found.append(candidate)
    return found


cdef int edits(str a, str b, int most) noexcept:
    """Insertions, deletions, substitutions and swaps of neighbours from `a` to `b`; FAR when more than `most`."""
    cdef int[3][LONGEST + 1] rows
    cdef int* before
    cdef int* above
    cdef int* row
    cdef int n = <int> len(a), m = <int> len(b)
    cdef int i, j, cost, best, value
    cdef unsigned int x, y
    cdef int kind_a = PyUnicode_KIND(<PyObject*> a), kind_b = PyUnicode_KIND(<PyObject*> b)
    cdef void* data_a = PyUnicode_DATA(<PyObject*> a)
    cdef void* data_b = PyUnicode_DATA(<PyObject*> b)
    if n > LONGEST or m > LONGEST or n - m > most or m - n > most:
        return FAR
    for j in range(m + 1):
        rows[0][j] = j
    for i in range(1, n + 1):
        row, above, before = rows[i % 3], rows[(i + 2) % 3], rows[(i + 1) % 3]
        row[0] = best = i
        x = PyUnicode_READ(kind_a, data_a, i - 1)
        for j in range(1, m + 1):
            y = PyUnicode_READ(kind_b, data_b, j - 1)
            cost = x != y
            value = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + cost)
            if i > 1 and j > 1 and cost and x == PyUnicode_READ(kind_b, data_b, j - 2):
                if y == PyUnicode_READ(kind_a, data_a, i - 2):
                    value = min(value, before[j - 2] + 1)
            row[j] = value
            best = min(best, value)
        if best > most:
            return FAR
    return rows[n % 3][m] if rows[n % 3][m] <= most else FAR


def beginning_like(str text not None, list candidates not None, Py_ssize_t letters, Py_ssize_t most):
    """The first candidates that begin with the same letters as a text, but for their case; at most so many."""
    cdef Py_ssize_t i
    found = []
    if len(text) >= letters:
        for candidate in candidates:
            if PyUnicode_GET_LENGTH(<PyObject*> candidate) < letters:
                continue
            for i in range(letters):
                if Py_UNICODE_TOLOWER((<str> candidate)[i]) != Py_UNICODE_TOLOWER(text[i]):
                    break
            else:
                found.append(candidate)
                if len(found) == most:
                    break
    return found


def nearest(str text not None, list candidates not None, int most):
    """Return `(indices of the candidates with the fewest edits, that number)`, of at most `most`; `([], most + 1)` if none."""
    cdef int best = most, distance
    found = []
    for index, candidate in enumerate(candidates):
        if not PyUnicode_Check(<PyObject*> candidate):
            continue
        distance = edits(text, <str> candidate, best)
        if distance < best or (distance == best and not found):
            best, found = distance, [index]
        elif distance == best:
            found.append(index)
    return found, best if found else most + 1
