# What the explainer finds, and everything that is told is made of.

from libc.stdint cimport uint32_t


cdef class Failure:
    """One keyword that a value failed."""

    cdef readonly str keyword          # None for a `false` schema
    cdef readonly object subschema     # the Subschema that holds the keyword
    cdef readonly object instance
    cdef readonly tuple path           # of the instance
    cdef readonly tuple evaluation     # tokens of the evaluation path, the keyword included
    cdef readonly object detail        # what the keyword's words need besides; by keyword
    cdef readonly list context         # failures of the branch judged, for anyOf and oneOf
    cdef readonly bint of_name         # the instance is the name of a property of the object at `path`
    cdef readonly int entry            # the node through which the value at `path` is judged
    cdef readonly object holder        # the array or object that the value at `path` stands in, None at the root
    cdef readonly int holder_entry     # the node through which that one is judged
    cdef readonly object container     # the Subschema that applies that node to the member, None at the root
    cdef readonly tuple alternative    # of the innermost union around it: (Subschema, keyword, index), or None
    cdef readonly uint32_t instruction
    cdef readonly bint covered         # the failures in `context` stand before it in their own right
