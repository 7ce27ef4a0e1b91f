# The state of one check: what it may still spend, and why it ended early.
#
# Everything that a check does is paid in steps before it is done; the clock is read only now and then (`pay` reaching a
# checkpoint, or a pattern that can run long). Steps depend on the schema and the instance alone: no hash, no address and
# no probe of a table enters them.

from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from .plan cimport Instr, Node


cpdef enum Abort:
    NOTHING = 0
    OUT_OF_STEPS = 1
    OUT_OF_TIME = 2
    TOO_DEEP = 3
    OUT_OF_STACK = 4
    OUT_OF_MEMORY = 5
    NO_JSON = 6          # a value that is not JSON: the instance is invalid wherever that value stands
    OWN_MEMBER = 7       # a container that contains itself: not JSON either


cdef enum Verdict:
    ABSENT = 0
    RUNNING = 1
    TRUE = 2
    FALSE = 3


# Nested visits of one check. A visit takes at most some 450 bytes of C stack, so that all fit on a 256 KiB thread.
cpdef enum Frames:
    MAX_FRAMES = 400


cdef enum:
    CHECKPOINT = 10000   # steps between two looks at the clock


cdef struct Bits:        # which members or items of one container have been evaluated
    Bits* following      # all sets of a check are chained and freed at its end
    Py_ssize_t size
    uint64_t[1] words


cdef struct Entry:       # what is known of a node and a value
    uint64_t what        # node and mode, or one of the pseudo nodes of memo.pxd
    size_t container     # where the value stands: the container itself ...
    Py_ssize_t position  # ... with -1, or the container that a scalar stands in, with its position
    uint32_t epoch       # entries of earlier checks are free
    uint8_t verdict
    uint8_t charged      # whether its memory counts
    uint64_t extra       # the set of evaluated members (a Bits*), or a hash
    size_t first_container  # where the value stood when it was met first
    Py_ssize_t first_position


cdef struct Table:
    Entry* entries
    uint32_t mask
    uint32_t used
    uint32_t epoch


cdef struct State:
    const Node* nodes
    const Instr* code
    int64_t steps
    int64_t checkpoint
    int64_t max_steps
    int32_t frames
    int32_t depth           # containers that are open above the current value
    int32_t max_depth
    int32_t abort
    bint shared             # inside a container that may occur more than once
    bint holds              # code of others may run meanwhile: keep alive what is looked at
    PyObject* container     # where the current value stands
    Py_ssize_t position
    uint64_t operation      # comparisons and hashings so far: what they remember holds for one of them
    Table* table
    int64_t memory
    int64_t max_memory
    int64_t charged         # entries whose memory counts ...
    int64_t uncharged       # ... and others
    Entry nowhere           # where nothing is remembered
    double deadline         # 0 until the clock has been started
    double max_seconds
    Bits* bits
    PyObject* trace         # list of path parts, innermost first, filled while an abort unwinds
    PyObject* kept          # list of the remembered containers, when `holds`


cdef double now() noexcept
cdef bint at_checkpoint(State* st) noexcept
cdef bint pay_whole(State* st, int64_t steps) noexcept
cdef double seconds_left(State* st) noexcept
cdef bint fail(State* st, int abort) noexcept
cdef void trace_part(State* st, PyObject* key, Py_ssize_t index) noexcept


cdef inline bint pay(State* st, int64_t steps) noexcept:
    """Charge steps; return False (with `abort` set) when a budget is spent."""
    st.steps += steps
    return True if st.steps < st.checkpoint else at_checkpoint(st)


cdef inline bint pay_every(State* st, Py_ssize_t count, int shift) noexcept:
    """Charge one step for each 2**shift of a running count; call it at every count."""
    return pay(st, (count & ((1 << shift) - 1)) == 0)
