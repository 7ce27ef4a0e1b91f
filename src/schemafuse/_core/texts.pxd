cpdef quoted(text, Py_ssize_t room)
cpdef beginning(text, Py_ssize_t size)
cpdef plain_pointer(tuple path, bint of_names=*)
