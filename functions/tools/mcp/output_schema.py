"""Check of structured results against the tool's output schema, in bounded time."""

from collections.abc import Mapping
from functools import lru_cache

from flexchat.errors import ToolError
from flexchat.json import dumps, safe_loads
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.schema import ResultChecker

MAX_SCHEMA_BYTES = 1_000_000


def check_output(structured: Json, schema: Mapping[str, Json], *, tool: str, server: str) -> None:
    """Check the structured content of a successful result. Raises ToolError for none, or one that does not fit."""
    if structured is None:
        raise ToolError(f"The MCP server '{server}' returned no structured content, which its output schema requires")
    checker = _checker(dumps(schema))
    if checker.problems:
        logger.warning("mcp output not checked", server=server, tool=tool, problems=list(checker.problems[:5]))
        return
    if errors := checker.errors(structured):
        raise ToolError(
            f"The result of the MCP server '{server}' does not fit the tool's output schema: {', '.join(errors[:10])}"
        )


@lru_cache(maxsize=256)
def _checker(schema: str) -> ResultChecker:
    found = safe_loads(schema.encode(), max_bytes=MAX_SCHEMA_BYTES)
    return ResultChecker(found if isinstance(found, dict) else {})
