"""schemafuse: the safety core for MCP tool schemas.

Compile a schema that a stranger wrote, check what a model sent, within bounds:

    validator = schemafuse.compile(schema)
    report = validator.check(arguments)
    if not report.ok:
        print(report.text())
"""

from .cache import ValidatorCache
from .costs import Cost
from .errors import BudgetExceeded, Report, SchemaError, ValidationError
from .limits import Limits
from .names import NameProblem, check_tool_name
from .validator import Validator, compile

__version__ = "0.1.0"

__all__ = [
    "BudgetExceeded",
    "Cost",
    "Limits",
    "NameProblem",
    "Report",
    "SchemaError",
    "ValidationError",
    "Validator",
    "ValidatorCache",
    "check_tool_name",
    "compile",
]
