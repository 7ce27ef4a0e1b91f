# cython: auto_pickle=False
"""The explainer: after an invalid verdict, finds what failed and where, within a budget of its own.

Comes in: an evaluator and an instance that it has found invalid. Goes out: a list of `Failure`, at most as many as asked
for. Every question about a value goes to the evaluator's own instructions, so that a keyword has one meaning; only what
failed is looked into. Writes no words.
"""

from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..lowering.arrays import items_of
from ..lowering.lowering import unchained
from ..subschemas import DynamicTarget

from .checks cimport Evaluator
from .evaluator cimport ALL_OF_IT, PLAIN, run, visit
from .leaves cimport matches
from .memo cimport new_bits, release
from .meter cimport MAX_FRAMES, NO_JSON, Bits, State, pay
from .plan cimport (
    ANY_OF, APPLY, ARRAY, COLLECTS, CONDITION, CONTAINS, COVER, END, FALSE_NODE, ITEMS, MEMBERS, NO_NODE, NOT_JSON, OBJECT,
    ONE_OF, PROPERTY_NAMES, UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES, UNIQUE_ITEMS,
    Branches, Condition, Contains, Instr, Items, Members, Name, Node, Plan,
)
from .values cimport PyUnicode_Check, array_item, array_size, container_size, find_name, has_duplicates, kind_of

# Steps for a node that is explained: it costs far more than a visit.
cdef enum:
    NODE_STEPS = 50
    NODE_FRAMES = 3       # of the evaluator's frames, by the stack that it takes
    BRANCH_FAILURES = 3   # failures looked for in a branch while the branches are compared


cdef class Failure:
    """One keyword that a value failed."""

    cdef readonly str keyword          # None for a `false` schema
    cdef readonly object subschema     # the Subschema that holds the keyword
    cdef readonly object instance
    cdef readonly tuple path           # of the instance
    cdef readonly tuple evaluation     # tokens of the evaluation path, the keyword included
    cdef readonly object detail        # what the keyword's words need besides; by keyword
    cdef readonly list context         # failures of the branch judged, for anyOf and oneOf
    cdef readonly bint of_name         # the instance is the name of a property of the object at `path`

    def __init__(self, keyword, subschema, instance, path, evaluation, detail, context, of_name):
        self.keyword = keyword
        self.subschema = subschema
        self.instance = instance
        self.path = path
        self.evaluation = evaluation
        self.detail = detail
        self.context = context
        self.of_name = of_name


def explain(Evaluator evaluator, instance, Py_ssize_t max_failures):
    """Return `(failures, more)`: what is wrong, and whether there was more to say."""
    cdef Explanation explanation = Explanation(evaluator, max_failures)
    return explanation.explain(instance)


