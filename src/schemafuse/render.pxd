from ._core.texts cimport beginning, plain_pointer, quoted

cpdef quote_text(text, Py_ssize_t max_chars=*)
cpdef quote(value, Py_ssize_t max_chars=*)
cpdef json_pointer(tuple path)
cpdef place(tuple path, Py_ssize_t max_chars=*)
