"""schemafuse.mcp: tool definitions, calls and results by the rules of MCP 2026-07-28. No SDK is needed.

from schemafuse.mcp import Tool, ToolService, vet_tools
"""

from .calls import Call
from .definitions import Tool
from .header_parameters import HeaderParameter
from .jsonrpc import http_status
from .naming import prefix_names
from .problems import Problem, ToolDefinitionError
from .protocol import ProtocolError, ToolError
from .registry import ToolHandle
from .results import ResultFault
from .service import ToolService
from .vetting import Rejection, vet_tools

__all__ = [
    "Call",
    "HeaderParameter",
    "Problem",
    "ProtocolError",
    "Rejection",
    "ResultFault",
    "Tool",
    "ToolDefinitionError",
    "ToolError",
    "ToolHandle",
    "ToolService",
    "http_status",
    "prefix_names",
    "vet_tools",
]
