# ruff: noqa
# fmt: off
"""Hostile JSON Schema lab: the cases.

Each case is a function registered with @case(...); it takes a ctx (ctx.base = URL of a loopback listener) and
returns (schema, instance).  Metadata:
  id, kind, attacks   what it attacks
  truth               the right answer if validation were unbounded: valid | invalid | bad-schema | unresolvable |
                      infinite (infinite recursion on one location) | non-json | unknown
  safe                outcomes that a safe engine may give within its budget
  form                json   = plain JSON data, also handed to the node peers
                      python = Python objects only
  d7                  False where a draft-07 validator is not expected to know the keyword (fastjsonschema)
  net                 True where no network or file may be touched (all cases really; these try to)
"""
import collections, decimal, enum, dataclasses, math, types, sys

CASES = {}
VI = ("valid", "invalid")


def case(id, kind, attacks, truth, safe=None, form="json", d7=True, net=False, note=""):
    def deco(fn):
        if id in CASES:
            raise SystemExit("duplicate id " + id)
        s = safe
        if s is None:
            s = [truth, "budget"] if truth != "unknown" else ["valid", "invalid", "bad-schema", "budget"]
        CASES[id] = dict(id=id, kind=kind, attacks=attacks, truth=truth, safe=list(s), form=form, d7=d7, net=net, note=note, fn=fn)
        return fn
    return deco


def nest(depth, wrap, leaf):
    x = leaf
    for _ in range(depth):
        x = wrap(x)
    return x


def doubling(n, mk, leaf):
    """$defs a0..an; a_i = mk(ref to a_{i-1})."""
    d = {"a0": leaf}
    for i in range(1, n + 1):
        d["a%d" % i] = mk({"$ref": "#/$defs/a%d" % (i - 1)})
    return {"$ref": "#/$defs/a%d" % n, "$defs": d}

# ---------------------------------------------------------------- exponential combinators
K = "exponential"
@case("exp-unevaluatedProperties-nested-200", K, "validate time (re-evaluation per level)", "valid", d7=False)
def _(c): return nest(200, lambda s: {"allOf": [s], "unevaluatedProperties": False}, {"properties": {"a": {"type": "integer"}}}), {"a": 1}
@case("exp-memo-defeat-distinct-schemas-14", K, "validate time: 2^14 schema nodes x 2^4 instances, nothing to memoise", "invalid")
def _(c): return {"items": nest(13, lambda s: {"anyOf": [s, {"title": "t", **s}]}, {"type": "string"})}, list(range(16))
# polynomial
@case("poly-contains-100k", "polynomial", "validate time", "invalid", d7=False)
def _(c): return {"contains": {"anyOf": [{"const": "z%d" % i} for i in range(50)]}, "minContains": 100000}, ["x"] * 100000
@case("poly-allOf-1000-items-10k", "polynomial", "validate time 1e7 checks", "valid")
def _(c): return {"allOf": [{"items": {"minimum": -i}} for i in range(1000)]}, [1] * 10000
@case("poly-patternProperties-1000x10000-addl", "polynomial", "validate time", "invalid")
def _(c): return {"patternProperties": {"^z%d.*q$" % i: False for i in range(1000)}, "additionalProperties": False}, {"key%d" % i: i for i in range(10000)}
@case("poly-if-else-chain-5000", "polynomial", "stack", "invalid")
def _(c): return nest(5000, lambda s: {"if": {"const": 0}, "then": False, "else": s}, False), 1
@case("poly-dependentSchemas-1e4", "polynomial", "compile+validate time", "valid", d7=False)
def _(c): return {"dependentSchemas": {"k%d" % i: {"required": ["k0"]} for i in range(10000)}}, {"k%d" % i: 1 for i in range(10000)}
@case("poly-unevaluatedItems-1e4-contains", "polynomial", "validate time O(n^2)", "valid", d7=False)
def _(c): return {"allOf": [{"contains": {"const": i}} for i in range(300)], "unevaluatedItems": {"type": "integer"}}, list(range(3000))

