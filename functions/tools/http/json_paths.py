"""JSONPath (RFC 9535) without filters.

A filter may contain regular expressions, and several descendant segments visit nodes again and again: both are refused
when a configuration is checked, as their cost depends on the response. The library is imported for the first path,
which many tools do not have: its import takes as long as that of the HTTP client.
"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, cast

from pydantic_core import PydanticCustomError

from flexchat.errors import ToolError
from flexchat.messages import Json

if TYPE_CHECKING:
    from jsonpath import JSONPath, JSONPathEnvironment

MAX_PATH = 500
MAX_MATCHES = 10_000
MAX_VALUES = 200_000
"""Maximum number of values in a response that a path with several results searches: each visit costs 3 µs and 400 B."""


def check_path(text: str) -> str:
    """Return `text` when it is a JSONPath that may be used. Raises PydanticCustomError."""
    if len(text) > MAX_PATH:
        raise PydanticCustomError(
            "json_path", "has {size} characters, at most {most}", {"size": len(text), "most": MAX_PATH}
        )
    from jsonpath import JSONPathError
    from jsonpath.segments import JSONPathRecursiveDescentSegment
    from jsonpath.selectors import Filter

    try:
        path = _parsed(text)
    except (JSONPathError, RecursionError) as exc:
        raise PydanticCustomError("json_path", "is not a JSONPath such as '$.data.items'") from exc
    if any(isinstance(selector, Filter) for segment in path.segments for selector in segment.selectors):
        raise PydanticCustomError("json_path", "must not have a filter; select the whole list")
    if sum(isinstance(segment, JSONPathRecursiveDescentSegment) for segment in path.segments) > 1:
        raise PydanticCustomError("json_path", "may have '..' only once")
    return text


def select(text: str, value: Json) -> Json:
    """Return the value at a checked path; a list of values for a path that may have several, None for no value.

    Raises ToolError for a value too large to search.
    """
    path = _parsed(text)
    if not path.singular_query() and _has_more(value, MAX_VALUES):
        message = f"The response of the API has more than {MAX_VALUES} values, too many for its response_path"
        raise ToolError(message, type="result_too_large")
    found: list[Json] = []
    for match in path.finditer(cast("dict[str, object]", value)) if isinstance(value, dict | list) else ():
        found.append(cast("Json", match.obj))
        if len(found) == MAX_MATCHES:
            break
    if path.singular_query():
        return found[0] if found else None
    return found


def _has_more(value: Json, most: int) -> bool:
    """Return True for a value that contains more than `most` values."""
    count, inner = 0, [value]
    while inner and count <= most:
        match inner.pop():
            case dict() as fields:
                count += len(fields)
                inner.extend(fields.values())
            case list() as items:
                count += len(items)
                inner.extend(items)
            case _:
                pass
    return count > most


@cache
def environment() -> "JSONPathEnvironment":
    """Return the parser of paths."""
    from jsonpath import JSONPathEnvironment

    return JSONPathEnvironment(strict=True)


@lru_cache(maxsize=256)
def _parsed(text: str) -> "JSONPath":
    return cast("JSONPath", environment().compile(text))
