# cython: auto_pickle=False
"""The record of one failure: data first, words later. Its fields are described in failure.pxd."""


cdef class Failure:
    """One keyword that a value failed."""