# ---------------------------------------------------------------- infinite recursion
K = "infinite"
INF = ["infinite", "bad-schema", "budget"]
@case("ref-chain-20000", K, "stack at compile/validate", "valid")
def _(c): return doubling(20000, lambda r: r, {"type": "integer"}), 1
LL = {"type": "object", "required": ["v"], "properties": {"v": {"type": "integer"}, "next": {"$ref": "#"}}}
@case("rec-list-1000-bad-leaf", "legit-recursion", "stack, error paths", "invalid")
def _(c): return LL, nest(1000, lambda x: {"v": 1, "next": x}, {"v": "x"})
for _n in (100, 1000, 100000):
    @case("rec-array-%d" % _n, "legit-recursion", "stack", "valid")
    def _(c, n=_n): return {"type": "array", "items": {"$ref": "#"}}, nest(n, lambda x: [x], [])
@case("rec-dynamic-tree-500", "legit-recursion", "stack", "valid", d7=False)
def _(c): return {"$id": "https://e.test/t", "$dynamicAnchor": "n", "type": "object", "properties": {"c": {"type": "array", "items": {"$dynamicRef": "#n"}}}}, nest(500, lambda x: {"c": [x]}, {"c": []})

# ---------------------------------------------------------------- depth
K = "depth"
@case("depth-both-properties-10000", K, "validate stack", "valid")
def _(c): return nest(10000, lambda s: {"properties": {"a": s}}, {"type": "integer"}), nest(10000, lambda x: {"a": x}, 1)
@case("depth-const-equal-100000", K, "deep equality stack", "valid")
def _(c): return {"const": nest(100000, lambda x: [x], [])}, nest(100000, lambda x: [x], [])
for _n in (1000, 100000, 1000000):
    @case("depth-instance-%d-true-schema" % _n, K, "instance conversion stack", "valid")
    def _(c, n=_n): return {"type": "array"}, nest(n, lambda x: [x], [])
@case("depth-instance-1000-type-error", K, "error echo of a deep instance", "invalid")
def _(c): return {"type": "string"}, nest(1000, lambda x: [x], [])
@case("depth-instance-100000-type-error", K, "error echo of a deep instance", "invalid")
def _(c): return {"type": "string"}, nest(100000, lambda x: [x], [])
PYX = dict(form="python")
@case("self-ref-list-type", K, "instance conversion, infinite", "non-json", ["non-json", "budget"], **PYX)
def _(c):
    l = []; l.append(l); return {"type": "array"}, l
@case("self-ref-list-error-echo", K, "error echo", "non-json", ["non-json", "invalid", "budget"], **PYX)
def _(c):
    l = []; l.append(l); return {"type": "string"}, l
@case("self-ref-list-uniqueItems", K, "equality recursion", "non-json", ["non-json", "budget"], **PYX)
def _(c):
    l = []; l.append(l); m = []; m.append(m); return {"uniqueItems": True}, [l, m]
@case("dag-instance-2^40-items", K, "validate time", "valid", ["valid", "budget"], **PYX)
def _(c): return {"type": "array", "items": {"$ref": "#"}}, nest(40, lambda x: [x, x], [])
@case("dag-schema-2^40-allOf", K, "compile time", "valid", ["valid", "budget"], **PYX)
def _(c): return nest(40, lambda s: {"allOf": [s, s]}, {"type": "integer"}), 1
@case("dag-schema-2^40-default", K, "compile time in data keyword", "valid", ["valid", "budget"], **PYX)
def _(c): return {"default": nest(40, lambda s: [s, s], [])}, 1
@case("dag-const-vs-dag-2^30", K, "deep equality time", "valid", ["valid", "budget"], **PYX)
def _(c): return {"const": nest(30, lambda s: [s, s], [])}, nest(30, lambda s: [s, s], [])

