# cython: auto_pickle=False
"""How far apart two short texts are, and which of many is nearest: for "did you mean".

Texts go in, a small integer or an index comes out. Bounded: what is long, or further apart than asked, is just "far".
"""

from cpython.object cimport PyObject

from .values cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND

cdef extern from "Python.h":
    unsigned int PyUnicode_READ(int kind, void* data, Py_ssize_t index)

cdef enum:
    LONGEST = 64      # characters of texts that are compared at all
    FAR = 1000


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


def nearest(str text not None, list candidates not None, int most):
    """Return `(indices of the candidates with the fewest edits, that number)`, of at most `most`; `([], most + 1)` if none."""
    cdef int best = most, distance
    found = []
    for index, candidate in enumerate(candidates):
        distance = edits(text, <str> candidate, best)
        if distance < best or (distance == best and not found):
            best, found = distance, [index]
        elif distance == best:
            found.append(index)
    return found, best if found else most + 1
