"""The generators as hypothesis strategies: the same grammar, with hypothesis choosing and shrinking.

hypothesis-jsonschema 0.23.1 does not work with the hypothesis of today, and makes neither references nor broken
schemas; these do. hypothesis hands out a `random.Random` whose every draw it can replay and make smaller.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from . import instances, malformed, patterns, schemas
from .schemas import Document

_randoms = st.randoms(use_true_random=False, note_method_calls=False)


def _pair(random: Random) -> tuple[Document, Any]:
    document = schemas.document(random)
    return document, instances.Instances(document.schema, random).make()


def _malformed(random: Random) -> tuple[Document, Any]:
    document, instance = _pair(random)
    broken = document._replace(schema=malformed.malformed(document.schema, random))
    return broken, malformed.malformed(instance, random)


#: A document, and an instance derived from it.
pairs = _randoms.map(_pair)
#: The same with a few places spoilt in both.
malformed_pairs = _randoms.map(_malformed)
#: A regular expression, and texts.
pattern_trials = _randoms.map(patterns.trial)