cdef class Explanation:
    """One explanation under way."""

    cdef State st
    cdef Plan plan
    cdef list failures
    cdef set seen
    cdef Py_ssize_t room
    cdef bint more
    cdef bint of_name

    def __init__(self, Evaluator evaluator, Py_ssize_t max_failures):
        evaluator.begin(&self.st)
        # Python code runs in here: nothing that is looked at may vanish meanwhile.
        self.st.holds = True
        self.plan = evaluator.plan
        self.failures = []
        self.seen = set()
        self.room = max_failures
        self.more = False
        self.of_name = False

    def explain(self, instance):
        try:
            self.node(self.plan.root, self.plan.root_origin, instance, (), ())
            return self.failures, self.more or self.st.abort != 0
        finally:
            release(&self.st)

    cdef bint done(self):
        return self.st.abort != 0 or self.more

    cdef int add(self, str keyword, object subschema, object instance, tuple path, tuple evaluation, object detail=None,
                 list context=None) except -1:
        """Note a failure, unless the same keyword has failed at the same place before."""
        key = (keyword, path, repr(detail) if keyword == "required" else None, instance if self.of_name else None)
        if key in self.seen:
            return 0
        if len(self.failures) >= self.room:
            self.more = True
            return 0
        self.seen.add(key)
        if keyword is not None:
            evaluation += (keyword,)
        self.failures.append(Failure(keyword, subschema, instance, path, evaluation, detail, context, self.of_name))
        return 0

    cdef bint accepts(self, int32_t node, object value):
        return visit(&self.st, node, <PyObject*> value, kind_of(<PyObject*> value), PLAIN, NULL)

    cdef int check(self, int32_t node, object subschema, object value, tuple path, tuple evaluation) except -1:
        """Explain a node if the value fails it."""
        if not self.done() and not self.accepts(node, value) and not self.st.abort:
            self.node(node, subschema, value, path, evaluation)
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
            self.st.abort = NO_JSON
            return 0
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

    cdef int instructions(self, const Instr* instr, object subschema, object value, int kind, tuple path, tuple evaluation,
                          Bits* bits) except -1:
        cdef int mode = ALL_OF_IT if bits != NULL else PLAIN
        cdef int all_of = 0
        cdef bint failed = False
        cdef int32_t depth = self.st.depth
        while instr.op != END and not self.done():
            if instr.op == APPLY and self.plan.keywords[instr - self.st.code] == "allOf":
                all_of += 1
            # Where something else has failed already, "unevaluated" would blame what was merely not reached.
            if instr.op == COVER or (failed and instr.op in (UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES)):
                instr += 1
                continue
            if not run(&self.st, instr, <PyObject*> value, kind, mode, bits, True) and not self.st.abort:
                failed = True
                self.st.depth = depth
                self.instruction(instr, subschema, value, path, evaluation, bits, all_of - 1)
            instr += 1
        return 0

    cdef int instruction(self, const Instr* instr, object subschema, object value, tuple path, tuple evaluation, Bits* bits,
                         int all_of) except -1:
        """Explain one instruction that failed."""
        cdef str keyword = self.plan.keywords[instr - self.st.code]
        cdef int op = instr.op
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
            return self.condition(<const Condition*> instr.arg.p, subschema, value, path, evaluation)
        return self.add(keyword, subschema, value, path, evaluation)

    # --- members and items ---------------------------------------------------------------------------------------------

    cdef int members(self, const Members* members, object subschema, object value, tuple path, tuple evaluation) except -1:
        cdef dict children = subschema.children
        schema = subschema.value
        keywords = subschema.resource.dialect.keywords
        present = {name for name in dict.keys(value) if isinstance(name, str)}
        if members.n_required:
            missing = [name for name in dict.fromkeys(schema["required"]) if name not in present]
            if missing:
                self.add("required", subschema, value, path, evaluation, missing)
        for keyword in ("dependentRequired", "dependencies"):
            if keyword in schema and keyword in keywords:
                for trigger, needed in schema[keyword].items():
                    if isinstance(needed, list) and trigger in present:
                        missing = [name for name in needed if name not in present]
                        if missing:
                            self.add(keyword, subschema, value, path, evaluation, (trigger, missing))
        self.each_member(members, children, subschema, value, path, evaluation)
        cdef uint32_t i
        if members.n_dependencies:
            triggers = [(keyword, trigger) for keyword in ("dependentSchemas", "dependencies") for trigger in children.get(keyword, ())]
            nodes = [members.dependencies[i].child for i in range(members.n_dependencies) if members.dependencies[i].child != NO_NODE]
            for (keyword, trigger), node in zip(triggers, nodes):
                if trigger in present:
                    self.check(node, children[keyword][trigger], value, path, evaluation + (keyword, trigger))
        return 0

    cdef int each_member(self, const Members* members, dict children, object subschema, object value, tuple path,
                         tuple evaluation) except -1:
        cdef const Name* name
        cdef uint32_t i
        cdef bint known
        unknown = []
        try:
            present = list(dict.items(value))
        except RuntimeError:  # another thread is changing it
            self.more = True
            return 0
        for key, item in present:
            if self.done():
                return 0
            if not PyUnicode_Check(<PyObject*> key):
                self.st.abort = NO_JSON
                return 0
            key = str.__str__(key)
            known = False
            name = find_name(&members.names, <PyObject*> key)
            if name != NULL and name.child != NO_NODE:
                known = True
                self.check(name.child, children["properties"][key], item, path + (key,), evaluation + ("properties", key))
            for i, source in enumerate(children.get("patternProperties", ())):
                if matches(&self.st, members.patterns[i].pattern, <PyObject*> key):
                    known = True
                    self.check(members.patterns[i].child, children["patternProperties"][source], item, path + (key,),
                               evaluation + ("patternProperties", source))
            if known or members.additional == NO_NODE:
                continue
            if members.additional == FALSE_NODE:
                unknown.append(key)
            else:
                self.check(members.additional, children["additionalProperties"], item, path + (key,),
                           evaluation + ("additionalProperties",))
        if unknown:
            self.add("additionalProperties", subschema, value, path, evaluation, unknown)
        return 0

    cdef int items(self, const Items* items, object subschema, object value, tuple path, tuple evaluation) except -1:
        prefix, rest = items_of(subschema)
        listed = "items" if isinstance(subschema.children.get("items"), list) else "prefixItems"
        following = "additionalItems" if listed == "items" else "items"
        cdef Py_ssize_t i = 0
        while i < array_size(<PyObject*> value) and not self.done():
            item = <object> array_item(<PyObject*> value, i)
            if i < items.n_prefix:
                self.check(items.prefix[i], prefix[i], item, path + (i,), evaluation + (listed, i))
            elif items.rest == NO_NODE:
                break
            elif items.rest == FALSE_NODE:
                self.add(following, subschema, value, path, evaluation, items.n_prefix)
                break
            else:
                self.check(items.rest, rest, item, path + (i,), evaluation + (following,))
            i += 1
        return 0

    cdef int contains(self, const Contains* contains, object subschema, object value, tuple path, tuple evaluation) except -1:
        cdef Py_ssize_t i = 0
        found = []
        while i < array_size(<PyObject*> value) and not self.st.abort:
            if self.accepts(contains.child, <object> array_item(<PyObject*> value, i)):
                found.append(i)
            i += 1
        if len(found) > contains.largest >= 0:
            return self.add("maxContains", subschema, value, path, evaluation, len(found))
        keyword = "minContains" if contains.smallest > 1 and found else "contains"
        return self.add(keyword, subschema, value, path, evaluation, len(found))

    cdef int unique(self, object subschema, object value, tuple path, tuple evaluation) except -1:
        cdef Py_ssize_t first = 0, second = 0
        if has_duplicates(&self.st, <PyObject*> value, &first, &second):
            self.add("uniqueItems", subschema, value, path, evaluation, (first, second))
        return 0

    cdef int names(self, int32_t child, object subschema, object value, tuple path, tuple evaluation) except -1:
        held = subschema.children["propertyNames"]
        for key in list(dict.keys(value)):
            if not PyUnicode_Check(<PyObject*> key):
                self.st.abort = NO_JSON
                return 0
            if self.done():
                break
            key = str.__str__(key)
            if not self.accepts(child, key) and not self.st.abort:
                self.of_name = True
                self.node(child, held, key, path, evaluation + ("propertyNames",))
                self.of_name = False
        return 0

    cdef int unevaluated(self, int32_t child, str keyword, object subschema, object value, tuple path, tuple evaluation,
                         Bits* bits) except -1:
        # The instruction has marked what it accepted, so that what is unmarked and not accepted is to blame.
        cdef Py_ssize_t i
        rejected = []
        parts = list(dict.items(value)) if isinstance(value, dict) else list(enumerate(<object> value))
        for i, (part, item) in enumerate(parts):
            if self.done():
                break
            if i < bits.size and bits.words[i >> 6] >> (i & 63) & 1:
                continue
            if child == FALSE_NODE:
                rejected.append(part)
            else:
                self.check(child, subschema.children[keyword], item, path + (part,), evaluation + (keyword,))
        if rejected:
            self.add(keyword, subschema, value, path, evaluation, rejected)
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

    cdef int condition(self, const Condition* condition, object subschema, object value, tuple path, tuple evaluation) except -1:
        if self.accepts(condition.test, value):
            return self.node(condition.then, subschema.children["then"], value, path, evaluation + ("then",))
        if self.st.abort:
            return 0
        return self.node(condition.otherwise, subschema.children["else"], value, path, evaluation + ("else",))

    cdef int branches(self, const Branches* branches, int op, str keyword, object subschema, object value, tuple path,
                      tuple evaluation) except -1:
        """The branch that the value comes closest to stands for the whole."""
        cdef uint32_t i
        cdef int kind = kind_of(<PyObject*> value)
        held = subschema.children[keyword]
        if op == ONE_OF:
            accepting = [i for i in range(branches.n) if self.accepts(branches.children[i], value)]
            if self.st.abort:
                return 0
            if accepting:
                return self.add(keyword, subschema, value, path, evaluation, accepting)
        candidates = [i for i in range(branches.n) if branches.kinds[i] >> kind & 1]
        best = None
        for i in candidates:
            failures = self.branch(branches.children[i], held[i], value, path, evaluation + (keyword, i))
            if self.st.abort:
                break
            rank = branch_rank(failures, len(path))
            if failures and (best is None or rank > best[0]):
                best = (rank, i, failures)
        if self.st.abort and best is None:
            return 0
        if best is None:
            return self.add(keyword, subschema, value, path, evaluation, None)
        return self.add(keyword, subschema, value, path, evaluation, best[1], best[2])

    cdef list branch(self, int32_t child, object subschema, object value, tuple path, tuple evaluation):
        """The failures of one branch, apart from all others."""
        failures, seen, room, more = self.failures, self.seen, self.room, self.more
        self.failures, self.seen, self.room, self.more = [], set(), BRANCH_FAILURES, False
        try:
            self.node(child, subschema, value, path, evaluation)
            return self.failures
        finally:
            self.failures, self.seen, self.room, self.more = failures, seen, room, more


cdef tuple branch_rank(list failures, Py_ssize_t depth):
    """Higher is closer: what goes wrong deeper inside went right further, and fewer faults are better than many."""
    cdef Py_ssize_t deepest = 0
    own = 0
    tagged = 0
    for failure in failures:
        deepest = max(deepest, len(failure.path) - depth)
        if len(failure.path) == depth:
            own += 1
            if failure.keyword == "type":
                tagged += 1
        elif failure.keyword in ("const", "enum"):
            tagged += 1
    return -tagged, deepest, -own, -len(failures)
