cpdef recall(make, subschema)
cpdef recall_of(make, subschema, str keyword)
