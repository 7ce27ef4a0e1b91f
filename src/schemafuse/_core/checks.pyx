# cython: binding=False, auto_pickle=False
"""One check: a plan, its limits and an instance in, the verdict out. The native base of `schemafuse.Validator`."""

from libc.stdint cimport int64_t, uint32_t

from .evaluator cimport COVERING, visit
from .memo cimport release
from .meter cimport CHECKPOINT, State, at_checkpoint, now
from .plan cimport Plan
from .values cimport PyObject, kind_of


# The pattern engines take no longer timeout; to them a larger one is none, or an error.
cdef double LONGEST_SECONDS = 1e8
# The share of `max_time_ms` for what follows on a check, its words say: both end within twice that time.
cdef double AFTERWARDS = 0.75


cdef class Evaluator:
    """A plan with the limits of a check. Holds no state between checks, so threads may share it."""

    def __init__(self, Plan plan, *, int64_t max_steps, int64_t max_memory_bytes, int64_t max_time_ms, int max_instance_depth):
        if plan.root < 0 or <uint32_t> plan.root >= plan.n_nodes:
            raise ValueError("the plan has no root")
        self.plan = plan
        self.max_steps = max_steps
        self.max_memory = max_memory_bytes
        self.max_seconds = min(max_time_ms / 1000.0, LONGEST_SECONDS)
        self.max_depth = max_instance_depth

    cdef void begin(self, State* st) noexcept:
        st.nodes = self.plan.nodes
        st.code = self.plan.code
        st.steps = 0
        st.max_steps = self.max_steps
        st.checkpoint = CHECKPOINT if CHECKPOINT <= self.max_steps else self.max_steps + 1
        st.frames = 0
        st.depth = 0
        st.max_depth = self.max_depth
        st.abort = 0
        st.shared = False
        st.holds = self.plan.runs_python
        st.container = NULL
        st.position = 0
        st.operation = 0
        st.table = NULL
        st.memory = 0
        st.charged = 0
        st.uncharged = 0
        st.max_memory = self.max_memory
        st.deadline = 0.0
        st.max_seconds = self.max_seconds
        st.bits = NULL
        st.trace = NULL
        st.kept = NULL

    cpdef double time_is_up(self):
        """When what follows on a check has to end, if it begins now: a reading of `time.perf_counter`."""
        return now() + self.max_seconds * AFTERWARDS

    def _ended_early(self, abort, path):
        """What `is_valid` answers or raises when a check ended early; the subclass knows the words."""
        raise RuntimeError(f"the check ended early: {abort}")

    def is_valid(self, instance, /):
        """Is the instance valid? Raises `BudgetExceeded` when there is no verdict."""
        cdef State st
        cdef bint result
        self.begin(&st)
        result = visit(&st, self.plan.root, <PyObject*> instance, kind_of(<PyObject*> instance), COVERING, NULL)
        if st.abort or (st.steps > st.max_steps and not at_checkpoint(&st)):
            _, _, abort, path = outcome(&st)
            return self._ended_early(abort, path)
        if st.table != NULL or st.bits != NULL:
            release(&st)
        return result

    def evaluate(self, instance, /):
        """Return `(verdict, steps, abort, path)`; with an abort other than 0 there is no verdict, and it happened at `path`."""
        cdef State st
        cdef bint result
        self.begin(&st)
        result = visit(&st, self.plan.root, <PyObject*> instance, kind_of(<PyObject*> instance), COVERING, NULL)
        if st.abort or (st.steps > st.max_steps and not at_checkpoint(&st)):
            return outcome(&st)
        if st.table != NULL or st.bits != NULL:
            release(&st)
        return result, st.steps, 0, ()


cdef tuple outcome(State* st):
    """What an ended check tells, its memory given back."""
    path = tuple(reversed(<list> st.trace)) if st.trace != NULL else ()
    release(st)
    return False, st.steps, st.abort, path
