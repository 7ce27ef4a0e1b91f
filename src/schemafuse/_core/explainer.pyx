# cython: auto_pickle=False
"""The explainer: after an invalid verdict, finds what failed and where, within a budget of its own.

Comes in: an evaluator and an instance that it has found invalid. Goes out: a list of `Failure`, at most as many as asked
for. Every question about a value goes to the evaluator's own instructions, so that a keyword has one meaning; only what
failed is looked into. Writes no words.
"""

from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..branches import evidence, has_wrong_tag, portraits
from ..lowering.lowering import unchained
from ..lowering.tags import NO_TAG
from ..subschemas import DynamicTarget

from .checks cimport Evaluator, outcome
from .comparison cimport Choice, branch_rank, is_certain, is_of_kind, weigh, with_rivals
from .costs cimport CAREFUL_MEMBER
from .evaluator cimport ALL_OF_IT, COVERING, PLAIN, run, visit
from .failure cimport Failure
from .leaves cimport matches
from .memo cimport marked, new_bits, release
from .meter cimport MAX_FRAMES, NO_JSON, Bits, State, pay
from .plan cimport (
    ANY_OF, APPLY, ARRAY, COLLECTS, CONDITION, CONTAINS, COVER, END, FALSE_NODE, ITEMS, JOIN, MEMBERS, NO_NODE, NOT_JSON, OBJECT,
    ONE_OF, PROPERTY_NAMES, TRUE_NODE, UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES, UNIQUE_ITEMS,
    Branches, Condition, Contains, Instr, Items, Members, Name, Node, Plan,
)
from .values cimport (
    PyDict_Check, PyDict_Next, PyUnicode_Check, PyUnicode_CheckExact, array_item, array_size, container_size, find_name,
    has_duplicates, kind_of, only_exact_keys,
)

# Steps for a node that is explained: it costs far more than a visit.
cdef enum:
    NODE_STEPS = 50
    NODE_FRAMES = 3       # of the evaluator's frames, by the stack that it takes
    BRANCH_FAILURES = 3   # failures looked for in a branch while the branches are compared
    NEAR_ITEMS = 50       # items of an array in which one that comes near is looked for


# Added to positions: the explainer counts members, where the evaluator has positions of its own in their table.
cdef Py_ssize_t EXPLAINED = <Py_ssize_t> 1 << 61
cdef Py_ssize_t OF_NAME = <Py_ssize_t> 1 << 60

cdef tuple NO_EVIDENCE = (0, 0, 0)


cpdef tuple explain(Evaluator evaluator, instance, Py_ssize_t max_failures, double deadline):
    """Return `(failures, more, odd)`: what is wrong, whether there was more to say, and the path to a value that turned out
    not to be JSON, or None. Like all that follows, it ends at the deadline, see `Evaluator.time_is_up`."""
    cdef Explanation explanation = Explanation.__new__(Explanation)
    failures, more, odd = explanation.explain(evaluator, instance, max_failures, evaluator.max_steps, deadline)
    if odd is None and explanation.st.abort == NO_JSON:
        odd = path_to_odd(evaluator, instance, deadline)
    return failures, more, odd


cdef tuple path_to_odd(Evaluator evaluator, instance, double deadline):
    """Where the first value stands that is not JSON: what accepts all JSON is stopped by it alone."""
    cdef State st
    evaluator.begin(&st)
    st.deadline = deadline
    st.holds = True
    visit(&st, TRUE_NODE, <PyObject*> instance, kind_of(<PyObject*> instance), COVERING, NULL)
    _, _, abort, path = outcome(&st)
    return path if abort == NO_JSON else None


