cimport cython

@cython.locals(known=dict)
cpdef recall(make, subschema)
@cython.locals(known=dict)
cpdef recall_of(make, subschema, str keyword)