# ---------------------------------------------------------------- size
K = "size"
@case("size-1e5-enum-mixed-miss", K, "validate time", "invalid")
def _(c): return {"enum": [[i, {"a": i}] for i in range(100000)]}, [1, {"a": 2}]
@case("size-1e6-required-missing", K, "error count", "invalid")
def _(c): return {"required": ["p%d" % i for i in range(1000000)]}, {}
@case("size-1e5-defs-chain", K, "compile time, stack", "valid")
def _(c): return {"$defs": {"d%d" % i: {"properties": {"n": {"$ref": "#/$defs/d%d" % (i + 1 if i < 99999 else 0)}}} for i in range(100000)}, "$ref": "#/$defs/d0"}, {"n": {"n": 1}}
@case("size-1e4-ids", K, "compile time", "valid")
def _(c): return {"$id": "https://e.test/", "$defs": {"d%d" % i: {"$id": "x%d" % i} for i in range(10000)}, "$ref": "x9999"}, 1
@case("size-5MB-key", K, "error text", "invalid")
def _(c): return {"additionalProperties": False}, {"k" * 5_000_000: 1}
@case("size-1e6-array-ok", K, "throughput", "valid")
def _(c): return {"items": {"type": "integer", "minimum": 0, "maximum": 10000000}}, list(range(1000000))
@case("size-1e6-array-all-fail", K, "error count", "invalid")
def _(c): return {"items": {"type": "string"}}, list(range(1000000))
@case("size-5MB-string-echo", K, "error text", "invalid")
def _(c): return {"type": "string", "maxLength": 10}, "A" * 5_000_000
@case("size-amplify-anyOf-1000x5MB", K, "error tree 5 GB", "invalid")
def _(c): return {"anyOf": [{"type": "integer", "title": str(i)} for i in range(1000)]}, "A" * 5_000_000
@case("size-amplify-nested-echo", K, "error text O(n^2): each level echoes its subtree", "invalid")
def _(c): return {"type": "array", "maxItems": 0, "items": {"anyOf": [{"$ref": "#"}]}}, nest(150, lambda x: [x, "pad" * 100], [])
@case("size-amplify-items-1000-whole-schema", K, "error text: schema echoed per error", "invalid")
def _(c): return {"items": {"enum": ["e" * 1000 + str(i) for i in range(1000)]}}, list(range(1000))
@case("size-type-array-1e5", K, "metaschema", "bad-schema", ["bad-schema", "budget"])
def _(c): return {"type": ["string"] * 100000}, "x"

# ---------------------------------------------------------------- ReDoS
K = "redos"
def redos(id, pat, inst, truth, note="", attacks="validate time", **kw):
    @case("redos-" + id, K, attacks, truth, note=note, **kw)
    def _(c): return {"type": "string", "pattern": pat() if callable(pat) else pat}, inst() if callable(inst) else inst
redos("lookahead-quadratic-1MB", "^(?:(?=.*b)a)*$", lambda: "a" * 1_000_000 + "b", "invalid", note="O(n^2): lookahead rescans the rest at each step")
redos("neg-lookahead-quadratic-1MB", "^(?:(?!.*c)a)*b$", lambda: "a" * 1_000_000 + "b", "valid", note="O(n^2)")
redos("poly-trailing-space-1e5", "\\s+$", lambda: " " * 100_000 + "x", "invalid", note="O(n^2) unanchored")
redos("counted-linear-heavy", "[ab]*a[ab]{400}c", lambda: "ab" * 500_000, "invalid", note="m*n work even for an automaton engine")
redos("huge-literal", lambda: "^" + "a" * 1_000_000 + "$", lambda: "a" * 1_000_000, "valid", attacks="regex compile")
redos("paren-depth-50000", lambda: "(?:" * 50000 + "a" + ")" * 50000, "a", "valid", attacks="regex parser stack", safe=["valid", "bad-schema", "budget"])
redos("capture-depth-50000", lambda: "(" * 50000 + "a" + ")" * 50000, "a", "valid", attacks="regex parser stack", safe=["valid", "bad-schema", "budget"])
redos("lookahead-depth-50000", lambda: "(?=" * 50000 + "a" + ")" * 50000, "a", "valid", attacks="regex parser stack", safe=["valid", "bad-schema", "budget"])
redos("unanchored-miss-1MB", "a.{0,50}b.{0,50}c", lambda: "ab" * 500_000, "invalid")
@case("redos-items-10k-strings", K, "validate time: a per-match limit is not a total limit", "invalid")
def _(c): return {"items": {"pattern": "^(?=(a+)+$)a*!$"}}, ["a" * 40 + "!"] * 10000

# ---------------------------------------------------------------- numbers
K = "numbers"
def num(id, schema, inst, truth, attacks="arithmetic", form="json", **kw):
    @case("num-" + id, K, attacks, truth, form=form, **kw)
    def _(c): return schema() if callable(schema) else schema, inst() if callable(inst) else inst
