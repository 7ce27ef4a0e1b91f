"""The evaluator: walks an instance with a plan, pays a step for each visit of a value by a node, and answers yes or no.

Comes in: a plan and any Python object. Goes out: a verdict, or the reason why there is none (`State.abort`). Allocates
nothing on the common path, never calls a method of the instance, and never recurses beyond its frame budget.

Every function here that returns a truth value returns False as well when the check has ended early; whoever would turn
False into anything but False looks at `State.abort` first. That is how a budget can't be mistaken for a verdict.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from .costs cimport BRANCHES_SHIFT, CAREFUL_MEMBER, DEPENDENCY_SHIFT, MEMBERS_SHIFT, VISIT, WORDS_SHIFT
from .leaves cimport has_format, matches
from .memo cimport COVERED, charge, keep_alive, lookup, mark, marked, merge_bits, new_bits
from .meter cimport (
    FALSE, MAX_FRAMES, NO_JSON, OUT_OF_STACK, OWN_MEMBER, RUNNING, TOO_DEEP, TRUE, Entry,
    at_checkpoint, fail, pay, pay_every, trace_part,
)
from .plan cimport (
    ANY_OF, APPLY, BOOLEAN_IN, COLLECTS, CONTAINER_IN, CONTAINS, COVER, END, EXCLUSIVE_MAXIMUM, EXCLUSIVE_MINIMUM, FAIL, FALSE_NODE,
    CONDITION, FORMAT, ITEMS, JOIN, MAX_ITEMS, MAX_LENGTH, MAX_PROPERTIES, MAXIMUM, MEMBERS, MIN_ITEMS, MIN_LENGTH,
    MIN_PROPERTIES, MINIMUM, MULTIPLE_OF, NO_NODE, NOT, NUMBER_IN, ONE_OF, PATTERN, PROPERTY_NAMES, STRING_IN,
    UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES, UNIQUE_ITEMS,
    Branches, Condition, Containers, Contains, Dependency, FormatCheck, Items, Matcher, Members, Name, Names, Node, Number,
    Numbers,
)
from .values cimport (
    ARRAY, NOT_JSON, OBJECT, STRING,
    Py_DECREF, Py_INCREF, Py_REFCNT, Py_True, PyDict_Next, PyDict_Size, PyUnicode_Check, PyUnicode_GET_LENGTH,
    array_item, array_size, compares, container_in, container_size, find_name, has_duplicates,
    is_multiple, kind_of, number_in, same_text,
)

cdef enum:
    PRESENCE_WORDS = 4        # presence masks up to so many words live on the stack

# Added to the position of a member: its name, not its value.
cdef Py_ssize_t KEY_POSITION = <Py_ssize_t> 1 << 62


# --- visits ------------------------------------------------------------------------------------------------------------


cdef bint visit(State* st, int32_t index, PyObject* value, int kind, int mode, Bits* bits) noexcept:
    """Does the value satisfy the node? `bits` receives what was evaluated, in mode ALL_OF_IT."""
    cdef const Node* node = &st.nodes[index]
    cdef int32_t depth = st.depth
    cdef PyObject* container = st.container
    cdef Py_ssize_t place = st.position
    cdef bint result
    st.steps += VISIT
    if st.steps >= st.checkpoint and not at_checkpoint(st):
        return False
    if not (node.types >> kind) & 1:
        return kind == NOT_JSON and fail(st, NO_JSON)
    if kind >= ARRAY and st.depth >= st.max_depth:
        return fail(st, TOO_DEEP)
    if st.frames >= MAX_FRAMES:
        return fail(st, OUT_OF_STACK)
    st.frames += 1
    if node.flags or st.holds or (
        kind >= ARRAY and (mode & ALL_OF_IT or st.shared or (Py_REFCNT(value) > 1 and st.depth))
    ):
        result = visit_with_care(st, index, value, kind, mode, bits)
    else:
        result = run(st, &st.code[node.code[kind]], value, kind, mode, bits, False)
    st.frames -= 1
    st.depth = depth  # where something failed, loops were left in the middle
    st.container = container
    st.position = place
    return result


cdef bint visit_with_care(State* st, int32_t index, PyObject* value, int kind, int mode, Bits* bits) noexcept:
    """A visit whose verdict is remembered, whose value must be kept alive, or that reports what it evaluated."""
    cdef const Node* node = &st.nodes[index]
    cdef bint container = kind >= ARRAY
    cdef bint outer = st.shared
    cdef bint shared = outer or (container and st.depth and Py_REFCNT(value) > 1)
    cdef bint remembers = node.flags & JOIN or (container and shared)
    cdef bint reports = container and mode & ALL_OF_IT
    cdef uint64_t what = <uint64_t> index << 1 | reports
    cdef PyObject* place = value if container else st.container
    cdef Py_ssize_t position = -1 if container else st.position
    cdef Bits* own = NULL
    cdef Entry* entry
    cdef bint result
    if remembers:
        entry = lookup(st, what, place, position, node.flags & JOIN)
        if entry == NULL:
            return False
        if entry.verdict == RUNNING:  # no schema leads back to the same value (in-place cycles are refused)
            return fail(st, OWN_MEMBER)
        if entry.verdict and (node.flags & JOIN or not is_first_place(st, entry)):
            return recall(st, entry, value, kind, mode, bits)
        # Without a join the entry is there because the container may be shared. At its first place it has not been met as
        # a shared one: some reference from outside made it look so, and steps must not depend on that.
        remembers = not entry.verdict
    if remembers:
        entry.verdict = RUNNING
        entry.first_container = <size_t> st.container
        entry.first_position = st.position
        if st.holds and container and not keep_alive(st, value):
            return False
    if container and (reports or node.flags & COLLECTS):
        own = new_bits(st, container_size(value, kind))
        if own == NULL:
            return False
        mode |= ALL_OF_IT
    if st.holds:
        Py_INCREF(value)
    st.shared = shared
    result = run(st, &st.code[node.code[kind]], value, kind, mode, own, False)
    st.shared = outer
    if remembers and not st.abort:
        entry = lookup(st, what, place, position, node.flags & JOIN)
        if entry == NULL:
            result = False
        else:
            entry.verdict = TRUE if result else FALSE
            entry.extra = <uint64_t> <size_t> own
    if result and reports:
        result = merge_bits(st, bits, own)
    if st.holds:
        Py_DECREF(value)
    return result


cdef inline bint is_first_place(State* st, const Entry* entry) noexcept:
    return entry.first_container == <size_t> st.container and entry.first_position == st.position


cdef bint recall(State* st, Entry* entry, PyObject* value, int kind, int mode, Bits* bits) noexcept:
    if not charge(st, entry):
        return False
    if entry.verdict == FALSE:
        return False
    if kind >= ARRAY:
        if mode & ALL_OF_IT and not merge_bits(st, bits, <const Bits*> <size_t> entry.extra):
            return False
        # The visit that found the verdict may not have been one that covers.
        if mode & COVERING:
            return cover(st, value, kind)
    return True


cdef bint cover(State* st, PyObject* value, int kind) noexcept:
    """Walk a value that no keyword looks at: it must be JSON, and not too deep."""
    cdef bint outer = st.shared
    cdef bint shared
    cdef bint result
    cdef Entry* entry
    st.steps += VISIT
    if st.steps >= st.checkpoint and not at_checkpoint(st):
        return False
    if kind < ARRAY:
        return True
    if kind == NOT_JSON:
        return fail(st, NO_JSON)
    if st.depth >= st.max_depth:
        return fail(st, TOO_DEEP)
    # What is inside a shared container is met as often as the container is, whatever its own count of references.
    shared = outer or (st.depth and Py_REFCNT(value) > 1)
    if shared:
        entry = lookup(st, COVERED, value, -1, False)
        if entry == NULL:
            return False
        if entry.verdict == RUNNING:
            return fail(st, OWN_MEMBER)
        if entry.verdict:
            return charge(st, entry)
        entry.verdict = RUNNING
        if st.holds and not keep_alive(st, value):
            return False
    st.shared = shared
    result = cover_inside(st, value, kind)
    st.shared = outer
    if shared and result:
        entry = lookup(st, COVERED, value, -1, False)
        if entry == NULL:
            return False
        entry.verdict = TRUE
    return result


cdef bint cover_inside(State* st, PyObject* value, int kind) noexcept:
    cdef Py_ssize_t i = 0
    cdef PyObject* key
    cdef PyObject* item
    cdef int item_kind
    if st.frames >= MAX_FRAMES:
        return fail(st, OUT_OF_STACK)
    st.frames += 1
    st.depth += 1
    if kind == ARRAY:
        while i < array_size(value):
            item = array_item(value, i)
            item_kind = kind_of(item)
            if not cover(st, item, item_kind):
                trace_part(st, NULL, i)
                return False
            i += 1
    else:
        while PyDict_Next(value, &i, &key, &item):
            if not PyUnicode_Check(key):
                return fail(st, NO_JSON)
            if not cover(st, item, kind_of(item)):
                trace_part(st, key, 0)
                return False
    st.depth -= 1
    st.frames -= 1
    return True


# --- the instructions --------------------------------------------------------------------------------------------------


cdef bint run(State* st, const Instr* instr, PyObject* value, int kind, int mode, Bits* bits, bint once) noexcept:
    """Run the instructions of a node on a value until one fails; with `once`, the first of them alone.

    One switch, a branch a keyword; what takes more than a few lines is a function below, in the same order.
    """
    cdef const Node* node
    cdef int op
    cdef int in_place  # the mode in which the value is looked at a second time
    while True:
        op = instr.op
        in_place = mode if instr.covers else mode & ALL_OF_IT
        if op == END:
            return True
        elif op == COVER:
            if mode & COVERING and not cover_inside(st, value, kind):
                return False
        elif op == FAIL:
            return False
        elif op == MIN_LENGTH:
            if PyUnicode_GET_LENGTH(value) < instr.arg.n:
                return False
        elif op == MAX_LENGTH:
            if PyUnicode_GET_LENGTH(value) > instr.arg.n:
                return False
        elif op == PATTERN:
            if not matches(st, <const Matcher*> instr.arg.p, value):
                return False
        elif op == FORMAT:
            if not has_format(st, <const FormatCheck*> instr.arg.p, value):
                return False
        elif op == MINIMUM or op == MAXIMUM or op == EXCLUSIVE_MINIMUM or op == EXCLUSIVE_MAXIMUM:
            if not compares(st, op, value, <const Number*> instr.arg.p):
                return False
        elif op == MULTIPLE_OF:
            if not is_multiple(st, value, <const Number*> instr.arg.p):
                return False
        elif op == MIN_ITEMS:
            if array_size(value) < instr.arg.n:
                return False
        elif op == MAX_ITEMS:
            if array_size(value) > instr.arg.n:
                return False
        elif op == ITEMS:
            if not check_items(st, <const Items*> instr.arg.p, value, mode, bits):
                return False
        elif op == CONTAINS:
            if not check_contains(st, <const Contains*> instr.arg.p, value, mode, bits):
                return False
        elif op == UNIQUE_ITEMS:
            if not check_unique(st, value):
                return False
        elif op == UNEVALUATED_ITEMS:
            if not check_unevaluated_items(st, instr.child, value, bits):
                return False
        elif op == MIN_PROPERTIES:
            if PyDict_Size(value) < instr.arg.n:
                return False
        elif op == MAX_PROPERTIES:
            if PyDict_Size(value) > instr.arg.n:
                return False
        elif op == MEMBERS:
            if not check_members(st, <const Members*> instr.arg.p, value, mode, bits):
                return False
        elif op == PROPERTY_NAMES:
            if not check_property_names(st, instr.child, value):
                return False
        elif op == UNEVALUATED_PROPERTIES:
            if not check_unevaluated_properties(st, instr.child, value, bits):
                return False
        elif op == BOOLEAN_IN:
            if not instr.arg.n >> (value == Py_True) & 1:
                return False
        elif op == NUMBER_IN:
            if not number_in(st, value, kind, <const Numbers*> instr.arg.p):
                return False
        elif op == STRING_IN:
            if find_name(<const Names*> instr.arg.p, value) == NULL:
                return False
        elif op == CONTAINER_IN:
            if not container_in(st, value, <const Containers*> instr.arg.p):
                return False
        elif op == APPLY:
            node = &st.nodes[instr.child]
            # The last instruction needs no frame of its own: a chain of references is walked in a loop.
            if instr[1].op == END and not once and not node.flags:
                st.steps += VISIT
                if st.steps >= st.checkpoint and not at_checkpoint(st):
                    return False
                if not (node.types >> kind) & 1:
                    return False
                instr = &st.code[node.code[kind]]
                mode = in_place
                continue
            if not visit(st, instr.child, value, kind, in_place, bits):
                return False
        elif op == ANY_OF or op == ONE_OF:
            if not check_union(st, <const Branches*> instr.arg.p, value, kind, in_place, bits, op == ONE_OF):
                return False
        elif op == NOT:
            if visit(st, instr.child, value, kind, PLAIN, NULL) or st.abort:
                return False
        elif op == CONDITION:
            if not check_condition(st, <const Condition*> instr.arg.p, value, kind, in_place, bits):
                return False
        if once:
            return True
        instr += 1


# --- arrays ------------------------------------------------------------------------------------------------------------


cdef inline bint visit_item(State* st, int32_t child, PyObject* array, Py_ssize_t i, int mode) noexcept:
    """Visit one item of an array; a scalar that its `type` alone decides takes no call."""
    cdef PyObject* item = array_item(array, i)
    cdef int kind = kind_of(item)
    cdef const Node* node = &st.nodes[child]
    if kind < ARRAY and not node.code[kind]:
        st.steps += VISIT
        return node.types >> kind & 1
    st.container = array
    st.position = i
    if visit(st, child, item, kind, mode, NULL):
        return True
    if st.abort:
        trace_part(st, NULL, i)
    return False


cdef bint check_items(State* st, const Items* items, PyObject* value, int mode, Bits* bits) noexcept:
    """`prefixItems` and `items` (Core 10.3.1); `items` as a list and `additionalItems` before 2020-12."""
    cdef Py_ssize_t i = 0
    cdef int32_t child
    cdef int covering = mode & COVERING
    if items.rest == NO_NODE and not covering and items.n_prefix == 0:
        return True
    st.depth += 1
    while i < array_size(value):
        child = items.prefix[i] if i < items.n_prefix else items.rest
        if child != NO_NODE:
            if not visit_item(st, child, value, i, covering):
                return False
            mark(bits, i)
        elif not covering:
            break
        elif not cover(st, array_item(value, i), kind_of(array_item(value, i))):
            trace_part(st, NULL, i)
            return False
        i += 1
        if st.steps >= st.checkpoint and not at_checkpoint(st):
            return False
    st.depth -= 1
    return True


cdef bint check_contains(State* st, const Contains* contains, PyObject* value, int mode, Bits* bits) noexcept:
    """`contains` with `minContains` and `maxContains` (Core 10.3.1.3, Validation 6.4.4)."""
    cdef Py_ssize_t i = 0
    cdef int64_t found = 0
    # Enough is known once neither bound can change the verdict, unless every match counts as evaluated.
    cdef bint all_of_it = mode & ALL_OF_IT and contains.evaluates
    st.depth += 1
    while i < array_size(value):
        if visit_item(st, contains.child, value, i, PLAIN):
            found += 1
            if contains.evaluates:
                mark(bits, i)
            if found > contains.largest >= 0:
                return False
            if found >= contains.smallest and contains.largest < 0 and not all_of_it:
                break
        elif st.abort:
            return False
        i += 1
        if st.steps >= st.checkpoint and not at_checkpoint(st):
            return False
    st.depth -= 1
    return found >= contains.smallest


cdef bint check_unique(State* st, PyObject* value) noexcept:
    cdef Py_ssize_t first = 0, second = 0
    cdef bint repeated
    st.depth += 1
    repeated = has_duplicates(st, value, &first, &second)
    st.depth -= 1
    return not repeated and not st.abort


cdef bint check_unevaluated_items(State* st, int32_t child, PyObject* value, Bits* bits) noexcept:
    """`unevaluatedItems` (Core 11.2): the last instruction of its node, so that `bits` is complete."""
    cdef Py_ssize_t i = 0
    st.depth += 1
    while i < array_size(value):
        if not marked(bits, i) and not visit_item(st, child, value, i, PLAIN):
            return False
        mark(bits, i)
        i += 1
        if not pay_every(st, i, DEPENDENCY_SHIFT):
            return False
    st.depth -= 1
    return True


# --- objects -----------------------------------------------------------------------------------------------------------


cdef inline bint visit_member(
    State* st, int32_t child, PyObject* value, Py_ssize_t position, PyObject* key, PyObject* item, int mode
) noexcept:
    """Visit the value of one member; a scalar that its `type` alone decides takes no call."""
    cdef int kind = kind_of(item)
    cdef const Node* node = &st.nodes[child]
    if kind < ARRAY and not node.code[kind]:
        st.steps += VISIT
        return node.types >> kind & 1
    st.container = value
    st.position = position
    if visit(st, child, item, kind, mode, NULL):
        return True
    if st.abort:
        trace_part(st, key, 0)
    return False


cdef bint check_members(State* st, const Members* members, PyObject* value, int mode, Bits* bits) noexcept:
    """All that looks at members by name, in one pass: `properties`, `patternProperties`, `additionalProperties`,
    `required`, `dependentRequired`, `dependentSchemas` and `dependencies` (Core 10.3.2, Validation 6.5)."""
    cdef uint64_t[PRESENCE_WORDS] few
    cdef Bits* many
    cdef uint64_t* present = few
    cdef uint32_t word
    cdef bint result
    if PyDict_Size(value) < members.n_required:
        return False
    if members.words > PRESENCE_WORDS:
        many = new_bits(st, <Py_ssize_t> members.words << 6)
        if many == NULL:
            return False
        present = many.words
    for word in range(members.words):
        present[word] = 0
    st.depth += 1
    if members.n_patterns or st.holds or bits != NULL:
        result = scan_members_with_care(st, members, value, mode, bits, present)
    else:
        result = scan_members(st, members, value, mode, present)
    if not result:
        return False
    st.depth -= 1
    for word in range(members.words):
        if (present[word] & members.required[word]) != members.required[word]:
            return False
    return not members.n_dependencies or check_dependencies(st, members, value, mode, bits, present)


cdef bint scan_members(State* st, const Members* members, PyObject* value, int mode, uint64_t* present) noexcept:
    """The common case: no patterns, nothing to report, and nobody else can run meanwhile."""
    cdef Py_ssize_t position = 0
    cdef PyObject* key
    cdef PyObject* item
    cdef const Name* name
    cdef int covering = mode & COVERING
    cdef int32_t child
    if not pay(st, PyDict_Size(value) >> MEMBERS_SHIFT):
        return False
    while PyDict_Next(value, &position, &key, &item):
        if not PyUnicode_Check(key):
            return fail(st, NO_JSON)
        child = members.additional
        name = find_name(&members.names, key)
        if name != NULL:
            if name.bit >= 0:
                present[name.bit >> 6] |= <uint64_t> 1 << (name.bit & 63)
            if name.child != NO_NODE:
                child = name.child
        if child != NO_NODE:
            if not visit_member(st, child, value, position, key, item, covering):
                return False
        elif covering and not cover(st, item, kind_of(item)):
            trace_part(st, key, 0)
            return False
        if st.steps >= st.checkpoint and not at_checkpoint(st):
            return False
    return True


cdef bint scan_members_with_care(
    State* st, const Members* members, PyObject* value, int mode, Bits* bits, uint64_t* present
) noexcept:
    cdef Py_ssize_t position = 0
    cdef Py_ssize_t ordinal = 0
    cdef PyObject* key
    cdef PyObject* item
    cdef bint result
    if not pay(st, PyDict_Size(value) >> MEMBERS_SHIFT):
        return False
    while PyDict_Next(value, &position, &key, &item):
        if not PyUnicode_Check(key):
            return fail(st, NO_JSON)
        # Another thread may drop the member while a pattern is matched.
        Py_INCREF(key)
        Py_INCREF(item)
        result = check_member(st, members, value, position, key, item, mode, bits, ordinal, present)
        if st.abort:
            trace_part(st, key, 0)
        Py_DECREF(key)
        Py_DECREF(item)
        if not result:
            return False
        ordinal += 1
    return True


cdef bint check_member(
    State* st, const Members* members, PyObject* value, Py_ssize_t position, PyObject* key, PyObject* item, int mode,
    Bits* bits, Py_ssize_t ordinal, uint64_t* present
) noexcept:
    cdef Name* name = <Name*> find_name(&members.names, key)
    cdef int covering = mode & COVERING
    cdef bint known = False
    cdef uint32_t i
    if not pay(st, CAREFUL_MEMBER):
        return False
    if name != NULL:
        if name.bit >= 0:
            present[name.bit >> 6] |= <uint64_t> 1 << (name.bit & 63)
        if name.child != NO_NODE:
            known = True
            if not visit_untraced(st, name.child, value, position, item, covering):
                return False
            covering = 0
    for i in range(members.n_patterns):
        if matches(st, members.patterns[i].pattern, key):
            known = True
            if not visit_untraced(st, members.patterns[i].child, value, position, item, covering):
                return False
            covering = 0
        elif st.abort:
            return False
    if not known and members.additional != NO_NODE:
        known = True
        if not visit_untraced(st, members.additional, value, position, item, covering):
            return False
        covering = 0
    if known:
        mark(bits, ordinal)
    return not covering or cover(st, item, kind_of(item))


cdef inline bint visit_untraced(
    State* st, int32_t child, PyObject* value, Py_ssize_t position, PyObject* item, int mode
) noexcept:
    st.container = value
    st.position = position
    return visit(st, child, item, kind_of(item), mode, NULL)


cdef bint check_dependencies(
    State* st, const Members* members, PyObject* value, int mode, Bits* bits, const uint64_t* present
) noexcept:
    cdef const Dependency* dependency
    cdef uint32_t i, word
    for i in range(members.n_dependencies):
        dependency = &members.dependencies[i]
        if not pay_every(st, i, DEPENDENCY_SHIFT):
            return False
        if not present[dependency.bit >> 6] >> (dependency.bit & 63) & 1:
            continue
        if dependency.needs != NULL:
            if not pay(st, members.words >> WORDS_SHIFT):
                return False
            for word in range(members.words):
                if (present[word] & dependency.needs[word]) != dependency.needs[word]:
                    return False
        if dependency.child != NO_NODE and not visit(st, dependency.child, value, OBJECT, mode & ALL_OF_IT, bits):
            return False
    return True


cdef bint check_property_names(State* st, int32_t child, PyObject* value) noexcept:
    """`propertyNames` (Core 10.3.2.4): the names are the values here."""
    cdef Py_ssize_t position = 0
    cdef PyObject* key
    cdef bint result
    while PyDict_Next(value, &position, &key, NULL):
        if not PyUnicode_Check(key):
            return fail(st, NO_JSON)
        st.container = value
        st.position = position | KEY_POSITION
        Py_INCREF(key)
        result = visit(st, child, key, STRING, PLAIN, NULL)
        Py_DECREF(key)
        if not result:
            return False
    return True


cdef bint check_unevaluated_properties(State* st, int32_t child, PyObject* value, Bits* bits) noexcept:
    """`unevaluatedProperties` (Core 11.3): the last instruction of its node, so that `bits` is complete."""
    cdef Py_ssize_t position = 0
    cdef Py_ssize_t ordinal = 0
    cdef PyObject* key
    cdef PyObject* item
    cdef bint result
    st.depth += 1
    while PyDict_Next(value, &position, &key, &item):
        if not pay_every(st, ordinal, DEPENDENCY_SHIFT):
            return False
        if not marked(bits, ordinal):
            Py_INCREF(key)
            result = visit_member(st, child, value, position, key, item, PLAIN)
            Py_DECREF(key)
            if not result:
                return False
            mark(bits, ordinal)
        ordinal += 1
    st.depth -= 1
    return True


# --- in-place applicators ----------------------------------------------------------------------------------------------


cdef int32_t tagged_branch(State* st, const Branches* branches, PyObject* value) noexcept:
    """The only branch that can accept an object, told by its tag; FALSE_NODE when none can, NO_NODE without the tag."""
    cdef Py_ssize_t position = 0
    cdef PyObject* key
    cdef PyObject* item
    cdef const Name* name
    if not pay(st, PyDict_Size(value) >> MEMBERS_SHIFT):
        return NO_NODE
    while PyDict_Next(value, &position, &key, &item):
        if PyUnicode_Check(key) and same_text(key, branches.tag):
            if kind_of(item) != STRING:
                return FALSE_NODE
            name = find_name(&branches.by_tag, item)
            return FALSE_NODE if name == NULL else name.child
    return NO_NODE


cdef bint check_union(
    State* st, const Branches* branches, PyObject* value, int kind, int mode, Bits* bits, bint exactly_one
) noexcept:
    """`anyOf` and, with `exactly_one`, `oneOf` (Core 10.2.1.2 and 10.2.1.3)."""
    cdef uint32_t i
    cdef int32_t child
    cdef bint accepted = False
    if branches.tag != NULL and kind == OBJECT:
        child = tagged_branch(st, branches, value)
        if child != NO_NODE:
            return visit(st, child, value, kind, mode, bits)
    if not exactly_one and branches.sure >> kind & 1:
        return True
    if not pay(st, branches.n >> BRANCHES_SHIFT):
        return False
    for i in range(branches.n):
        if not branches.kinds[i] >> kind & 1:
            continue
        if visit(st, branches.children[i], value, kind, mode, bits):
            if accepted and exactly_one:
                return False
            if not exactly_one and not mode & ALL_OF_IT:
                return True
            accepted = True
        elif st.abort:
            return False
    return accepted


cdef bint check_condition(
    State* st, const Condition* condition, PyObject* value, int kind, int mode, Bits* bits
) noexcept:
    """`if`, `then`, `else` (Core 10.2.2)."""
    cdef int32_t chosen = condition.otherwise
    if visit(st, condition.test, value, kind, mode, bits):
        chosen = condition.then
    elif st.abort:
        return False
    return chosen == NO_NODE or visit(st, chosen, value, kind, mode, bits)
