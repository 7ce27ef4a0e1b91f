# The compiled form of a schema: arrays of C structs, read-only once built, shared by all checks.
#
# A node is one subschema. For each kind of value it has a list of instructions, one a keyword (or a family of keywords
# that read the instance together), ended by END. Python objects in here are borrowed from `Plan.keep`.

from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


# What a value is. The order matters: scalars come before containers, and `Node.code` is indexed by it.
cpdef enum Kind:
    NULL_VALUE = 0
    BOOLEAN = 1
    INTEGER = 2   # int
    INTEGRAL = 3  # float with no fraction: an integer from draft-06 on (draft-04 4.2 says otherwise)
    NUMBER = 4    # any other finite float
    STRING = 5
    ARRAY = 6
    OBJECT = 7
    NOT_JSON = 8


cpdef enum Op:
    END = 0
    COVER = 1  # walk what no other instruction of the node walks: it must be JSON all the same
    FAIL = 2
    # strings
    MIN_LENGTH = 3
    MAX_LENGTH = 4
    PATTERN = 5
    FORMAT = 6
    # numbers
    MINIMUM = 7
    MAXIMUM = 8
    EXCLUSIVE_MINIMUM = 9
    EXCLUSIVE_MAXIMUM = 10
    MULTIPLE_OF = 11
    # arrays
    MIN_ITEMS = 12
    MAX_ITEMS = 13
    ITEMS = 14
    CONTAINS = 15
    UNIQUE_ITEMS = 16
    UNEVALUATED_ITEMS = 17
    # objects
    MIN_PROPERTIES = 18
    MAX_PROPERTIES = 19
    MEMBERS = 20
    PROPERTY_NAMES = 21
    UNEVALUATED_PROPERTIES = 22
    # enum and const, by kind
    BOOLEAN_IN = 23
    NUMBER_IN = 24
    STRING_IN = 25
    CONTAINER_IN = 26
    # in-place applicators (Core 10.2), $ref among them
    APPLY = 27
    ANY_OF = 28
    ONE_OF = 29
    NOT = 30
    CONDITION = 31


# Added to an operation in the lists that `Plan.define` takes: `Instr.covers`.
cpdef enum Marks:
    COVERS = 0x100


# The node indices that every plan has.
cpdef enum Reserved:
    TRUE_NODE = 0
    FALSE_NODE = 1
    NO_NODE = -1


cpdef enum Flag:
    JOIN = 1         # more than one way leads here with the same value: verdicts are remembered
    COLLECTS = 2     # has unevaluatedItems or unevaluatedProperties: its keywords must say what they evaluated


cdef struct Name:
    PyObject* text   # NULL in a free slot
    Py_hash_t hash
    size_t size      # of the content, in bytes
    const char* data
    int char_size
    int32_t child    # node for the member's value, or NO_NODE
    int32_t bit      # which bit of the presence mask the name sets, or -1


cdef struct Names:   # a hash table of names with linear probing, at most half full
    uint32_t mask
    Name* slots


cdef enum Form:          # how a pattern is matched
    ENGINE = 0
    LITERAL_ANY = 1
    LITERAL_EXACT = 2
    LITERAL_PREFIX = 3
    LITERAL_SUFFIX = 4
    LITERAL_CONTAINS = 5
    SEQUENCE = 6


cdef struct Atom:        # a set of characters, and how many in a row
    uint64_t[2] members  # of ASCII
    bint beyond          # whether all others belong to it
    Py_ssize_t least
    Py_ssize_t most      # -1: no bound


cdef struct Matcher:     # a pattern
    int form
    bint linear
    uint32_t weight
    PyObject* search     # callable(text, timeout=seconds), truthy for a match
    PyObject* search_wide  # the same for texts that may hold lone surrogates
    PyObject* timeouts   # the exceptions that mean "time is up"
    PyObject* literal
    uint32_t n_atoms
    Atom* atoms
    bint whole           # whether the atoms must take the whole text


cdef struct PatternMember:
    Matcher* pattern
    int32_t child


