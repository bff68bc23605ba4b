"""Models of an Ollama server and their format of tools.

`GET /api/tags` lists the names, `POST /api/show` returns the capabilities of one model.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from flexchat.errors import ModelError
from flexchat.messages import Json
from functions.chat.providers.base import ListedModel
from functions.chat.providers.wire_format import WireModel, parse_response
from functions.chat.tools.formats import ToolFormat, function_entry
from functions.chat.tools.schema_compiler.dialects import Dialect, Keywords

TAGS_PATH: Final = "/api/tags"
SHOW_PATH: Final = "/api/show"

_PARALLEL_REQUESTS: Final = 8


class _Tag(WireModel):
    name: str


class _Tags(WireModel):
    models: tuple[_Tag, ...] | None = None


class _Details(WireModel):
    """Servers before 0.6.4 send no capabilities."""

    capabilities: frozenset[str] | None = None
    model_info: dict[str, Json] | None = None


def parse_names(body: bytes) -> tuple[str, ...]:
    """Return the model names with their tags, such as `llama3.2:3b`. Raises ValueError."""
    return tuple(tag.name for tag in parse_response(_Tags, body).models or ())


def parse_details(name: str, body: bytes) -> ListedModel | None:
    """Return the model `name` with its capabilities; `None` for one that answers no chats. Raises ValueError."""
    details = parse_response(_Details, body)
    capabilities = details.capabilities
    sizes = [value for key, value in (details.model_info or {}).items() if key.endswith(".context_length")]
    context_window = next((size for size in sizes if isinstance(size, int)), None)
    if capabilities is None:
        return ListedModel(name, context_window=context_window)
    if "completion" not in capabilities:
        return None
    return ListedModel(
        name,
        tools="tools" in capabilities,
        reasoning="thinking" in capabilities,
        vision="vision" in capabilities,
        context_window=context_window,
    )


def with_details(names: tuple[str, ...], show: Callable[[str], ListedModel | None]) -> tuple[ListedModel, ...]:
    """Return the models that `show` finds for `names`, in parallel; one that cannot be shown is listed by name."""

    def details(name: str) -> ListedModel | None:
        try:
            return show(name)
        except ModelError:
            return ListedModel(name)

    with ThreadPoolExecutor(max_workers=_PARALLEL_REQUESTS) as pool:
        return tuple(model for model in pool.map(details, names) if model is not None)


_KEYWORDS: Final = Keywords(frozenset(("type", "description", "enum", "items", "anyOf", "properties", "required")))
"""Fields of ToolFunctionParameters and ToolProperty in https://github.com/ollama/ollama/blob/main/api/types.go.

Other fields are dropped while the server parses the request, and a schema that is no object has the whole request
refused. `items` is passed through.
"""

TOOL_FORMAT: Final = ToolFormat(
    Dialect(
        label="Ollama",
        top=_KEYWORDS.without("description", "enum", "anyOf", "items"),
        nested=_KEYWORDS,
        verbatim=frozenset(("items",)),
        references=False,
        boolean_schemas=False,
    ),
    entry=function_entry,
)
