"""Equality, order, divisibility and hashing of JSON values: exact, charged before it is done, never by a value's own methods.

Numbers are equal when they are mathematically equal (Core 4.2.2): 1 and 1.0, but never a boolean. For `multipleOf` a
float stands for the shortest decimal that reads back as it, which is what the JSON text said: 0.7 is a multiple of 0.1.
"""

from os import urandom

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport uint32_t
from libc.string cimport memcpy

from .costs cimport BITS_SHIFT, DECIMAL, DIVISION_SHIFT, HASHING, LONG_TEXT_SHIFT, MEMBERS_SHIFT, PAIR, UNIQUE_ITEM
from .memo cimport EQUALS, HASHED, charge, lookup, release
from .meter cimport (
    FALSE, MAX_FRAMES, NO_JSON, OUT_OF_MEMORY, OUT_OF_STACK, OWN_MEMBER, RUNNING, TOO_DEEP, TRUE, Entry, fail, pay,
    pay_whole,
)
from .plan cimport EXCLUSIVE_MAXIMUM, EXCLUSIVE_MINIMUM, MAXIMUM, MINIMUM

cdef extern from "Python.h":
    int64_t PyLong_AsLongLongAndOverflow(PyObject*, int*)
    void PyErr_Clear()
    PyObject* PyUnicode_FromObject(PyObject*)
    PyObject* PyDict_GetItemWithError(PyObject*, PyObject*)

cdef enum:
    EXACT_BITS = 53             # integers of up to so many bits are exact as doubles
    PAIRWISE = 6                # arrays of up to so many scalars are compared pair by pair

# Hash values must not be predictable from outside, or `uniqueItems` could be flooded; nothing visible depends on them.
cdef uint64_t secret = int.from_bytes(urandom(8), "little") | 1


cdef int kind_of_subclass(PyObject* value) noexcept:
    if PyUnicode_Check(value):
        return STRING
    if PyLong_Check(value):  # bool cannot be subclassed
        return INTEGER
    if PyDict_Check(value):
        return OBJECT
    if PyList_Check(value) or PyTuple_Check(value):
        return ARRAY
    if PyFloat_Check(value):
        return kind_of_double(PyFloat_AS_DOUBLE(value))
    return NOT_JSON


cdef PyObject* exact_text(PyObject* text) noexcept:
    """A new reference to an exact `str` of the same content; NULL when there is no memory for it."""
    if PyUnicode_CheckExact(text):
        Py_INCREF(text)
        return text
    cdef PyObject* copy = PyUnicode_FromObject(text)
    if copy == NULL:
        PyErr_Clear()
    return copy


# --- numbers -----------------------------------------------------------------------------------------------------------


cdef object exact_number(PyObject* value):
    """The number as exact int or float; `int.__pos__` and arithmetic are C, so no code of a subclass runs."""
    if PyLong_Check(value):
        return int.__pos__(<object> value)
    return PyFloat_AS_DOUBLE(value)


cdef bint pay_digits(State* st, object number) noexcept:
    """Charge arithmetic on a big integer by its size."""
    cdef int64_t bits
    try:
        bits = number.bit_length() if isinstance(number, int) else 64
    except BaseException:
        return fail(st, OUT_OF_MEMORY)
    return pay(st, bits >> BITS_SHIFT)


cdef bint in_order(int op, int sign) noexcept:
    """Does a value that compares to the bound as `sign` says satisfy the keyword?"""
    if op == MINIMUM:
        return sign >= 0
    if op == MAXIMUM:
        return sign <= 0
    if op == EXCLUSIVE_MINIMUM:
        return sign > 0
    return sign < 0


cdef bint compares(State* st, int op, PyObject* value, const Number* bound) noexcept:
    """`minimum`, `maximum` and the exclusive ones (Validation 6.2), exact for all sizes."""
    cdef int overflow = 0
    cdef int64_t number
    cdef double real
    if PyLong_Check(value):
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow:
            if bound.is_int64:
                return in_order(op, (number > bound.as_int64) - (number < bound.as_int64))
            if bound.is_double and -(<int64_t> 1 << EXACT_BITS) <= number <= (<int64_t> 1 << EXACT_BITS):
                return in_order(op, (number > bound.as_double) - (number < bound.as_double))
    elif bound.is_double:
        real = PyFloat_AS_DOUBLE(value)
        return in_order(op, (real > bound.as_double) - (real < bound.as_double))
    return compares_exactly(st, op, value, bound)