num("multipleOf-3-of-10^1e6", {"multipleOf": 3}, lambda: 10 ** 1000000, "invalid", "int digits in error text", form="python")
num("schema-maximum-10^5000", {"maximum": 10 ** 5000}, 1, "valid", "schema conversion")
num("nan-instance-type", {"type": "number"}, math.nan, "non-json", form="python", safe=["non-json"])
num("nan-instance-minimum", {"minimum": 0}, math.nan, "non-json", form="python", safe=["non-json"])
num("decimal-1.0-integer", {"type": "integer"}, decimal.Decimal("1.0"), "unknown", form="python", safe=["valid", "non-json"])
num("decimal-1E999999999-integer", {"type": "integer"}, decimal.Decimal("1E+999999999"), "unknown", "bignum expansion", form="python", safe=["valid", "non-json", "budget"])
num("decimal-1E999999999-multipleOf-3", {"multipleOf": 3}, decimal.Decimal("1E+999999999"), "unknown", "bignum expansion", form="python", safe=["invalid", "non-json", "budget"])
num("decimal-1E999999999-maximum", {"maximum": 3}, decimal.Decimal("1E+999999999"), "unknown", "bignum expansion", form="python", safe=["invalid", "non-json", "budget"])
num("decimal-nan", {"type": "number"}, decimal.Decimal("NaN"), "non-json", form="python", safe=["non-json"])
num("decimal-snan-minimum", {"minimum": 1}, decimal.Decimal("sNaN"), "non-json", form="python", safe=["non-json"])

# ---------------------------------------------------------------- equality
K = "equality"
@case("uniq-2e4-near-equal-objects", K, "validate time O(n^2)", "valid")
def _(c): return {"uniqueItems": True}, [{**{"k%d" % j: j for j in range(20)}, "z": i} for i in range(20000)]
@case("uniq-2000-deep-near-equal", K, "validate time x deep equality", "valid")
def _(c): return {"uniqueItems": True}, [nest(100, lambda x: [x], i) for i in range(2000)]
@case("enum-hash-collision-ints-3e4", K, "hash flooding", "valid")
def _(c): return {"items": {"enum": [i * (2 ** 61 - 1) for i in range(1, 30001)]}}, [i * (2 ** 61 - 1) for i in range(1, 30001, 10)]

# ---------------------------------------------------------------- references
K = "references"
NR = ["unresolvable", "bad-schema"]
def ref(id, fn, truth="unresolvable", safe=None, attacks="network", net=True, **kw):
    @case("ref-" + id, K, attacks, truth, safe or (NR if truth == "unresolvable" else [truth]), net=net, **kw)
    def _(c): return fn(c)
ref("pointer-1MB", lambda c: ({"$ref": "#/$defs" + "/a" * 500000}, "s"), net=False, attacks="pointer length")

# ---------------------------------------------------------------- strings
K = "strings"
def s_(id, schema, inst, truth, attacks="encoding", **kw):
    @case("str-" + id, K, attacks, truth, **kw)
    def _(c): return schema() if callable(schema) else schema, inst() if callable(inst) else inst
SUR = ["valid", "invalid", "non-json", "bad-schema"]
# code generation
PW = "/nonexistent/canary/pwned"
CODES = {"py-dq": '"+__import__("os").system("touch %s-A")+"' % PW, "py-sq": "'+__import__('os').system('touch %s-B')+'" % PW, "py-brace": "{__import__('os').system('touch %s-C')}" % PW, "py-nl": "\n__import__('os').system('touch %s-D')\n#" % PW, "py-tq": '"""\n__import__("os").system("touch %s-E")\n"""' % PW, "py-bs": '\\"+__import__("os").system("touch %s-F")#' % PW, "js-dq": '"+require("fs").writeFileSync("%s-G","")+"' % PW, "js-bt": "`+require('fs').writeFileSync('%s-H','')+`" % PW, "js-nl": "\u2028;require('fs').writeFileSync('%s-I','');//" % PW, "js-sq": "'];process.binding('fs');require('fs').writeFileSync('%s-J','');//" % PW}

# ---------------------------------------------------------------- Python objects
K = "python"
NJ = ["non-json"]
def py(id, schema, inst, truth="non-json", safe=None, attacks="object protocol", **kw):
    @case("py-" + id, K, attacks, truth, safe or (NJ if truth == "non-json" else [truth]), form="python", **kw)
    def _(c): return schema() if callable(schema) else schema, inst()
def mk(base, **ns):
    return type("Evil" + base.__name__.title(), (base,), ns)
