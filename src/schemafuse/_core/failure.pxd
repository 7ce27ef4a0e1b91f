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
    cdef readonly list context         # failures of the branch judged, for anyOf and oneOf; for contains, of the item that comes near
    cdef readonly bint of_name         # the instance is the name of a property of the object at `path`
    cdef readonly int entry            # the node through which the value at `path` is judged
    cdef readonly object holder        # the array or object that the value at `path` stands in, None at the root
    cdef readonly int holder_entry     # the node through which that one is judged
    cdef readonly object container     # the Subschema that applies that node to the member, None at the root
    cdef readonly tuple union          # the innermost one around it: (Subschema, keyword, path of its value), or None
    cdef readonly tuple alternative    # the branch of it that was judged: (Subschema, keyword, index); None where several are
                                       # as near
    cdef readonly tuple condition      # the innermost one by which it applies: (Subschema of `if` or name of a property,
                                       # whether it holds, path of its value, kind of that as a bit), or None
    cdef readonly uint32_t instruction
    cdef readonly bint covered         # the failures in `context` stand before it in their own right
    cdef readonly Py_ssize_t doubt     # levels of the path to the outermost union of which a branch was merely guessed, or -1
    cdef readonly list rivals          # the subschemas by which other branches, as near, fail in the same place, or None

    cdef bint repeats(self, str keyword, object subschema, object instance, tuple path, object detail, bint of_name)
