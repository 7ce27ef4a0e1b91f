# cython: auto_pickle=False
"""The record of one failure: data first, words later. Its fields are described in failure.pxd."""


cdef class Failure:
    """One keyword that a value failed."""

    cdef bint repeats(self, str keyword, object subschema, object instance, tuple path, object detail, bint of_name):
        """Is it the same keyword in the same place of the schema, with the same to say of the same value?"""
        return (
            self.subschema is subschema
            and self.keyword == keyword
            and self.path == path
            and self.of_name == of_name
            and self.detail == detail
            and (not of_name or self.instance == instance)
        )
