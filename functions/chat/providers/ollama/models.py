"""Ollama's installed models: `GET /api/tags` names them, `POST /api/show` says of each what it can do."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from flexchat.errors import ModelError
from flexchat.messages import Json
from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.response_parsing import Wire, read_answer

TAGS_PATH = "/api/tags"
SHOW_PATH = "/api/show"

_PARALLEL = 8


class _Tag(Wire):
    name: str


class _Tags(Wire):
    models: tuple[_Tag, ...] | None = None


class _Shown(Wire):
    """Servers before 0.6.4 say no capabilities."""

    capabilities: frozenset[str] | None = None
    model_info: dict[str, Json] | None = None


def read_names(body: bytes) -> tuple[str, ...]:
    """The names with their tags, as `llama3.2:3b`. Raises ValueError."""
    return tuple(tag.name for tag in read_answer(_Tags, body).models or ())


def read_shown(name: str, body: bytes) -> ListedModel | None:
    """What `/api/show` says of `name`; `None` when it answers no chats. Raises ValueError."""
    shown = read_answer(_Shown, body)
    can = shown.capabilities
    sizes = [value for key, value in (shown.model_info or {}).items() if key.endswith(".context_length")]
    context_window = next((size for size in sizes if isinstance(size, int)), None)
    if can is None:
        return ListedModel(name, context_window=context_window)
    if "completion" not in can:
        return None
    return ListedModel(
        name,
        tools="tools" in can,
        reasoning="thinking" in can,
        vision="vision" in can,
        context_window=context_window,
    )


def shown_models(names: tuple[str, ...], show: Callable[[str], ListedModel | None]) -> tuple[ListedModel, ...]:
    """Each of `names` as `show` tells it, several at a time; one that cannot be shown is listed by its name."""

    def shown(name: str) -> ListedModel | None:
        try:
            return show(name)
        except ModelError:
            return ListedModel(name)

    with ThreadPoolExecutor(max_workers=_PARALLEL) as pool:
        return tuple(model for model in pool.map(shown, names) if model is not None)
