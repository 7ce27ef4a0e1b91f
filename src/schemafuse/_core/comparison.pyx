# cython: auto_pickle=False
"""What the failures of the branches of a union say when they are compared.

Comes in: lists of failures. Goes out: which of them is nearer, and what all of them share. Writes no words.
"""

from .failure cimport Failure

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX


cdef class Choice:
    """Its fields are described in comparison.pxd."""


# Keywords by which a branch is for another kind of value.
cdef frozenset OF_KIND = frozenset([None, "type", "const", "enum"])
cdef frozenset OF_NAMES = frozenset(["required", "additionalProperties", "unevaluatedProperties"])
# What is said of these depends on more than the keyword's value.
cdef frozenset OF_ONE_BRANCH = frozenset(["additionalProperties", "unevaluatedProperties"])
cdef frozenset OF_TAG = frozenset(["const", "enum"])
# Keywords of which the few words for a subschema speak.
cdef frozenset DESCRIBED = frozenset(
    "type const enum format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf "
    "minItems maxItems".split()
)

cdef Py_ssize_t COMPARED = 50  # branches whose failures are compared


cdef bint is_of_kind(list failures, Py_ssize_t depth):
    """Does a branch say that it is for another kind of value?"""
    cdef Failure failure
    for failure in failures:
        if failure.keyword in OF_KIND and len(failure.path) == depth:
            return True
    return False


cdef tuple branch_rank(list failures, Py_ssize_t depth, tuple evidence, bint by_weight):
    """Higher is nearer. A tag that is another branch's counts most, then the tags and the type that fit, then names and
    values, then how deep it goes before anything is wrong, then how little is. `by_weight`: whether how much is wrong
    counts at all."""
    cdef Failure failure
    cdef int types = 0, names = 0, values = 0
    cdef Py_ssize_t right = PY_SSIZE_T_MAX
    for failure in failures:
        if len(failure.path) == depth:
            if failure.keyword == "type" or failure.keyword is None:
                types += 1
            elif failure.keyword in OF_NAMES:
                names += len(failure.detail)
            else:
                values += 1
        elif len(failure.path) == depth + 1 and failure.keyword in ("const", "enum"):
            values += 1
        right = min(right, len(failure.path) - depth)
    strayed, kept, strangers = evidence
    if not by_weight:
        return strayed, kept, -types, strangers
    return strayed, kept, -types, strangers - names, -values, right, -len(failures)


cdef set in_common(list lists, tuple tag_path):
    """`(keyword, path)` of what several branches, of which none is nearer, have all against a value. The tag is among it,
    where none has it, whatever each of them wants it to be."""
    cdef Failure failure
    common = set()
    for failure in lists[0]:
        if failure.path == tag_path:
            if all([is_of_tag(others, tag_path) for others in lists[:COMPARED]]):
                common.add((failure.keyword, failure.path))
        elif all([is_among(failure, others) for others in lists[1:COMPARED]]):
            common.add((failure.keyword, failure.path))
    return common


cdef bint is_of_tag(list failures, tuple tag_path):
    cdef Failure failure
    for failure in failures:
        if failure.path == tag_path and failure.keyword in OF_TAG:
            return True
    return False


cdef int weigh(Choice choice, list lists, tuple tag_path, Py_ssize_t depth, bint by_weight) except -1:
    """Say what is to be told of branches of which none is nearer, given the failures of each."""
    choice.common = in_common(lists, tag_path)
    choice.shared = in_the_same_place(lists, choice.common, depth) if by_weight else {}
    if not choice.common and not choice.shared:
        choice.index = -1
        return 0
    choice.partial = by_weight and have_more(lists, choice.common, choice.shared)
    choice.common |= {((<Failure> found[0]).keyword, path) for path, found in choice.shared.items()}
    return 0


cdef bint have_more(list lists, set common, dict shared):
    """Has any of several branches more against a value than what all have, or have in the same place?"""
    cdef Failure failure
    for failures in lists[:COMPARED]:
        for failure in failures:
            if (failure.keyword, failure.path) not in common and failure.path not in shared:
                return True
    return False


cdef dict in_the_same_place(list lists, set common, Py_ssize_t depth):
    """Places inside the value where all branches want something, each something else -> their failures there."""
    cdef Failure failure
    shared = {}
    for failure in lists[0] if len(lists) <= COMPARED else ():
        if len(failure.path) > depth and failure.path not in shared and (failure.keyword, failure.path) not in common:
            found = [first_at(failure.path, failures) for failures in lists]
            if None not in found:
                shared[failure.path] = found
    return shared


cdef Failure first_at(tuple path, list failures):
    cdef Failure failure
    for failure in failures:
        if failure.path == path and failure.keyword in DESCRIBED and not failure.of_name:
            return failure
    return None


cdef bint is_among(Failure failure, list others):
    """Does another branch ask for the same?"""
    cdef Failure other
    for other in others:
        if other.keyword == failure.keyword and other.path == failure.path and other.detail == failure.detail:
            if failure.subschema is other.subschema or failure.keyword == "required":
                return True
            if failure.keyword not in OF_ONE_BRANCH and failure.subschema.resource is other.subschema.resource:
                one, another = asked_for(failure), asked_for(other)
                if one is another or (type(one) is type(another) and one == another):
                    return True
    return False


cdef object asked_for(Failure failure):
    schema = failure.subschema.value
    return schema.get(failure.keyword) if isinstance(schema, dict) else schema


cdef list with_rivals(list failures, dict shared):
    """The failures, of those in one place the first, with what the other branches want there."""
    cdef Failure failure
    seen = set()
    told = []
    for failure in failures:
        if failure.path in shared:
            if failure.path in seen:
                continue
            seen.add(failure.path)
            failure.rivals = [(<Failure> found).subschema for found in shared[failure.path][1:]]
        told.append(failure)
    return told


cdef bint is_certain(list candidates):
    """Is the first of the candidates, `(index, evidence)`, the only one, or the only one that has what it has of the tags?"""
    if len(candidates) < 2:
        return len(candidates) == 1
    first, second = candidates[0][1], candidates[1][1]
    return not first[0] and first[1] and first[:2] != second[:2]
