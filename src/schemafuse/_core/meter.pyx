"""The slow side of the meter: checkpoints, the clock, and the trace of an abort."""

from time import perf_counter as _perf_counter

from cpython.ref cimport Py_INCREF as Py_INCREF_

cdef extern from "Python.h":
    PyObject* _call "PyObject_CallNoArgs"(PyObject*)
    double PyFloat_AS_DOUBLE(PyObject*)
    void Py_DECREF(PyObject*)
    void PyErr_Clear()

# What a step of work that nothing stops takes at most, on a slow machine: long division, formats, simple patterns.
cdef double SECONDS_A_STEP = 2e-7

cdef object perf_counter = _perf_counter

cdef double now() noexcept:
    # A C function called from C: no bytecode runs, so no other thread gets its turn here.
    cdef PyObject* reading = _call(<PyObject*> perf_counter)
    if reading == NULL:
        PyErr_Clear()
        return 0.0
    cdef double seconds = PyFloat_AS_DOUBLE(reading)
    Py_DECREF(reading)
    return seconds

cdef bint fail(State* st, int abort) noexcept:
    """End the check; the first reason stays. Returns False so that callers can return it."""
    if not st.abort:
        st.abort = abort
    return False

cdef double seconds_left(State* st) noexcept:
    """Start the clock, or read it."""
    cdef double time = now()
    if st.deadline == 0.0:
        st.deadline = time + st.max_seconds
    return st.deadline - time

cdef bint at_checkpoint(State* st) noexcept:
    if st.abort:
        return False
    if st.steps > st.max_steps:
        st.steps = st.max_steps  # what was asked for last has not been paid
        return fail(st, OUT_OF_STEPS)
    if st.steps >= CHECKPOINT and seconds_left(st) <= 0:
        return fail(st, OUT_OF_TIME)
    st.checkpoint = min(st.steps + CHECKPOINT, st.max_steps + 1)
    return True

cdef bint pay_whole(State* st, int64_t steps) noexcept:
    """Charge work that nothing stops halfway: what may take longer than the time that is left is not begun."""
    if steps > CHECKPOINT and steps * SECONDS_A_STEP > seconds_left(st):
        return fail(st, OUT_OF_STEPS if st.steps + steps > st.max_steps else OUT_OF_TIME)
    return pay(st, steps)

cdef void trace_part(State* st, PyObject* key, Py_ssize_t index) noexcept:
    """Note one part of the path from the root to where the check ended. Called while it unwinds."""
    cdef list trace
    try:
        if st.trace == NULL:
            trace = []
            Py_INCREF_(trace)
            st.trace = <PyObject*> trace
        trace = <list> st.trace
        trace.append(str.__str__(<object> key) if key != NULL else index)
    except BaseException:  # out of memory: the path stays incomplete
        pass
