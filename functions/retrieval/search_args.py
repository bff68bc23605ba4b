"""Arguments of a search tool, with errors in the wording of the schema check.

The chat function has validated them against the tool's own schema, which an operator writes and which may be weaker
than a search needs.
"""

from collections.abc import Mapping

from msgspec import Struct

from flexchat.errors import ToolInputError
from flexchat.messages import Json
from flexchat.retrieval import MetadataValue

MAX_RESULTS = 20
MAX_FILTERS = 10
MAX_NAME = 128
DEFAULT_RESULTS = 5


class SearchArguments(Struct, frozen=True):
    """Arguments of one call. `query` is text of any kind."""

    query: str
    collection: str | None
    max_results: int
    filters: Mapping[str, MetadataValue]


def read_arguments(arguments: Mapping[str, Json], *, max_results: int = MAX_RESULTS) -> SearchArguments:
    """Parse query, collection?, max_results? (1 to `max_results`) and filters? ({field: value}).

    Raises ToolInputError with every error.
    """
    errors: list[str] = []
    query = arguments.get("query")
    if query is None:
        errors.append("Missing required parameter: query")
    elif not isinstance(query, str):
        errors.append("query must be a string")
    collection = arguments.get("collection")
    if collection is not None and not isinstance(collection, str):
        errors.append("collection must be a string")
    wanted = _whole(arguments.get("max_results"))
    if wanted is None:
        errors.append("max_results must be an integer")
    elif not 1 <= wanted <= max_results:
        errors.append(f"max_results must be at least 1 and at most {max_results}")
    filters = arguments.get("filters")
    chosen = _filters({} if filters is None else filters)
    if chosen is None:
        errors.append(f"filters must be an object of at most {MAX_FILTERS} fields, each a string, number or boolean")
    if errors or not isinstance(query, str) or not isinstance(collection, str | None) or not wanted or chosen is None:
        raise ToolInputError(tuple(errors))
    return SearchArguments(
        query=query, collection=(collection or "").strip() or None, max_results=wanted, filters=chosen
    )


def _whole(value: Json) -> int | None:
    """Return an integer, also for 5.0; the default for None; None for anything else."""
    if value is None:
        return DEFAULT_RESULTS
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _filters(value: Json) -> dict[str, MetadataValue] | None:
    if not isinstance(value, dict) or len(value) > MAX_FILTERS or any(len(name) > MAX_NAME for name in value):
        return None
    chosen = {name: item for name, item in value.items() if isinstance(item, str | int | float | bool)}
    return chosen if len(chosen) == len(value) else None
