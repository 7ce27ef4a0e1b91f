from libc.stdint cimport int32_t, int64_t

from .checks cimport Evaluator

cpdef int64_t steps_to_accept(Evaluator evaluator, int32_t node, value, int64_t max_steps, double deadline) except 0
cpdef tuple explain(Evaluator evaluator, instance, Py_ssize_t max_failures, double deadline)
cpdef tuple failures_within(Evaluator evaluator, instance, Py_ssize_t max_failures, int64_t max_steps, double deadline)
