"""Errors for keys that are written into a configuration instead of named."""

from collections.abc import Iterator

from flexchat.config.models import SECRET_REFERENCE, LlmConfig, RagServiceConfig, ToolDefinition
from flexchat.config.problems import Location, path_of
from flexchat.errors import Problem
from flexchat.messages import Json
from flexchat.redaction import holds_key, is_secret_name

PLACEHOLDER_KEYS = ("demo", "none", "unused")
"""Values of `api_key` for a server that wants any key and checks none."""

NAME_IT = "the key itself stands in the file; name it, as '${NAME}', and store it with `flexchat secrets set`"
REMOVE_IT = "holds what looks like a key; remove it"

INVENTED = ("mock_response", "answers", "error")
"""Parts of a mock's `implementation` that are invented data, whatever their fields are called."""


def llm_key_problems(path: str, llm: LlmConfig) -> Iterator[Problem]:
    """Literal keys of an llm: its `api_key`, its headers, and its address."""
    if llm.api_key and llm.api_key not in PLACEHOLDER_KEYS and _is_key("api_key", llm.api_key):
        yield Problem(f"{path}.api_key", NAME_IT)
    yield from _headers_and_address(path, llm, "base_url", llm.base_url)


def service_key_problems(path: str, service: RagServiceConfig) -> Iterator[Problem]:
    """Literal keys of a service: its headers and its address."""
    yield from _headers_and_address(path, service, "url", service.url)


def tool_key_problems(path: str, tool: ToolDefinition) -> Iterator[Problem]:
    """Literal keys anywhere in a tool's definition.

    A value is a key by its form, and in `implementation` also by its name: `Authorization`, `api_key`.
    """
    fields: dict[str, Json] = {"description": tool.description, "parameters": tool.parameters}
    for location, text in _texts(fields, ()):
        if holds_key(text):
            yield Problem(f"{path}.{path_of(location)}", REMOVE_IT)
    for location, text in _texts(tool.implementation, ("implementation",)):
        invented = location[1] in INVENTED
        if holds_key(text) and invented:
            yield Problem(f"{path}.{path_of(location)}", REMOVE_IT)
        elif not invented and _is_key(str(location[-1]), text):
            yield Problem(f"{path}.{path_of(location)}", NAME_IT)


def _headers_and_address(
    path: str, entry: LlmConfig | RagServiceConfig, field: str, address: str | None
) -> Iterator[Problem]:
    for name, text in entry.headers.items():
        if _is_key(name, text):
            yield Problem(f"{path}.headers.{name}", NAME_IT)
    # An address with a user and a password is an error already.
    if address is not None and "@" not in address and holds_key(address):
        yield Problem(f"{path}.{field}", REMOVE_IT)


def _is_key(name: str, text: str) -> bool:
    """Return whether `text` is a key by its form, or by its name when it names no secret.

    A reference that is not written right is reported as such.
    """
    return holds_key(SECRET_REFERENCE.sub("", text)) or (is_secret_name(name) and bool(text) and "${" not in text)


def _texts(value: Json, location: Location) -> Iterator[tuple[Location, str]]:
    match value:
        case str():
            yield location, value
        case dict():
            for key, each in value.items():
                yield from _texts(each, (*location, key))
        case list():
            for position, each in enumerate(value):
                yield from _texts(each, (*location, position))
        case _:
            pass