cdef bint compares_exactly(State* st, int op, PyObject* value, const Number* bound) noexcept:
    try:
        number = exact_number(value)
        if not pay_digits(st, number):
            return False
        limit = <object> bound.exact
        return in_order(op, (number > limit) - (number < limit))
    except BaseException:
        return fail(st, OUT_OF_MEMORY)


cdef bint is_multiple(State* st, PyObject* value, const Number* divisor) noexcept:
    """`multipleOf` (Validation 6.2.1)."""
    cdef int overflow = 0
    cdef int64_t number
    cdef double real
    if divisor.is_int64 and PyLong_Check(value):
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow:
            # -1 apart, since the smallest integer has no positive counterpart to divide by.
            return divisor.as_int64 == -1 or number % divisor.as_int64 == 0
    elif divisor.is_int64:
        real = PyFloat_AS_DOUBLE(value)
        if floor(real) != real:
            return False
        if -9007199254740992.0 <= real <= 9007199254740992.0:
            return divisor.as_int64 == -1 or <int64_t> real % divisor.as_int64 == 0
    try:
        return is_decimal_multiple(st, exact_number(value), <object> divisor.exact)
    except BaseException:
        return fail(st, OUT_OF_MEMORY)


cdef bint is_decimal_multiple(State* st, object number, object divisor) except -1:
    if not number:
        return True
    if not pay_digits(st, number) or not pay_digits(st, divisor) or not pay(st, DECIMAL):
        return False
    mantissa, exponent = decimal_parts(number)
    divisor_mantissa, divisor_exponent = decimal_parts(divisor)
    cdef int shift = exponent - divisor_exponent
    if shift < 0:
        # The powers of ten lie between those of the largest and the smallest float, 10**308 and 10**-324 with 17 digits.
        divisor_mantissa *= pow(10, <object> -shift)
    if not pay_division(st, mantissa, divisor_mantissa):
        return False
    if shift <= 0:
        return mantissa % divisor_mantissa == 0
    return mantissa % divisor_mantissa * pow(10, shift, divisor_mantissa) % divisor_mantissa == 0


cdef bint pay_division(State* st, object number, object divisor) except -1:
    """Charge a long division: the bits of the quotient times those of the divisor."""
    cdef int64_t bits = divisor.bit_length()
    cdef int64_t more = number.bit_length() - bits
    return pay_whole(st, more * bits >> DIVISION_SHIFT if more > 0 else 0)


cdef tuple decimal_parts(object number):
    """A number as mantissa and decimal exponent."""
    if type(number) is int:
        return abs(number), 0
    digits, _, exponent = float.__repr__(abs(number)).partition("e")
    whole, _, fraction = digits.partition(".")
    mantissa = int(whole + fraction)
    power = int(exponent or 0) - len(fraction)
    while mantissa % 10 == 0:
        mantissa //= 10
        power += 1
    return mantissa, power


cdef bint number_in(State* st, PyObject* value, int kind, const Numbers* numbers) noexcept:
    """Is the number one of those of an `enum`?"""
    cdef int overflow = 0
    cdef int64_t number
    cdef double real
    cdef uint32_t i
    if kind == NUMBER:
        return has_double(numbers, PyFloat_AS_DOUBLE(value))
    if kind == INTEGER:
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow:
            return has_int(numbers, number)
    else:
        real = PyFloat_AS_DOUBLE(value)
        if -9223372036854775808.0 <= real < 9223372036854775808.0:
            return has_int(numbers, <int64_t> real)
    if numbers.n_others == 0:
        return False
    try:
        exact = exact_number(value)
        for i in range(numbers.n_others):
            if not pay_digits(st, exact) or not pay(st, PAIR):
                return False
            if exact == <object> numbers.others[i]:
                return True
    except BaseException:
        return fail(st, OUT_OF_MEMORY)
    return False