cpdef int64_t steps_to_accept(Evaluator evaluator, int32_t node, value, int64_t max_steps, double deadline) except 0:
    """Return the steps that it takes a node to accept a value; as a negative number, where it does not accept it. All of
    the steps, and no, when a budget ends before there is an answer."""
    cdef State st
    cdef int64_t steps
    cdef bint result
    evaluator.begin(&st)
    st.deadline = deadline
    st.max_steps = min(max_steps, st.max_steps)
    st.checkpoint = min(st.checkpoint, st.max_steps + 1)
    st.holds = True
    result = visit(&st, node, <PyObject*> value, kind_of(<PyObject*> value), COVERING, NULL)
    steps = max(max_steps if st.abort and st.abort != NO_JSON else st.steps, 1)
    release(&st)
    return steps if result and not st.abort else -steps


cpdef tuple failures_within(Evaluator evaluator, instance, Py_ssize_t max_failures, int64_t max_steps, double deadline):
    """Return `(failures, steps)`: everything that is wrong with an instance, and the steps it took. None, when that is more
    than asked for; and all of the steps, when a budget ends before there is an answer."""
    cdef Explanation explanation = Explanation.__new__(Explanation)
    failures, more, odd = explanation.explain(evaluator, instance, max_failures, max_steps, deadline)
    return None if more or odd is not None else failures, max_steps if explanation.st.abort else explanation.st.steps


