from libc.stdint cimport int32_t, int64_t

from .checks cimport Evaluator

cpdef int64_t steps_to_accept(Evaluator evaluator, int32_t node, value, int64_t max_steps, double deadline) except 0