cdef bint has_int(const Numbers* numbers, int64_t number) noexcept:
    cdef uint32_t low = 0, high = numbers.n_ints, middle
    while low < high:
        middle = (low + high) // 2
        if numbers.ints[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low < numbers.n_ints and numbers.ints[low] == number


cdef bint has_double(const Numbers* numbers, double number) noexcept:
    cdef uint32_t low = 0, high = numbers.n_doubles, middle
    while low < high:
        middle = (low + high) // 2
        if numbers.doubles[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low < numbers.n_doubles and numbers.doubles[low] == number


cdef bint equal_numbers(State* st, PyObject* a, PyObject* b) noexcept:
    cdef int overflow_a = 0, overflow_b = 0
    cdef int64_t x, y
    if PyFloat_Check(a) and PyFloat_Check(b):
        return PyFloat_AS_DOUBLE(a) == PyFloat_AS_DOUBLE(b)
    if PyLong_Check(a) and PyLong_Check(b):
        x = PyLong_AsLongLongAndOverflow(a, &overflow_a)
        y = PyLong_AsLongLongAndOverflow(b, &overflow_b)
        if not overflow_a and not overflow_b:
            return x == y
        if overflow_a != overflow_b:
            return False
    try:
        first, second = exact_number(a), exact_number(b)
        return pay_digits(st, first) and first == second
    except BaseException:
        return fail(st, OUT_OF_MEMORY)


# --- equality ----------------------------------------------------------------------------------------------------------


cdef inline int class_of(int kind) noexcept:
    """Kinds that can be equal to each other."""
    return INTEGER if INTEGER <= kind <= NUMBER else kind


cdef bint equal(State* st, PyObject* a, PyObject* b) noexcept:
    """Deep equality (Core 4.2.2). `a` is the instance; either may be shared and nested as they like."""
    cdef int kind_a = kind_of(a), kind_b = kind_of(b)
    if not pay(st, PAIR):
        return False
    if kind_a == NOT_JSON or kind_b == NOT_JSON:
        return fail(st, NO_JSON)
    if class_of(kind_a) != class_of(kind_b):
        return False
    if kind_a == STRING:
        # Comparing is linear in the length, but so fast that only megabytes matter.
        return a == b or (pay(st, PyUnicode_GET_LENGTH(a) >> LONG_TEXT_SHIFT) and same_text(a, b))
    if kind_a >= ARRAY:
        return equal_containers(st, a, b, kind_a)
    if kind_a == BOOLEAN or kind_a == NULL_VALUE:
        return a == b
    return equal_numbers(st, a, b)


cdef bint equal_containers(State* st, PyObject* a, PyObject* b, int kind) noexcept:
    if container_size(a, kind) != container_size(b, kind):
        return False
    # Graphs of shared containers have few pairs but many paths; one of a pair being shared brings it back.
    cdef bint shared = Py_REFCNT(a) > 1 or Py_REFCNT(b) > 1
    cdef Entry* entry
    cdef bint result
    if shared:
        entry = lookup(st, EQUALS | st.operation << 32, a, <Py_ssize_t> b, False)
        if entry == NULL:
            return False
        if entry.verdict == RUNNING:
            return fail(st, OWN_MEMBER)
        if entry.verdict:
            return charge(st, entry) and entry.verdict == TRUE
        entry.verdict = RUNNING
    if st.depth >= st.max_depth:
        return fail(st, TOO_DEEP)
    if st.frames >= MAX_FRAMES:
        return fail(st, OUT_OF_STACK)
    st.depth += 1
    st.frames += 1
    result = equal_arrays(st, a, b) if kind == ARRAY else equal_objects(st, a, b)
    st.depth -= 1
    st.frames -= 1
    if shared:
        entry = lookup(st, EQUALS | st.operation << 32, a, <Py_ssize_t> b, False)
        if entry != NULL:
            entry.verdict = TRUE if result else FALSE
    return result


cdef bint equal_arrays(State* st, PyObject* a, PyObject* b) noexcept:
    cdef Py_ssize_t i
    for i in range(array_size(a)):
        if not equal(st, array_item(a, i), array_item(b, i)):
            return False
    return True


cdef bint only_exact_keys(State* st, PyObject* value) noexcept:
    cdef Py_ssize_t position = 0
    cdef PyObject* key
    while PyDict_Next(value, &position, &key, NULL):
        if not PyUnicode_CheckExact(key):
            return False if PyUnicode_Check(key) else fail(st, NO_JSON)
    return True


cdef bint equal_objects(State* st, PyObject* a, PyObject* b) noexcept:
    cdef Py_ssize_t position = 0
    cdef PyObject* key
    cdef PyObject* item
    cdef PyObject* other
    if not pay(st, PyDict_Size(a) >> MEMBERS_SHIFT):
        return False
    # A look-up calls `__eq__` of keys that are subclasses of str; such objects are searched by content.
    cdef bint searchable = only_exact_keys(st, b) and only_exact_keys(st, a)
    while not st.abort and PyDict_Next(a, &position, &key, &item):
        if not PyUnicode_Check(key):
            return fail(st, NO_JSON)
        other = PyDict_GetItemWithError(b, key) if searchable else member_by_content(st, b, key)
        if other == NULL or not equal(st, item, other):
            return False
    return not st.abort


cdef PyObject* member_by_content(State* st, PyObject* value, PyObject* wanted) noexcept:
    cdef Py_ssize_t position = 0
    cdef PyObject* key
    cdef PyObject* item
    while pay(st, PAIR) and PyDict_Next(value, &position, &key, &item):
        if not PyUnicode_Check(key):
            fail(st, NO_JSON)
            return NULL
        if same_text(key, wanted):
            return item
    return NULL


# --- hashing -----------------------------------------------------------------------------------------------------------


cdef inline uint64_t mix(uint64_t h, uint64_t value) noexcept:
    h = (h ^ value) * <uint64_t> 0x9FB21C651E98DF25
    h ^= h >> 29
    h = (h ^ secret) * <uint64_t> 0xD6E8FEB86659FD93
    return h ^ (h >> 32)


cdef inline uint64_t double_bits(double number) noexcept:
    cdef uint64_t bits
    memcpy(&bits, &number, sizeof(bits))
    return bits


cdef uint64_t hash_number(State* st, PyObject* value) noexcept:
    """Equal numbers have equal hashes, int or float."""
    cdef int overflow = 0
    cdef int64_t number
    cdef double real
    if PyLong_Check(value):
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow:
            return mix(INTEGER, <uint64_t> number)
        return hash_big(st, value)
    real = PyFloat_AS_DOUBLE(value)
    if floor(real) == real and -9223372036854775808.0 <= real < 9223372036854775808.0:
        return mix(INTEGER, <uint64_t> (<int64_t> real))
    return mix(NUMBER, double_bits(real))


cdef uint64_t hash_big(State* st, PyObject* value) noexcept:
    cdef double real
    try:
        number = exact_number(value)
        if not pay_digits(st, number):
            return 0
        try:
            real = float(number)
            if real == number:
                return mix(NUMBER, double_bits(real))
        except OverflowError:
            pass
        # Python's own hash of an int is a remainder that can be hit at will; that of bytes cannot.
        return mix(INTEGER, <uint64_t> <Py_hash_t> hash(number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True)))
    except BaseException:
        fail(st, OUT_OF_MEMORY)
        return 0


cdef uint64_t hash_value(State* st, PyObject* value) noexcept:
    """A hash of the content that cannot be foreseen outside this process."""
    cdef int kind = kind_of(value)
    if not pay(st, HASHING):
        return 0
    if kind == STRING:
        if not pay(st, PyUnicode_GET_LENGTH(value) >> LONG_TEXT_SHIFT):
            return 0
        return mix(STRING, <uint64_t> text_hash(value))
    if kind >= ARRAY:
        if kind == NOT_JSON:
            fail(st, NO_JSON)
            return 0
        return hash_container(st, value, kind)
    if kind == NULL_VALUE or kind == BOOLEAN:
        return mix(kind, value == Py_True)
    return hash_number(st, value)


cdef uint64_t hash_container(State* st, PyObject* value, int kind) noexcept:
    cdef uint64_t h = mix(kind, <uint64_t> container_size(value, kind))
    cdef Py_ssize_t i = 0
    cdef PyObject* key
    cdef PyObject* item
    cdef bint shared = Py_REFCNT(value) > 1
    cdef Entry* entry
    if shared:
        entry = lookup(st, HASHED | st.operation << 32, value, -1, False)
        if entry == NULL:
            return 0
        if entry.verdict == RUNNING:
            fail(st, OWN_MEMBER)
            return 0
        if entry.verdict:
            charge(st, entry)
            return entry.extra
        entry.verdict = RUNNING
    if st.depth >= st.max_depth:
        fail(st, TOO_DEEP)
        return 0
    if st.frames >= MAX_FRAMES:
        fail(st, OUT_OF_STACK)
        return 0
    st.depth += 1
    st.frames += 1
    if kind == ARRAY:
        for i in range(array_size(value)):
            h = mix(h, hash_value(st, array_item(value, i)))
            if st.abort:
                break
    else:
        while not st.abort and PyDict_Next(value, &i, &key, &item):
            if not PyUnicode_Check(key):
                fail(st, NO_JSON)
                break
            h += mix(<uint64_t> text_hash(key), hash_value(st, item))  # a sum: the order of members says nothing
    st.depth -= 1
    st.frames -= 1
    if shared:
        entry = lookup(st, HASHED | st.operation << 32, value, -1, False)
        if entry != NULL:
            entry.verdict = TRUE
            entry.extra = h
    return h


cdef uint64_t hash_of_constant(object value) except? 0:
    """The hash of a value of an admitted schema."""
    cdef State st
    cdef uint64_t h
    unmetered(&st)
    h = hash_value(&st, <PyObject*> value)
    release(&st)
    return h


cdef void unmetered(State* st) noexcept:
    st.steps = st.depth = st.frames = st.abort = 0
    st.shared = False
    st.memory = st.charged = st.uncharged = 0
    st.operation = 0
    st.checkpoint = st.max_steps = <int64_t> 1 << 62
    st.max_memory = <int64_t> 1 << 62
    st.max_depth = MAX_FRAMES
    st.table = NULL
    st.bits = NULL
    st.kept = st.trace = NULL


cdef bint container_in(State* st, PyObject* value, const Containers* containers) noexcept:
    """Is the array or object one of those of an `enum`?"""
    cdef uint64_t h
    cdef uint32_t low = 0, high = containers.n, middle
    st.operation += 1
    if containers.n == 1:
        return equal(st, value, containers.values[0])
    h = hash_value(st, value)
    while low < high:
        middle = (low + high) // 2
        if containers.hashes[middle] < h:
            low = middle + 1
        else:
            high = middle
    while not st.abort and low < containers.n and containers.hashes[low] == h:
        if equal(st, value, containers.values[low]):
            return True
        low += 1
    return False


cdef bint has_duplicates(State* st, PyObject* array, Py_ssize_t* first, Py_ssize_t* second) noexcept:
    """Are two items equal (`uniqueItems`, Validation 6.4.3)? Which ones goes to `first` and `second`."""
    cdef Py_ssize_t n = array_size(array)
    cdef Py_ssize_t i, j
    st.operation += 1
    if n <= PAIRWISE:
        for i in range(1, n):
            for j in range(i):
                if equal(st, array_item(array, i), array_item(array, j)):
                    first[0], second[0] = j, i
                    return True
                if st.abort:
                    return False
        return False
    return has_equal_hashes(st, array, n, first, second)


cdef bint has_equal_hashes(State* st, PyObject* array, Py_ssize_t n, Py_ssize_t* first, Py_ssize_t* second) noexcept:
    cdef size_t room = 16
    while room < <size_t> n * 2:
        room *= 2
    st.memory += room * 2 * sizeof(uint64_t)
    if st.memory > st.max_memory or not pay(st, n * UNIQUE_ITEM):
        return fail(st, OUT_OF_MEMORY)
    cdef uint64_t* slots = <uint64_t*> PyMem_Calloc(room * 2, sizeof(uint64_t))
    if slots == NULL:
        return fail(st, OUT_OF_MEMORY)
    cdef Py_ssize_t i
    cdef uint64_t h
    cdef size_t at
    cdef bint found = False
    for i in range(n):
        h = hash_value(st, array_item(array, i))
        at = <size_t> (h & (room - 1))
        while not st.abort and slots[2 * at + 1]:
            if slots[2 * at] == h and equal(st, array_item(array, i), array_item(array, <Py_ssize_t> slots[2 * at + 1] - 1)):
                first[0], second[0] = <Py_ssize_t> slots[2 * at + 1] - 1, i
                found = True
                break
            at = (at + 1) & (room - 1)
        if found or st.abort:
            break
        slots[2 * at] = h
        slots[2 * at + 1] = <uint64_t> i + 1
    PyMem_Free(slots)
    # The scratch space is free again: what later checks of the same instance may take does not depend on it.
    st.memory -= room * 2 * sizeof(uint64_t)
    return found and not st.abort


def kind_bit(object value):
    """The kind of a value as a bit of `Node.types`; 0 for what is not JSON."""
    cdef int kind = kind_of(<PyObject*> value)
    return 0 if kind == NOT_JSON else 1 << kind
