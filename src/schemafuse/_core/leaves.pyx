"""Patterns and formats of one text.

Comes in: a matcher or a format check of the plan, and a text. Goes out: yes or no, or an ended check. The time that an
engine can take is charged before it is called; one that could take longer runs against the clock.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from .costs cimport MATCH, WEIGHT_SHIFT
from .meter cimport OUT_OF_MEMORY, OUT_OF_TIME, fail, pay, pay_whole, seconds_left
from .plan cimport Atom, LITERAL_ANY, LITERAL_CONTAINS, LITERAL_EXACT, LITERAL_PREFIX, LITERAL_SUFFIX, SEQUENCE
from .values cimport (
    Py_DECREF, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, exact_text, same_text,
)

cdef extern from "Python.h":
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index)
    Py_ssize_t PyUnicode_Tailmatch(PyObject*, PyObject*, Py_ssize_t, Py_ssize_t, int)
    Py_ssize_t PyUnicode_Find(PyObject*, PyObject*, Py_ssize_t, Py_ssize_t, int)
    PyObject* PyObject_Vectorcall(PyObject*, PyObject**, size_t, PyObject*)
    PyObject* PyFloat_FromDouble(double)
    int PyObject_IsTrue(PyObject*)
    int PyErr_GivenExceptionMatches(PyObject*, PyObject*)
    void PyErr_Fetch(PyObject**, PyObject**, PyObject**)
    void Py_XDECREF(PyObject*)
    size_t PY_VECTORCALL_ARGUMENTS_OFFSET
    Py_ssize_t PY_SSIZE_T_MAX

cdef Py_ssize_t TO_THE_END = PY_SSIZE_T_MAX

# Before its clock starts, the engine reads the text: 2 to 20 ns a character.
cdef double SECONDS_TO_READ = 2e-8

cdef tuple timeout_keyword = ("timeout",)


cdef bint matches(State* st, const Matcher* matcher, PyObject* text) noexcept:
    """Does the pattern match anywhere in the text (Validation 6.3.3)?"""
    cdef int64_t steps = MATCH + (<int64_t> PyUnicode_GET_LENGTH(text) * matcher.weight >> WEIGHT_SHIFT)
    if not (pay_whole(st, steps) if matcher.linear else pay(st, steps)):
        return False
    if matcher.form == SEQUENCE:
        return matches_sequence(matcher, text)
    if matcher.form == LITERAL_ANY:
        return True
    if matcher.form == LITERAL_EXACT:
        return same_text(matcher.literal, text)
    if matcher.form == LITERAL_PREFIX:
        return PyUnicode_Tailmatch(text, matcher.literal, 0, TO_THE_END, -1) == 1
    if matcher.form == LITERAL_SUFFIX:
        return PyUnicode_Tailmatch(text, matcher.literal, 0, TO_THE_END, 1) == 1
    if matcher.form == LITERAL_CONTAINS:
        return PyUnicode_Find(text, matcher.literal, 0, TO_THE_END, 1) >= 0
    return searches(st, matcher, text)


cdef bint matches_sequence(const Matcher* matcher, PyObject* text) noexcept:
    """Each atom takes all that it can; the lowering saw to it that none ever has to give anything back."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t at = 0, start, most
    cdef const Atom* atom
    cdef uint32_t code
    cdef uint32_t i
    for i in range(matcher.n_atoms):
        atom = &matcher.atoms[i]
        start = at
        most = length if atom.most < 0 or atom.most > length - start else start + atom.most
        while at < most:
            code = PyUnicode_READ(kind, data, at)
            if code >= 128:
                if not atom.beyond:
                    break
            elif not atom.members[code >> 6] >> (code & 63) & 1:
                break
            at += 1
        if at - start < atom.least:
            return False
    return at == length or not matcher.whole


cdef bint searches(State* st, const Matcher* matcher, PyObject* text) noexcept:
    """Let the engine decide, for as long as time is left."""
    cdef double seconds = st.max_seconds
    cdef PyObject* search
    cdef PyObject* arguments[4]
    cdef PyObject* answer = NULL
    if not matcher.linear:
        seconds = seconds_left(st)
    if seconds <= PyUnicode_GET_LENGTH(text) * SECONDS_TO_READ:
        return fail(st, OUT_OF_TIME)
    arguments[0] = NULL
    arguments[1] = exact_text(text)
    arguments[2] = PyFloat_FromDouble(seconds)
    if arguments[1] != NULL and arguments[2] != NULL:
        # A text of bytes holds no lone surrogates, on which the engine would spend time before its clock starts.
        search = matcher.search if PyUnicode_KIND(arguments[1]) == 1 else matcher.search_wide
        answer = PyObject_Vectorcall(
            search, &arguments[1], 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, <PyObject*> timeout_keyword
        )
    if arguments[1] != NULL:
        Py_DECREF(arguments[1])
    if arguments[2] != NULL:
        Py_DECREF(arguments[2])
    return truth_of(st, answer, matcher.timeouts)


cdef bint has_format(State* st, const FormatCheck* format_check, PyObject* text) noexcept:
    """Has the text the format (Validation 7)?"""
    cdef PyObject* arguments[2]
    cdef PyObject* answer = NULL
    if not pay_whole(st, MATCH + (<int64_t> PyUnicode_GET_LENGTH(text) * format_check.weight >> WEIGHT_SHIFT)):
        return False
    arguments[0] = NULL
    arguments[1] = exact_text(text)
    if arguments[1] != NULL:
        answer = PyObject_Vectorcall(format_check.check, &arguments[1], 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL)
        Py_DECREF(arguments[1])
    return truth_of(st, answer, NULL)


cdef bint truth_of(State* st, PyObject* answer, PyObject* timeouts) noexcept:
    """The answer of a call, a stolen reference; without one the engine gave up, for time or for a bound of its own."""
    cdef bint result
    cdef PyObject* kind = NULL
    cdef PyObject* error = NULL
    cdef PyObject* traceback = NULL
    if answer == NULL:
        PyErr_Fetch(&kind, &error, &traceback)
        result = timeouts != NULL and kind != NULL and PyErr_GivenExceptionMatches(kind, timeouts)
        result = result and not is_of_memory(error)
        Py_XDECREF(kind)
        Py_XDECREF(error)
        Py_XDECREF(traceback)
        return fail(st, OUT_OF_TIME if result else OUT_OF_MEMORY)
    result = PyObject_IsTrue(answer) == 1
    Py_DECREF(answer)
    return result


cdef bint is_of_memory(PyObject* error) noexcept:
    """Does what an engine raised at a limit, or the text that it is to be raised with, speak of memory? The ECMA-262 engine
    has one exception for all of its limits."""
    try:
        return error != NULL and (isinstance(<object> error, MemoryError) or "memory" in str(<object> error))
    except BaseException:  # out of memory
        return True