cdef struct Dependency:   # dependentRequired and dependentSchemas
    int32_t bit           # the name that triggers it
    int32_t child         # node for the whole object, or NO_NODE
    uint64_t* needs       # presence mask of the names that it requires, or NULL


cdef struct Members:
    Names names
    uint32_t words        # of a presence mask
    uint64_t* required    # names that must be present
    uint32_t n_required
    int32_t additional    # node for members that no property or pattern names, or NO_NODE
    uint32_t n_patterns
    PatternMember* patterns
    uint32_t n_dependencies
    Dependency* dependencies


cdef struct Items:
    uint32_t n_prefix
    int32_t* prefix
    int32_t rest          # node for the items after the prefix, or NO_NODE


cdef struct Contains:
    int32_t child
    int64_t smallest
    int64_t largest       # -1: no bound
    bint evaluates        # its matches count as evaluated (2020-12 Core 10.3.1.3; not in 2019-09)


cdef struct Number:       # a number of the schema in the forms in which it is compared
    bint is_int64
    bint is_double        # `as_double` is exact
    int64_t as_int64
    double as_double
    PyObject* exact       # int or float


cdef struct Numbers:      # a set of numbers
    uint32_t n_ints
    int64_t* ints         # sorted
    uint32_t n_doubles
    double* doubles       # sorted; fractions only
    uint32_t n_others     # integers beyond 64 bits, as int or float
    PyObject** others


cdef struct Containers:   # a set of arrays and objects
    uint32_t n
    uint64_t* hashes      # sorted
    PyObject** values


cdef struct Branches:
    uint32_t n
    int32_t* children
    uint16_t* kinds       # bit a kind of value that the branch can accept at all
    uint16_t sure         # bit a kind of scalar that some branch accepts whatever it is
    PyObject* tag         # the member that tells the branches apart, or NULL
    Names by_tag          # its value -> the only branch (as `child`) that can accept


cdef struct Condition:
    int32_t test
    int32_t then
    int32_t otherwise


cdef struct FormatCheck:
    PyObject* check       # callable(text) -> bool
    uint32_t weight


cdef union Operand:
    int64_t n
    void* p


cdef struct Instr:
    uint16_t op
    uint16_t covers       # an in-place applicator whose subschema also sees to it that all inside is JSON
    int32_t child
    Operand arg


cdef struct Node:
    uint16_t types        # bit a kind that `type` admits
    uint16_t flags
    uint32_t code[8]      # by kind: the first instruction, 0 for none


cdef class Plan:
    cdef Node* nodes
    cdef Instr* code
    cdef uint32_t n_nodes
    cdef uint32_t n_code
    cdef uint32_t room_nodes
    cdef uint32_t room_code
    cdef int32_t root
    cdef readonly object root_origin   # the Subschema of the whole schema
    cdef bint runs_python      # a pattern or format is called: other threads may run during a check
    cdef list keep
    cdef void* blocks          # the memory of the operands, a chained list
    cdef readonly list origins    # by node: its Subschema
    cdef readonly list keywords   # by instruction: the keyword it comes from
    cdef readonly bint scoped     # some subschema has a node for each of several dynamic scopes

    cdef tuple shape(self, Instr* instr)
    cdef void* allocate(self, size_t size) except NULL
    cdef PyObject* hold(self, object value) except NULL
    cdef uint32_t add_code(self, list instructions) except? 0
    cdef int fill(self, Instr* instr, object payload) except -1
    cdef int fill_names(self, Names* names, list entries) except -1
    cdef int fill_members(self, Members* members, object payload) except -1
    cdef uint64_t* bits(self, object positions, uint32_t words) except NULL
    cdef Matcher* matcher(self, object pattern) except NULL
    cdef Atom* atoms(self, tuple atoms) except NULL
    cdef int32_t* indices(self, list values) except NULL
    cdef void* number(self, object value) except NULL
    cdef void* numbers(self, list values) except NULL
    cdef void* containers(self, list values) except NULL
    cdef void* branches(self, object payload) except NULL