cdef class Explanation:
    """One explanation under way."""

    cdef State st
    cdef Plan plan
    cdef list failures
    cdef Py_ssize_t room
    cdef bint more
    cdef bint beyond        # whether there was more to say of the last branch
    cdef bint cut           # whether there was no room for a failure, in some branch, since the flag was taken down
    cdef bint of_name
    cdef int entry
    cdef int holder_entry
    cdef object container
    cdef tuple union
    cdef tuple alternative
    cdef tuple condition
    cdef Py_ssize_t doubt   # levels of the path to the outermost union of which a branch is merely guessed, or -1
    cdef dict chosen        # (instruction, path) -> the `Choice` that was made there
    cdef dict drawn         # id of the branches of a union -> their portraits
    cdef set explained      # (node, path) that have been looked into, of nodes to which several ways lead
    cdef tuple odd          # where a value was met that is not JSON, or None
    cdef uint32_t instruction_index

    cdef tuple explain(self, Evaluator evaluator, object instance, Py_ssize_t max_failures, int64_t max_steps, double deadline):
        evaluator.begin(&self.st)
        self.st.deadline = deadline
        self.st.max_steps = min(max_steps, self.st.max_steps)
        self.st.checkpoint = min(self.st.checkpoint, self.st.max_steps + 1)
        # Python code runs in here: nothing that is looked at may vanish meanwhile.
        self.st.holds = True
        self.plan = evaluator.plan
        self.failures = []
        self.explained = set()
        self.room = max_failures
        self.doubt = -1
        self.entry = self.plan.root
        try:
            self.node(self.plan.root, self.plan.root_origin, instance, (), ())
            return self.failures, self.more or self.st.abort != 0, self.odd
        finally:
            release(&self.st)

    cdef bint done(self):
        return self.st.abort != 0 or self.more

    cdef bint takes(self, bint covered):
        """Is there room for one more? What others say completely gives way to what they do not."""
        cdef Py_ssize_t i
        if len(self.failures) < self.room:
            return True
        self.cut = True
        if covered:
            return False
        for i in range(self.room - 1, -1, -1):
            if (<Failure> self.failures[i]).covered:
                del self.failures[i]
                return True
        self.more = True
        return False

    cdef int add(self, str keyword, object subschema, object instance, tuple path, tuple evaluation, object detail=None,
                 list context=None, bint covered=False) except -1:
        """Note a failure, unless another way has led to it before."""
        cdef Failure failure
        for failure in self.failures:
            if failure.repeats(keyword, subschema, instance, path, detail, self.of_name):
                return 0
        if not self.takes(covered):
            return 0
        failure = Failure.__new__(Failure)
        failure.keyword = keyword
        failure.subschema = subschema
        failure.instance = instance
        failure.path = path
        failure.evaluation = evaluation if keyword is None else evaluation + (keyword,)
        failure.detail = detail
        failure.context = context
        failure.covered = covered
        failure.of_name = self.of_name
        failure.entry = self.entry
        failure.holder = <object> self.st.container if self.st.container != NULL else None
        failure.holder_entry = self.holder_entry
        failure.container = self.container
        failure.alternative = self.alternative
        failure.union = self.union
        failure.condition = self.condition
        failure.doubt = self.doubt
        failure.instruction = self.instruction_index
        self.failures.append(failure)
        return 0

    cdef bint accepts(self, int32_t node, object value):
        """Does a node accept the value at the current place?"""
        return visit(&self.st, node, <PyObject*> value, kind_of(<PyObject*> value), PLAIN, NULL)

    cdef bint accepts_inside(self, int32_t node, object value, object container, Py_ssize_t position):
        """Does a node accept a member, an item or a name?"""
        cdef PyObject* outer = self.st.container
        cdef Py_ssize_t outer_position = self.st.position
        self.st.container, self.st.position = <PyObject*> container, position | EXPLAINED
        accepted = self.accepts(node, value)
        self.st.container, self.st.position = outer, outer_position
        return accepted

    cdef int inside(self, int32_t node, object subschema, object value, object container, Py_ssize_t position, tuple path,
                    tuple evaluation) except -1:
        """Explain a node that a member or an item of a container has failed."""
        cdef int entry = self.entry
        cdef int holder_entry = self.holder_entry
        cdef PyObject* outer = self.st.container
        cdef Py_ssize_t outer_position = self.st.position
        if self.st.abort:
            return 0
        outer_subschema = self.container
        self.st.container, self.st.position = <PyObject*> container, position | EXPLAINED
        self.entry, self.holder_entry, self.container = node, entry, subschema.parent
        self.node(node, subschema, value, path, evaluation)
        self.entry, self.holder_entry, self.container = entry, holder_entry, outer_subschema
        self.st.container, self.st.position = outer, outer_position
        return 0

    cdef int node(self, int32_t index, object subschema, object value, tuple path, tuple evaluation) except -1:
        """Explain what a node has against a value. `subschema` is where the way to the node began."""
        cdef const Node* node = &self.st.nodes[index]
        cdef int kind = kind_of(<PyObject*> value)
        cdef Bits* bits = NULL
        cdef const Instr* instr
        cdef int32_t depth = self.st.depth
        if self.done() or not pay(&self.st, NODE_STEPS) or self.st.frames > MAX_FRAMES - NODE_FRAMES:
            self.more = True
            return 0
        if kind == NOT_JSON:
            return self.not_json(path)
        if node.flags & JOIN:
            key = (index, path)
            if key in self.explained and not self.of_name:
                return 0
            self.explained.add(key)
        if subschema is not self.plan.origins[index]:
            hops, subschema = unchained(subschema, self.plan.origins[index])
            evaluation += hops
        if not node.types >> kind & 1:
            self.add("type" if index != FALSE_NODE else None, subschema, value, path, evaluation)
            if index == FALSE_NODE:
                return 0
        if node.flags & COLLECTS and kind >= ARRAY:
            bits = new_bits(&self.st, container_size(<PyObject*> value, kind))
            if bits == NULL:
                return 0
        self.st.frames += NODE_FRAMES
        instr = &self.st.code[node.code[kind]]
        self.instructions(instr, subschema, value, kind, path, evaluation, bits)
        self.st.frames -= NODE_FRAMES
        self.st.depth = depth
        return 0

    cdef int not_json(self, tuple path) except -1:
        self.st.abort = NO_JSON
        self.odd = path
        return 0

    cdef int instructions(self, const Instr* instr, object subschema, object value, int kind, tuple path, tuple evaluation,
                          Bits* bits) except -1:
        cdef int mode = ALL_OF_IT if bits != NULL else PLAIN
        cdef int all_of = 0
        cdef bint failed = False
        cdef int32_t depth = self.st.depth
        while instr.op != END and not self.done():
            if instr.op == APPLY and self.plan.keywords[instr - self.st.code] == "allOf":
                all_of += 1
            if instr.op == COVER:
                instr += 1
                continue
            # Where something else has failed already, "unevaluated" would blame what was merely not reached.
            if failed and instr.op in (UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES):
                if instr.op == UNEVALUATED_PROPERTIES and instr.child == FALSE_NODE:
                    self.unknown(instr, subschema, value, path, evaluation)
                instr += 1
                continue
            if bits == NULL and (instr.op == MEMBERS or instr.op == ITEMS):
                # Every member is asked anyway, and nothing else depends on whether all of them are right.
                self.instruction(instr, subschema, value, kind, path, evaluation, bits, all_of - 1)
            elif not run(&self.st, instr, <PyObject*> value, kind, mode, bits, True) and not self.st.abort:
                failed = True
                self.st.depth = depth
                self.instruction(instr, subschema, value, kind, path, evaluation, bits, all_of - 1)
            instr += 1
        return 0

    cdef int instruction(self, const Instr* instr, object subschema, object value, int kind, tuple path, tuple evaluation,
                         Bits* bits, int all_of) except -1:
        """Explain one instruction that failed."""
        cdef str keyword = self.plan.keywords[instr - self.st.code]
        cdef int op = instr.op
        self.instruction_index = <uint32_t> (instr - self.st.code)
        if op == MEMBERS:
            return self.members(<const Members*> instr.arg.p, subschema, value, path, evaluation)
        if op == ITEMS:
            return self.items(<const Items*> instr.arg.p, subschema, value, path, evaluation)
        if op == CONTAINS:
            return self.contains(<const Contains*> instr.arg.p, subschema, value, path, evaluation)
        if op == UNIQUE_ITEMS:
            return self.unique(subschema, value, path, evaluation)
        if op == UNEVALUATED_ITEMS or op == UNEVALUATED_PROPERTIES:
            return self.unevaluated(instr.child, keyword, subschema, value, path, evaluation, bits)
        if op == PROPERTY_NAMES:
            return self.names(instr.child, subschema, value, path, evaluation)
        if op == APPLY:
            return self.applied(instr.child, keyword, all_of, subschema, value, path, evaluation)
        if op == ANY_OF or op == ONE_OF:
            return self.branches(<const Branches*> instr.arg.p, op, keyword, subschema, value, path, evaluation)
        if op == CONDITION:
            return self.condition_of(<const Condition*> instr.arg.p, subschema, value, kind, path, evaluation)
        return self.add(keyword, subschema, value, path, evaluation)

    # --- members and items ---------------------------------------------------------------------------------------------

    cdef int members(self, const Members* members, object subschema, object value, tuple path, tuple evaluation) except -1:
        cdef dict children = subschema.children
        cdef dict schema = subschema.value
        cdef uint32_t i
        # Looking a name up would call `__eq__` of keys that are subclasses of str, and `__contains__` of a subclass of dict.
        present = value
        if type(value) is not dict or not only_exact_keys(&self.st, <PyObject*> value):
            if self.st.abort:
                return self.not_json(path)
            present = {str.__str__(name) for name in list(dict.keys(value)) if isinstance(name, str)}
        if members.n_required:
            missing = [name for name in schema["required"] if name not in present]
            if missing:
                missing = list(dict.fromkeys(missing)) if len(missing) > 1 else missing
                self.add("required", subschema, value, path, evaluation, missing)
        if members.n_dependencies:
            for keyword in ("dependentRequired", "dependencies"):
                if keyword in schema and keyword in subschema.resource.dialect.keywords:
                    for trigger, needed in schema[keyword].items():
                        if isinstance(needed, list) and trigger in present:
                            missing = [name for name in needed if name not in present]
                            if missing:
                                self.add(keyword, subschema, value, path, evaluation, (trigger, missing))
        self.each_member(members, children, subschema, value, path, evaluation)
        if members.n_dependencies:
            triggers = [(keyword, trigger) for keyword in ("dependentSchemas", "dependencies") for trigger in children.get(keyword, ())]
            nodes = [members.dependencies[i].child for i in range(members.n_dependencies) if members.dependencies[i].child != NO_NODE]
            for (keyword, trigger), node in zip(triggers, nodes):
                if trigger in present and not self.done() and not self.accepts(node, value) and not self.st.abort:
                    self.where((trigger, True, path, 1 << OBJECT), node, children[keyword][trigger], value, path,
                               evaluation + (keyword, trigger))
        return 0

    cdef int each_member(self, const Members* members, dict children, object subschema, object value, tuple path,
                         tuple evaluation) except -1:
        cdef uint32_t instruction = self.instruction_index
        cdef Py_ssize_t place = 0
        cdef PyObject* key
        cdef PyObject* item
        cdef const Name* name
        cdef uint32_t i
        cdef bint known
        unknown = None
        while not self.done() and pay(&self.st, CAREFUL_MEMBER) and PyDict_Next(<PyObject*> value, &place, &key, &item):
            if not PyUnicode_Check(key):
                return self.not_json(path)
            # Kept alive: another thread may change the object while patterns are matched.
            member, given = <object> item, <object> key
            text = given if PyUnicode_CheckExact(key) else str.__str__(given)
            known = False
            self.instruction_index = instruction
            name = find_name(&members.names, key)
            if name != NULL and name.child != NO_NODE:
                known = True
                if not self.accepts_inside(name.child, member, value, place):
                    self.inside(name.child, children["properties"][text], member, value, place, path + (text,),
                                evaluation + ("properties", text))
            for i in range(members.n_patterns):
                if matches(&self.st, members.patterns[i].pattern, key):
                    known = True
                    if not self.accepts_inside(members.patterns[i].child, member, value, place):
                        source = list(children["patternProperties"])[i]
                        self.inside(members.patterns[i].child, children["patternProperties"][source], member, value, place,
                                    path + (text,), evaluation + ("patternProperties", source))
            if known or members.additional == NO_NODE:
                continue
            if members.additional == FALSE_NODE:
                if unknown is None:
                    unknown = []
                unknown.append(text)
            elif not self.accepts_inside(members.additional, member, value, place):
                self.inside(members.additional, children["additionalProperties"], member, value, place, path + (text,),
                            evaluation + ("additionalProperties",))
        if unknown is not None:
            self.instruction_index = instruction
            self.add("additionalProperties", subschema, value, path, evaluation, unknown)
        return 0

    cdef int items(self, const Items* items, object subschema, object value, tuple path, tuple evaluation) except -1:
        cdef dict children = subschema.children
        listed, following = "prefixItems", "items"
        if isinstance(children.get("items"), list):  # up to 2019-09
            listed, following = "items", "additionalItems"
        prefix, rest = children.get(listed), children.get(following)
        cdef Py_ssize_t i = 0
        while i < array_size(<PyObject*> value) and not self.done():
            item = <object> array_item(<PyObject*> value, i)
            if i < items.n_prefix:
                if not self.accepts_inside(items.prefix[i], item, value, i):
                    self.inside(items.prefix[i], prefix[i], item, value, i, path + (i,), evaluation + (listed, i))
            elif items.rest == NO_NODE:
                break
            elif items.rest == FALSE_NODE:
                self.add(following, subschema, value, path, evaluation, items.n_prefix)
                break
            elif not self.accepts_inside(items.rest, item, value, i):
                self.inside(items.rest, rest, item, value, i, path + (i,), evaluation + (following,))
            i += 1
        return 0

    cdef int contains(self, const Contains* contains, object subschema, object value, tuple path, tuple evaluation) except -1:
        cdef Py_ssize_t i = 0, found = 0
        while i < array_size(<PyObject*> value) and not self.st.abort:
            found += self.accepts_inside(contains.child, <object> array_item(<PyObject*> value, i), value, i)
            i += 1
        if found > contains.largest >= 0:
            return self.add("maxContains", subschema, value, path, evaluation, found)
        keyword = "minContains" if contains.smallest > 1 and found else "contains"
        context = None if found else self.near_item(contains.child, subschema.children["contains"], value, path,
                                                    evaluation + ("contains",))
        return self.add(keyword, subschema, value, path, evaluation, found, context)

    cdef list near_item(self, int32_t child, object subschema, object value, tuple path, tuple evaluation):
        """What the one item of the right kind is wrong in; None where there are several, or none."""
        cdef Py_ssize_t i, near = -1
        cdef Py_ssize_t size = array_size(<PyObject*> value)
        if size > NEAR_ITEMS or self.st.abort:
            return None
        for i in range(size):
            if self.st.nodes[child].types >> kind_of(array_item(<PyObject*> value, i)) & 1:
                if near >= 0:
                    return None
                near = i
        if near < 0:
            return None
        item = <object> array_item(<PyObject*> value, near)
        return self.branch(child, subschema, item, path + (near,), evaluation, BRANCH_FAILURES, None, -1, True, value, near)

    cdef int unique(self, object subschema, object value, tuple path, tuple evaluation) except -1:
        cdef Py_ssize_t first = 0, second = 0
        if has_duplicates(&self.st, <PyObject*> value, &first, &second):
            self.add("uniqueItems", subschema, value, path, evaluation, (first, second))
        return 0

    cdef int names(self, int32_t child, object subschema, object value, tuple path, tuple evaluation) except -1:
        held = subschema.children["propertyNames"]
        cdef PyObject* outer = self.st.container
        cdef Py_ssize_t outer_position = self.st.position
        for position, key in enumerate(list(dict.keys(value))):
            if not PyUnicode_Check(<PyObject*> key):
                return self.not_json(path)
            if self.done():
                break
            key = str.__str__(key)
            self.st.container, self.st.position = <PyObject*> value, <Py_ssize_t> position | EXPLAINED | OF_NAME
            if not self.accepts(child, key) and not self.st.abort:
                self.of_name = True
                self.node(child, held, key, path, evaluation + ("propertyNames",))
                self.of_name = False
            self.st.container, self.st.position = outer, outer_position
        return 0

    cdef int unevaluated(self, int32_t child, str keyword, object subschema, object value, tuple path, tuple evaluation,
                         Bits* bits) except -1:
        # The instruction has marked what it accepted, so that what is unmarked and not accepted is to blame.
        cdef Py_ssize_t i
        rejected = []
        if PyDict_Check(<PyObject*> value):
            parts = list(dict.items(value))
        else:
            parts = [(i, <object> array_item(<PyObject*> value, i)) for i in range(array_size(<PyObject*> value))]
        for i, (part, item) in enumerate(parts):
            if self.done():
                break
            if not isinstance(part, int):
                if not PyUnicode_Check(<PyObject*> part):
                    return self.not_json(path)
                part = str.__str__(part)
            if marked(bits, i):
                continue
            if child == FALSE_NODE:
                rejected.append(part)
            elif not self.accepts_inside(child, item, value, i):
                self.inside(child, subschema.children[keyword], item, value, i, path + (part,), evaluation + (keyword,))
        if rejected:
            self.add(keyword, subschema, value, path, evaluation, rejected)
        return 0

    cdef int unknown(self, const Instr* instr, object subschema, object value, tuple path, tuple evaluation) except -1:
        """The names that nothing evaluates, whatever else is wrong: where `properties` alone says which may be given."""
        cdef dict children = subschema.children
        if subschema.targets or not children.keys() <= {"properties", "unevaluatedProperties"}:
            return 0
        properties = children.get("properties", {})
        names = [str.__str__(name) for name in list(dict.keys(value)) if isinstance(name, str)]
        if pay(&self.st, len(names)):
            rejected = [name for name in names if name not in properties]
            if rejected:
                self.instruction_index = <uint32_t> (instr - self.st.code)
                self.add("unevaluatedProperties", subschema, value, path, evaluation, rejected)
        return 0

    # --- in-place applicators ------------------------------------------------------------------------------------------

    cdef int applied(self, int32_t child, str keyword, int all_of, object subschema, object value, tuple path,
                     tuple evaluation) except -1:
        if keyword == "allOf":
            return self.node(child, subschema.children["allOf"][all_of], value, path, evaluation + ("allOf", all_of))
        target = subschema.targets[keyword]
        if isinstance(target, DynamicTarget):
            target = self.plan.origins[child] or target.initial
        return self.node(child, target, value, path, evaluation + (keyword,))

    cdef int condition_of(self, const Condition* condition, object subschema, object value, int kind, tuple path,
                          tuple evaluation) except -1:
        cdef bint holds = self.accepts(condition.test, value)
        if self.st.abort:
            return 0
        keyword = "then" if holds else "else"
        return self.where((subschema.children["if"], holds, path, 1 << kind),
                          condition.then if holds else condition.otherwise,
                          subschema.children[keyword], value, path, evaluation + (keyword,))

    cdef int where(self, tuple condition, int32_t child, object subschema, object value, tuple path, tuple evaluation) except -1:
        """Explain a node that applies under a condition only."""
        outer, self.condition = self.condition, condition
        self.node(child, subschema, value, path, evaluation)
        self.condition = outer
        return 0

    cdef int branches(self, const Branches* branches, int op, str keyword, object subschema, object value, tuple path,
                      tuple evaluation) except -1:
        """The branch that the value comes closest to stands for the whole: its failures come first, then the union's."""
        cdef uint32_t instruction = self.instruction_index
        cdef uint32_t i
        cdef bint more, lifts, partial
        cdef Failure failure
        if op == ONE_OF:
            accepting = [i for i in range(branches.n) if self.accepts(branches.children[i], value)]
            if self.st.abort:
                return 0
            if accepting:
                return self.add(keyword, subschema, value, path, evaluation, accepting)
        best, failures, more, partial = self.judged(branches, instruction, subschema, keyword, value, path, evaluation + (keyword,))
        if self.st.abort:
            return 0
        self.instruction_index = instruction
        if best < 0:
            return self.add(keyword, subschema, value, path, evaluation)
        # What went wrong inside says more than that none of the branches fits; unless the value is not of that kind.
        lifts = not is_of_kind(failures, len(path))
        if lifts:
            for failure in failures:
                if not self.has(failure) and self.takes(failure.covered):
                    self.failures.append(failure)
        self.add(keyword, subschema, value, path, evaluation, best, failures, lifts and not partial)
        self.more = self.more or (lifts and more)
        return 0

    cdef bint has(self, Failure noted):
        """Has a failure of a branch been noted outside of it?"""
        cdef Failure failure
        for failure in self.failures:
            if failure.repeats(noted.keyword, noted.subschema, noted.instance, noted.path, noted.detail, noted.of_name):
                return True
        return False

    cdef tuple judged(self, const Branches* branches, uint32_t instruction, object subschema, str keyword, object value,
                      tuple path, tuple evaluation):
        """The index of the branch that stands for a union, or -1; what is wrong in it, whether there was more, and whether
        that is not all that is wrong."""
        cdef bint outer_cut = self.cut
        cdef bint more = False
        cdef Failure failure
        cdef Choice choice
        if self.chosen is None:
            self.chosen = {}
        choice, failures = self.chosen.get((instruction, path)), None
        if choice is None:
            choice, failures = self.nearest(branches, subschema, keyword, value, path, evaluation)
            if self.st.abort:
                return -1, None, False, False
            self.chosen[instruction, path] = choice
        best = choice.index
        if failures is None and best >= 0:
            self.cut = False
            failures = self.branch(branches.children[best], subschema.children[keyword][best], value, path,
                                   evaluation + (best,), self.room, (subschema, keyword, path),
                                   best if choice.common is None else -1, choice.certain)
            more = self.beyond
            self.cut = self.cut or outer_cut
        if failures is not None and choice.common is not None:
            failures = [failure for failure in failures if (failure.keyword, failure.path) in choice.common]
        if failures is not None and choice.shared:
            failures = with_rivals(failures, choice.shared)
        return best, failures, more, choice.partial

    cdef tuple nearest(self, const Branches* branches, object subschema, str keyword, object value, tuple path, tuple evaluation):
        """The `Choice` of the branch that the value was most probably meant for; where nothing speaks for one of several, of
        the first of them, for what all have against the value. And the failures of the branch, or None where those looked
        for while the branches are compared are not all."""
        cdef bint cut = False, outer_cut = self.cut, by_weight
        cdef int kind = kind_of(<PyObject*> value)
        cdef Choice choice = Choice.__new__(Choice)
        held = subschema.children[keyword]
        candidates = self.candidates(branches, held, value, kind)
        choice.index = candidates[0][0] if candidates else -1
        choice.certain = is_certain(candidates)
        if choice.certain:
            return choice, None
        tag, by_tag = subschema.tags.get(keyword, NO_TAG)
        # Under a tag that is no branch's, how much is wrong in a branch says nothing.
        by_weight = tag is None or kind != OBJECT or not has_wrong_tag(self.portraits(held), value, tag, by_tag)
        best_rank, level = None, []
        for i, seen in candidates:
            if best_rank is not None and seen[:2] != best_rank[:2]:
                break  # the rank begins with what is seen
            self.cut = False
            failures = self.branch(branches.children[i], held[i], value, path, evaluation + (i,), BRANCH_FAILURES,
                                   (subschema, keyword, path), i, False)
            if self.st.abort:
                break
            if failures:
                rank = branch_rank(failures, len(path), seen, by_weight)
                if best_rank is None or rank > best_rank:
                    best_rank, level, cut = rank, [], self.cut
                if rank == best_rank:
                    level.append((i, failures))
        self.cut = outer_cut
        choice.index = level[0][0] if level else -1
        lists = [failures for _, failures in level]
        if len(level) == 1:
            return choice, None if cut or self.room < BRANCH_FAILURES else lists[0]
        if level:
            weigh(choice, lists, None if tag is None else path + (tag,), len(path), by_weight)
        return choice, None

    cdef list candidates(self, const Branches* branches, list held, object value, int kind):
        """The branches for values of this kind, `(index, evidence)`, those first for which the tags speak."""
        cdef uint32_t i
        able = [i for i in range(branches.n) if branches.kinds[i] >> kind & 1]
        drawn = self.portraits(held) if kind == OBJECT and len(able) > 1 else None
        if not drawn:
            return [(i, NO_EVIDENCE) for i in able]
        return sorted([(i, evidence(drawn, i, value)) for i in able], key=by_tags, reverse=True)

    cdef list portraits(self, list held):
        """The portraits of the branches of a union, paid once in an explanation."""
        if self.drawn is None:
            self.drawn = {}
        found = self.drawn.get(id(held))
        if found is None:
            found = self.drawn[id(held)] = portraits(held)
            if not pay(&self.st, sum([NODE_STEPS + len(portrait.names) for portrait in found])):
                return []
        return found

    cdef list branch(self, int32_t child, object subschema, object value, tuple path, tuple evaluation, Py_ssize_t room,
                     tuple union, Py_ssize_t index, bint certain, object container=None, Py_ssize_t position=0):
        """The failures of one branch, or of an item of a container, apart from all others. `index`: of the branch that they
        are to be told of, or -1; `certain`: whether it is no guess."""
        outer = (self.failures, self.room, self.union, self.alternative, self.explained)
        cdef Py_ssize_t doubt = self.doubt
        cdef bint more = self.more
        self.failures, self.room, self.more, self.explained = [], room, False, set()
        self.union = union
        self.alternative = (union[0], union[1], index) if index >= 0 else None
        if doubt < 0 and not certain:
            self.doubt = len(union[2])
        try:
            if container is None:
                self.node(child, subschema, value, path, evaluation)
            else:
                self.inside(child, subschema, value, container, position, path, evaluation)
            return self.failures
        finally:
            self.failures, self.room, self.union, self.alternative, self.explained = outer
            self.doubt = doubt
            self.beyond, self.more = self.more, more


def by_tags(candidate):
    return candidate[1][:2]