def boom(*a, **k): raise RuntimeError("boom")
py("int-key", {"additionalProperties": {"type": "integer"}}, lambda: {1: 2})
py("none-key-pattern", {"patternProperties": {"^a": False}}, lambda: {None: 2})
py("mixed-keys-addl-false", {"additionalProperties": False, "properties": {"a": True}}, lambda: {1: 2, "b": 3, None: 4})
py("bytes-key", {"propertyNames": {"minLength": 1}}, lambda: {b"a": 1})
py("tuple-items", {"items": {"type": "string"}}, lambda: (1, 2), "unknown", ["invalid", "non-json"], note="valid would be a bypass: the items were not looked at")
py("tuple-uniqueItems", {"uniqueItems": True}, lambda: (1, 1), "unknown", ["invalid", "non-json"], note="bypass")
py("set-any", {}, lambda: {1, 2})
py("object", {}, lambda: object())
py("datetime", {"type": "string"}, lambda: __import__("datetime").datetime(2020, 1, 1))
py("userdict", {"required": ["b"]}, lambda: collections.UserDict(a=1), note="valid would be a bypass")
py("list-subclass", {"items": {"type": "string"}}, lambda: mk(list)([1]), "invalid")
py("float-subclass", {"maximum": 1}, lambda: mk(float)(5.0), "invalid")
py("enum-value-raises", {"type": "integer"}, lambda: mk_enum_raise())
py("enum-value-infinite", {"type": "integer"}, lambda: mk_enum_self())
py("enum-value-mutates-list", {"items": {"type": "integer"}}, lambda: mk_enum_mutate_list(), safe=["non-json", "invalid", "budget"], attacks="mutation during validation: memory safety")
py("enum-value-mutates-dict", {"additionalProperties": {"type": "integer"}}, lambda: mk_enum_mutate_dict(), safe=["non-json", "invalid", "budget"], attacks="mutation during validation: memory safety")
py("dataclass", {"required": ["z"]}, lambda: mk_dc(), note="valid would be a bypass")
py("eq-raises", {"const": 1}, lambda: mk(int, __eq__=boom, __hash__=int.__hash__)(5), "unknown", ["invalid", "non-json"])
py("eq-always-true-const", {"const": 1}, lambda: mk(int, __eq__=lambda a, b: True, __hash__=int.__hash__)(5), "invalid", ["invalid", "non-json"], attacks="lying __eq__")
py("hash-raises", {"uniqueItems": True}, lambda: [mk(int, __hash__=boom)(1), 2], "valid", ["valid", "non-json"])
py("len-lies-negative", {"maxItems": 1}, lambda: mk(list, __len__=lambda s: -1)([1, 2]), "invalid", ["invalid", "non-json"], attacks="lying __len__")
py("len-lies-small", {"maxItems": 1}, lambda: mk(list, __len__=lambda s: 0)([1, 2]), "invalid", ["invalid", "non-json"], attacks="lying __len__")
py("iter-infinite-list", {"items": {"type": "integer"}}, lambda: mk(list, __iter__=lambda s: iter(int, 1))([1]), "valid", ["valid", "non-json", "budget"], attacks="endless __iter__")
py("iter-infinite-dict", {"additionalProperties": {"type": "integer"}}, lambda: mk(dict, __iter__=lambda s: iter(lambda: "k", 1), items=lambda s: iter(lambda: ("k", 1), 1))({"a": 1}), "valid", ["valid", "non-json", "budget"], attacks="endless __iter__")
py("iter-raises", {"items": {"type": "integer"}}, lambda: mk(list, __iter__=boom, __getitem__=boom)([1]), "valid", ["valid", "non-json"])
py("dict-lies", {"required": ["a"]}, lambda: mk(dict, __contains__=lambda s, k: True, __iter__=lambda s: iter(["a"]))({}), "invalid", ["invalid", "non-json"], attacks="lying __contains__")
py("class-spoof", {"type": "string"}, lambda: mk_spoof(), attacks="__class__ spoof")
py("repr-raises", {"type": "integer"}, lambda: mk(str, __repr__=boom, __str__=boom)("x"), "invalid", ["invalid", "non-json"], attacks="error text")
py("repr-huge", {"type": "integer"}, lambda: mk(str, __repr__=lambda s: "R" * 400_000_000)("x"), "invalid", ["invalid", "non-json"], attacks="error text memory")
py("str-subclass-key-evil-eq", {"properties": {"a": {"type": "integer"}}}, lambda: {mk(str, __eq__=boom, __hash__=str.__hash__)("a"): 1}, "valid", ["valid", "non-json"])
py("str-subclass-key-eq-mutates", {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"], "additionalProperties": False}, lambda: mk_eq_mutate(), "unknown", ["valid", "invalid", "non-json"], attacks="mutation during validation")
py("dict-mutated-by-thread", {"additionalProperties": {"type": "integer"}, "propertyNames": {"maxLength": 100}}, lambda: mk_mut_dict(), "unknown", ["valid", "invalid", "non-json", "budget"], attacks="mutation during validation by a thread")
py("list-mutated-by-thread", {"items": {"type": "integer"}}, lambda: mk_mut_list(), "unknown", ["valid", "invalid", "non-json", "budget"], attacks="mutation during validation by a thread")
py("schema-int-keys", lambda: {1: 2, "type": "string"}, lambda: "x", "non-json", ["non-json", "bad-schema"])
py("schema-bytes-pattern", lambda: {"pattern": b"a"}, lambda: "a", "bad-schema", ["bad-schema", "non-json"])
py("schema-set-enum", lambda: {"enum": {1, 2}}, lambda: 1, "bad-schema", ["bad-schema", "non-json"])
py("schema-str", lambda: "true", lambda: 1, "bad-schema", ["bad-schema", "non-json", "valid"], note="jsonschema_rs documents that a str schema is JSON text")
py("schema-int-1", lambda: 1, lambda: 1, "bad-schema", ["bad-schema", "non-json"], attacks="1 == True")

def mk_enum_raise():
    class E(enum.Enum):
        A = 1
        @property
        def value(self): raise RuntimeError("boom")
    return E.A
def mk_enum_self():
    class E(enum.Enum):
        A = 1
        @property
        def value(self): return self
    return E.A
def mk_enum_mutate_list():
    l = []
    class E(enum.Enum):
        A = 1
        @property
        def value(self):
            l.clear()
            for _ in range(100): bytearray(1000)
            return "x"
    l.extend([E.A] + [1] * 100000)
    return l
def mk_enum_mutate_dict():
    d = {}
    class E(enum.Enum):
        A = 1
        @property
        def value(self):
            d.clear()
            d.update({"n%d" % i: {} for i in range(50)})
            return "x"
    d.update({"k0": E.A}); d.update({"k%d" % i: [i] for i in range(1, 50000)})
    return d
def mk_dc():
    @dataclasses.dataclass
    class D:
        a: int = 1
    return D()
def mk_spoof():
    class S:
        __class__ = property(lambda s: str)
        def __len__(self): return 3
    return S()
def mk_eq_mutate():
    d = {}
    class K(str):
        def __eq__(self, o):
            d.pop("b", None); d["z%d" % len(d)] = 1
            return str.__eq__(self, o)
        __hash__ = str.__hash__
    d[K("a")] = 1; d["b"] = 2
    return d
def mk_mut_dict():
    import threading
    d = {"k%d" % i: i for i in range(200000)}
    def run():
        i = 0
        while True:
            d["n%d" % i] = i; d.pop("k%d" % (i % 200000), None); i += 1
            if i % 1000000 == 0: d.clear()
    threading.Thread(target=run, daemon=True).start()
    return d
def mk_mut_list():
    import threading
    l = list(range(200000))
    def run():
        i = 0
        while True:
            l.append(i); l.pop(0); i += 1
            if i % 100 == 0: del l[:]; l.extend(range(1000))
    threading.Thread(target=run, daemon=True).start()
    return l


class Ctx:
    def __init__(self, base="http://127.0.0.1:1/p/c", port=1):
        self.base, self.port = base, port


def build(id, ctx):
    return CASES[id]["fn"](ctx)


def dump(x):
    """Iterative JSON writer (no recursion); floats and big ints as Python writes them."""
    import json
    from json.encoder import encode_basestring_ascii as es
    out, stack = [], [x]
    class Raw(str): pass
    add = out.append
    while stack:
        v = stack.pop()
        t = type(v)
        if t is Raw: add(v)
        elif t is str: add(es(v))
        elif v is None: add("null")
        elif v is True: add("true")
        elif v is False: add("false")
        elif t is int: add(str(v))
        elif t is float: add(repr(v))
        elif t is list:
            if not v: add("[]"); continue
            add("["); stack.append(Raw("]"))
            for i in range(len(v) - 1, -1, -1):
                stack.append(v[i])
                if i: stack.append(Raw(","))
        elif t is dict:
            if not v: add("{}"); continue
            add("{"); stack.append(Raw("}"))
            items = list(v.items())
            for i in range(len(items) - 1, -1, -1):
                k, w = items[i]
                stack.append(w); stack.append(Raw((("," if i else "") + es(k) + ":")))
        else:
            raise TypeError(t)
    return "".join(out)
