# cython: auto_pickle=False
"""Builds the plan that the evaluator walks.

Comes in: for every node, its admitted kinds and its instructions as `(op, operand, keyword)`. Goes out: a `Plan` of
contiguous C arrays. Never looks at a schema: what an operand means was decided by the lowering.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from libc.string cimport memset

from ..pattern_forms import NO_FORMS, simple_forms

from .values cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, hash_of_constant

cdef extern from "Python.h":
    Py_hash_t PyObject_Hash(object) except -1

LARGEST_COUNT = 2**62
FORMS = {
    "any": LITERAL_ANY,
    "exact": LITERAL_EXACT,
    "prefix": LITERAL_PREFIX,
    "suffix": LITERAL_SUFFIX,
    "contains": LITERAL_CONTAINS,
}


cdef class Plan:
    """A compiled schema. Nodes 0 and 1 are the schemas `true` and `false`."""

    def __cinit__(self):
        self.keep = []
        self.origins = []
        self.keywords = []
        self.blocks = NULL
        self.root = TRUE_NODE
        # Instruction 0 ends every empty list; 1 and 2 make a container that no keyword looks at be walked.
        self.add_code([(END, None, None), (COVER, None, None)])

    def __dealloc__(self):
        cdef void* block = self.blocks
        cdef void* following
        while block != NULL:
            following = (<void**> block)[0]
            PyMem_Free(block)
            block = following
        PyMem_Free(self.nodes)
        PyMem_Free(self.code)

    def add_node(self, object origin):
        """Reserve a node for a subschema; return its index. Until `define` it accepts everything."""
        if self.n_nodes == self.room_nodes:
            self.room_nodes = self.room_nodes * 2 or 16
            self.nodes = <Node*> _resized(self.nodes, self.room_nodes * sizeof(Node))
        cdef Node* node = &self.nodes[self.n_nodes]
        memset(node, 0, sizeof(Node))
        node.types = 0xFF
        node.code[<int> ARRAY] = node.code[<int> OBJECT] = 1
        self.origins.append(origin)
        self.n_nodes += 1
        return self.n_nodes - 1

    def define(self, uint32_t index, uint16_t types, uint16_t flags, tuple lists):
        """Give a node its instructions: `lists` holds those for null, boolean, number, string, array and object, each a
        list or None. A list that occurs twice is stored once."""
        cdef Node* node = &self.nodes[index]
        cdef uint32_t[6] starts
        cdef int i, j
        node.types = types
        node.flags = flags
        for i in range(6):
            part = lists[i]
            starts[i] = 0
            if part is None:
                starts[i] = 1 if i >= 4 else 0
                continue
            for j in range(i):
                if lists[j] is part:
                    starts[i] = starts[j]
                    break
            else:
                starts[i] = self.add_code(part)
                node = &self.nodes[index]
        node.code[<int> NULL_VALUE] = starts[0]
        node.code[<int> BOOLEAN] = starts[1]
        node.code[<int> INTEGER] = node.code[<int> INTEGRAL] = node.code[<int> NUMBER] = starts[2]
        node.code[<int> STRING] = starts[3]
        node.code[<int> ARRAY] = starts[4]
        node.code[<int> OBJECT] = starts[5]

    def set_root(self, int32_t index, object origin):
        """Let checks begin at a node; `origin` is the subschema from which the way to it begins."""
        self.root = index
        self.root_origin = origin

    def mark_scoped(self):
        """Note that dynamic scopes have multiplied the nodes."""
        self.scoped = True

    def add_flag(self, uint32_t index, uint16_t flag):
        self.nodes[index].flags |= flag

    @property
    def node_count(self):
        return self.n_nodes

    @property
    def root_node(self):
        return self.root

    def flags(self, uint32_t index):
        return self.nodes[index].flags

    def instructions(self, uint32_t index):
        """For each list of a node `(op, numbers, in place, alternatives, together)`, for the static estimate.

        `in place` are nodes for the same value, `alternatives` nodes of which one is for each member or item, `together`
        nodes that may all be for one; `numbers` are sizes that the costs depend on.
        """
        cdef Node* node = &self.nodes[index]
        cdef Instr* instr
        lists = {}
        for kind in (NULL_VALUE, BOOLEAN, INTEGER, STRING, ARRAY, OBJECT):
            start = node.code[<int> kind]
            if start not in lists:
                lists[start] = part = []
                instr = &self.code[start]
                while instr.op != END:
                    part.append((instr.op, *self.shape(instr)))
                    instr += 1
        return list(lists.values())

    cdef tuple shape(self, Instr* instr):
        cdef int op = instr.op
        cdef Members* members
        cdef Items* items
        cdef Branches* branches
        cdef Condition* condition
        cdef uint32_t i
        if op == MEMBERS:
            members = <Members*> instr.arg.p
            alternatives = [members.additional] + [
                members.names.slots[i].child for i in range(members.names.mask + 1) if members.names.slots[i].text != NULL
            ]
            together = [members.patterns[i].child for i in range(members.n_patterns)]
            weights = [members.patterns[i].pattern.weight for i in range(members.n_patterns)]
            in_place = [members.dependencies[i].child for i in range(members.n_dependencies)]
            return (members.words, members.n_dependencies, weights), in_place, alternatives, together
        if op == ITEMS:
            items = <Items*> instr.arg.p
            return (), [], [items.rest] + [items.prefix[i] for i in range(items.n_prefix)], []
        if op == CONTAINS:
            return (), [], [], [(<Contains*> instr.arg.p).child]
        if op == PROPERTY_NAMES or op == UNEVALUATED_ITEMS or op == UNEVALUATED_PROPERTIES:
            return (), [], [], [instr.child]
        if op == APPLY or op == NOT:
            return (), [instr.child], [], []
        if op == ANY_OF or op == ONE_OF:
            branches = <Branches*> instr.arg.p
            return (branches.n,), [branches.children[i] for i in range(branches.n)], [], []
        if op == CONDITION:
            condition = <Condition*> instr.arg.p
            return (), [condition.test, condition.then, condition.otherwise], [], []
        if op == PATTERN:
            return ((<Matcher*> instr.arg.p).weight,), [], [], []
        if op == FORMAT:
            return ((<FormatCheck*> instr.arg.p).weight,), [], [], []
        if op == MULTIPLE_OF:
            return (number_bits((<Number*> instr.arg.p).exact),), [], [], []
        if op == NUMBER_IN:
            return ((<Numbers*> instr.arg.p).n_others,), [], [], []
        return (), [], [], []

    @property
    def bytes(self):
        """Memory of the C arrays and operands, in bytes."""
        cdef size_t total = self.room_nodes * sizeof(Node) + self.room_code * sizeof(Instr)
        cdef void** block = <void**> self.blocks
        while block != NULL:
            total += <size_t> block[1]
            block = <void**> block[0]
        return total

    cdef void* allocate(self, size_t size) except NULL:
        cdef void** block = <void**> PyMem_Malloc(size + 2 * sizeof(void*))
        if block == NULL:
            raise MemoryError
        block[0] = self.blocks
        block[1] = <void*> size
        self.blocks = block
        memset(block + 2, 0, size)
        return block + 2

    cdef PyObject* hold(self, object value) except NULL:
        self.keep.append(value)
        return <PyObject*> value

    cdef uint32_t add_code(self, list instructions) except? 0:
        cdef uint32_t start = self.n_code
        cdef uint32_t wanted = start + <uint32_t> len(instructions) + 1
        if wanted > self.room_code:
            self.room_code = wanted * 2
            self.code = <Instr*> _resized(self.code, self.room_code * sizeof(Instr))
        cdef Instr* instr
        for op, operand, keyword in instructions:
            instr = &self.code[self.n_code]
            instr.op = op & ~<int> COVERS
            instr.covers = op & <int> COVERS != 0
            instr.child = NO_NODE
            instr.arg.n = 0
            if operand is not None:
                self.fill(instr, operand)
            self.keywords.append(keyword)
            self.n_code += 1
        self.code[self.n_code].op = END
        self.keywords.append(None)
        self.n_code += 1
        return start

    cdef int fill(self, Instr* instr, object operand) except -1:
        """Turn an operand into its C form. One branch a kind of operand, in the order of `Op`."""
        cdef int op = instr.op
        cdef Items* items
        cdef Contains* contains
        cdef Condition* condition
        cdef FormatCheck* format_check
        if op in (MIN_LENGTH, MAX_LENGTH, MIN_ITEMS, MAX_ITEMS, MIN_PROPERTIES, MAX_PROPERTIES, BOOLEAN_IN):
            instr.arg.n = min(operand, LARGEST_COUNT)
        elif op in (APPLY, NOT, PROPERTY_NAMES, UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES):
            instr.child = operand
        elif op == PATTERN:
            instr.arg.p = self.matcher(operand)
        elif op == FORMAT:
            format_check = <FormatCheck*> self.allocate(sizeof(FormatCheck))
            format_check.check = self.hold(operand[0])
            format_check.weight = operand[1]
            self.runs_python = True
            instr.arg.p = format_check
        elif op in (MINIMUM, MAXIMUM, EXCLUSIVE_MINIMUM, EXCLUSIVE_MAXIMUM, MULTIPLE_OF):
            instr.arg.p = self.number(operand)
            # Decimal arithmetic makes Python objects, and making one can start the garbage collector.
            self.runs_python |= op == MULTIPLE_OF and not (<Number*> instr.arg.p).is_int64
        elif op == ITEMS:
            items = <Items*> self.allocate(sizeof(Items))
            items.n_prefix = len(operand[0])
            items.prefix = self.indices(operand[0])
            items.rest = operand[1]
            instr.arg.p = items
        elif op == CONTAINS:
            contains = <Contains*> self.allocate(sizeof(Contains))
            contains.child, contains.smallest, contains.largest, contains.evaluates = operand
            instr.arg.p = contains
        elif op == MEMBERS:
            instr.arg.p = self.allocate(sizeof(Members))
            self.fill_members(<Members*> instr.arg.p, operand)
        elif op == NUMBER_IN:
            instr.arg.p = self.numbers(operand)
        elif op == STRING_IN:
            instr.arg.p = self.allocate(sizeof(Names))
            self.fill_names(<Names*> instr.arg.p, [(text, NO_NODE, -1) for text in operand])
        elif op == CONTAINER_IN:
            instr.arg.p = self.containers(operand)
        elif op in (ANY_OF, ONE_OF):
            instr.arg.p = self.branches(operand)
        elif op == CONDITION:
            condition = <Condition*> self.allocate(sizeof(Condition))
            condition.test, condition.then, condition.otherwise = operand
            instr.arg.p = condition
        return 0

    cdef int32_t* indices(self, list values) except NULL:
        cdef int32_t* out = <int32_t*> self.allocate(len(values) * sizeof(int32_t) + 1)
        cdef Py_ssize_t i
        for i in range(len(values)):
            out[i] = values[i]
        return out

    cdef uint64_t* bits(self, object positions, uint32_t words) except NULL:
        cdef uint64_t* out = <uint64_t*> self.allocate(words * sizeof(uint64_t) + 1)
        cdef uint32_t position
        for position in positions:
            out[position >> 6] |= <uint64_t> 1 << (position & 63)
        return out

    cdef int fill_names(self, Names* names, list entries) except -1:
        cdef uint32_t size = 2
        while size < 2 * len(entries):
            size *= 2
        names.mask = size - 1
        names.slots = <Name*> self.allocate(size * sizeof(Name))
        cdef uint32_t at
        cdef Name* slot
        for text, child, bit in entries:
            at = <uint32_t> PyObject_Hash(text) & names.mask
            while names.slots[at].text != NULL:
                at = (at + 1) & names.mask
            slot = &names.slots[at]
            slot.text = self.hold(text)
            slot.hash = PyObject_Hash(text)
            slot.char_size = PyUnicode_KIND(slot.text)
            slot.size = PyUnicode_GET_LENGTH(slot.text) * slot.char_size
            slot.data = <const char*> PyUnicode_DATA(slot.text)
            slot.child = child
            slot.bit = bit
        return 0

    cdef int fill_members(self, Members* members, object operand) except -1:
        """`operand`: (entries, n_bits, required bits, additional, patterns, dependencies)."""
        entries, n_bits, required, additional, patterns, dependencies = operand
        self.fill_names(&members.names, entries)
        members.words = (n_bits + 63) // 64
        members.n_required = len(required)
        members.required = self.bits(required, members.words)
        members.additional = additional
        members.n_patterns = len(patterns)
        members.patterns = <PatternMember*> self.allocate(len(patterns) * sizeof(PatternMember) + 1)
        cdef Py_ssize_t i
        for i in range(len(patterns)):
            members.patterns[i].pattern = self.matcher(patterns[i][0])
            members.patterns[i].child = patterns[i][1]
        members.n_dependencies = len(dependencies)
        members.dependencies = <Dependency*> self.allocate(len(dependencies) * sizeof(Dependency) + 1)
        for i in range(len(dependencies)):
            bit, child, needs = dependencies[i]
            members.dependencies[i].bit = bit
            members.dependencies[i].child = child
            members.dependencies[i].needs = NULL if needs is None else self.bits(needs, members.words)
        return 0

    cdef Matcher* matcher(self, object pattern) except NULL:
        cdef Matcher* matcher = <Matcher*> self.allocate(sizeof(Matcher))
        matcher.weight = min(pattern.weight, 1 << 30)
        matcher.linear = pattern.linear
        literal, sequence = simple_forms(pattern.source) if pattern.engine == "ecma-unicode" else NO_FORMS
        if literal is not None:
            kind, text = literal
            matcher.form = FORMS[kind]
            matcher.literal = self.hold(text)
        elif sequence is not None:
            matcher.form = SEQUENCE
            matcher.whole = sequence.whole
            matcher.n_atoms = len(sequence.atoms)
            matcher.atoms = self.atoms(sequence.atoms)
        else:
            matcher.search = self.hold(pattern.search)
            matcher.search_wide = self.hold(pattern.search_wide)
            matcher.timeouts = self.hold(pattern.timeouts)
            self.runs_python = True
        return matcher

    cdef Atom* atoms(self, tuple atoms) except NULL:
        cdef Atom* out = <Atom*> self.allocate(len(atoms) * sizeof(Atom) + 1)
        cdef Py_ssize_t i
        for i in range(len(atoms)):
            members, out[i].least, out[i].most = atoms[i]
            out[i].members[0] = members & 0xFFFFFFFFFFFFFFFF
            out[i].members[1] = members >> 64 & 0xFFFFFFFFFFFFFFFF
            out[i].beyond = members >> 128
        return out

    cdef void* number(self, object value) except NULL:
        cdef Number* number = <Number*> self.allocate(sizeof(Number))
        number.exact = self.hold(value)
        number.is_int64 = value == int(value) and -(2**63) <= value < 2**63
        if number.is_int64:
            number.as_int64 = int(value)
        try:
            number.as_double = float(value)
            number.is_double = number.as_double == value
        except OverflowError:
            number.is_double = False
        return number

    cdef void* numbers(self, list values) except NULL:
        ints = sorted({int(value) for value in values if value == int(value) and -(2**63) <= value < 2**63})
        doubles = sorted({value for value in values if value != int(value)})
        others = [value for value in values if value == int(value) and not -(2**63) <= value < 2**63]
        cdef Numbers* numbers = <Numbers*> self.allocate(sizeof(Numbers))
        numbers.n_ints, numbers.n_doubles, numbers.n_others = len(ints), len(doubles), len(others)
        numbers.ints = <int64_t*> self.allocate(len(ints) * sizeof(int64_t) + 1)
        numbers.doubles = <double*> self.allocate(len(doubles) * sizeof(double) + 1)
        numbers.others = <PyObject**> self.allocate(len(others) * sizeof(PyObject*) + 1)
        cdef Py_ssize_t i
        for i in range(len(ints)):
            numbers.ints[i] = ints[i]
        for i in range(len(doubles)):
            numbers.doubles[i] = doubles[i]
        for i in range(len(others)):
            numbers.others[i] = self.hold(others[i])
        return numbers

    cdef void* containers(self, list values) except NULL:
        cdef list keyed = sorted([(hash_of_constant(value), i) for i, value in enumerate(values)])
        cdef Containers* containers = <Containers*> self.allocate(sizeof(Containers))
        containers.n = len(values)
        containers.hashes = <uint64_t*> self.allocate(len(values) * sizeof(uint64_t) + 1)
        containers.values = <PyObject**> self.allocate(len(values) * sizeof(PyObject*) + 1)
        cdef Py_ssize_t i
        for i in range(len(keyed)):
            containers.hashes[i] = keyed[i][0]
            containers.values[i] = self.hold(values[keyed[i][1]])
        return containers

    cdef void* branches(self, object operand) except NULL:
        """`operand`: (children, kinds, sure kinds, tag or None, [(value, index of the branch)])."""
        children, kinds, sure, tag, by_tag = operand
        cdef Branches* branches = <Branches*> self.allocate(sizeof(Branches))
        branches.n = len(children)
        branches.sure = sure
        branches.children = self.indices(children)
        branches.kinds = <uint16_t*> self.allocate(len(kinds) * sizeof(uint16_t) + 1)
        cdef Py_ssize_t i
        for i in range(len(kinds)):
            branches.kinds[i] = kinds[i]
        if tag is not None:
            branches.tag = self.hold(tag)
            self.fill_names(&branches.by_tag, [(value, index, -1) for value, index in by_tag])
        return branches


cdef object number_bits(PyObject* number):
    exact = <object> number
    return exact.bit_length() if isinstance(exact, int) else 64


cdef void* _resized(void* memory, size_t size) except NULL:
    memory = PyMem_Realloc(memory, size)
    if memory == NULL:
        raise MemoryError
    return memory
