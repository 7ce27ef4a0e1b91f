"""Content keywords as assertions, which they are in draft-07 alone (Validation 8.3 and 8.4).

An encoding and a media type go in, a check of one text comes out, or nothing where neither is one that is checked:
"base64" and "application/json", as jsonschema-rs checks them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import jsonschema_rs

from .formats import is_unicode


@functools.lru_cache(maxsize=16)
def content_checker(encoding: str | None, media_type: str | None) -> Callable[[str], bool] | None:
    """Return the check; it takes an exact `str` and never raises."""
    keywords = {}
    if encoding == "base64":
        keywords["contentEncoding"] = encoding
    if media_type == "application/json":
        keywords["contentMediaType"] = media_type
    if not keywords:
        return None
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", **keywords}
    is_valid = jsonschema_rs.validator_for(schema).is_valid

    def check(text: str) -> bool:
        return is_unicode(text) and is_valid(text)

    return check
