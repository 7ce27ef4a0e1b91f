"""`python -m schemafuse` is the `schemafuse` command."""

import sys

from .cli import main

sys.exit(main())
