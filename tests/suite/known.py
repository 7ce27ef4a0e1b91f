"""The tests of the official suite that the library does not pass, each with the reason why it should not.

Key: (draft folder, file without ".json", group description, test description). An entry that passes is an error, too.
"""

from __future__ import annotations

EXCEPTIONS: dict[tuple[str, str, str, str], str] = {}
