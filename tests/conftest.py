"""What all tests share: a garbage collector that does not look at what other tests have left behind."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def collections_stay_short() -> Iterator[None]:
    """Limits of some hundred milliseconds are tested here, and a full collection over the objects of a few thousand
    tests takes as long."""
    gc.freeze()
    yield
    gc.freeze()
