"""Secrets that the configuration names as `${NAME}`: which, where, and their place in an entry.

Only an llm's `api_key` and `headers`, a service's `headers`, and those of a service inside a tool's `implementation`
are looked at. Nothing is ever substituted into or from the text of a user or a model, and the names that AWS gives a
function are refused.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.models.tools import ToolDefinition
from flexchat.messages import Json

SECRET_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""Reference to a secret in the configuration, as `${OPENAI_API_KEY}`."""

SECRET_NAME = re.compile(r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")

RESERVED_PREFIXES = ("AWS_", "LAMBDA_", "_X_")


def is_reserved(name: str) -> bool:
    """Return true for a name of the Lambda runtime: its credentials must not reach a provider."""
    return name.upper().startswith(RESERVED_PREFIXES)


def references_in(text: str) -> tuple[str, ...]:
    """Return the names in `text`, in order, each once."""
    return tuple(dict.fromkeys(SECRET_REFERENCE.findall(text)))


def secret_fields(entry: LlmConfig | RagServiceConfig | ToolDefinition) -> Iterator[tuple[str, str]]:
    """Return the fields of an entry that may refer to secrets, as (path in the entry, text)."""
    if isinstance(entry, ToolDefinition):
        for name, text in _service_headers(entry).items():
            if isinstance(text, str) and name != "comment":
                yield f"implementation.service.headers.{name}", text
        return
    if isinstance(entry, LlmConfig) and entry.api_key is not None:
        yield "api_key", entry.api_key
    for name, text in entry.headers.items():
        yield f"headers.{name}", text


def _service_headers(tool: ToolDefinition) -> Mapping[str, Json]:
    """Return the headers of a service that a tool's `implementation` contains."""
    service = tool.implementation.get("service")
    headers = service.get("headers") if isinstance(service, dict) else None
    return headers if isinstance(headers, dict) else {}


def entry_references(entry: LlmConfig | RagServiceConfig | ToolDefinition) -> tuple[str, ...]:
    """Return the names of the secrets of one entry, each once."""
    return tuple(dict.fromkeys(name for _, text in secret_fields(entry) for name in references_in(text)))


def references(configuration: Configuration) -> dict[str, tuple[str, ...]]:
    """Return every secret that the configuration refers to, with the paths of the references."""
    used: dict[str, list[str]] = {}
    sections: dict[str, Mapping[str, LlmConfig | RagServiceConfig | ToolDefinition]] = {
        "llms": configuration.llms,
        "rag_services": configuration.rag_services,
        "tools.registry": {tool.name: tool for tool in configuration.tools.registry},
    }
    for section, entries in sections.items():
        for entry_name, entry in entries.items():
            for path, text in secret_fields(entry):
                for name in references_in(text):
                    used.setdefault(name, []).append(f"{section}.{entry_name}.{path}")
    return {name: tuple(paths) for name, paths in used.items()}


def secret_problems(names: Iterable[str], secrets: Mapping[str, str], *, stage: str) -> tuple[str, ...]:
    """Return reasons why some of `names` cannot be resolved from `secrets`: reserved names, then missing secrets."""
    reserved = tuple(name for name in names if is_reserved(name))
    missing = tuple(name for name in names if name not in reserved and name not in secrets)
    return (
        *(f"secret {name!r} belongs to the function itself and cannot be named" for name in reserved),
        *(f"secret {name!r} is not stored; run `flexchat secrets set {name} --stage {stage}`" for name in missing),
    )


def resolved[T: (LlmConfig, RagServiceConfig)](entry: T, secrets: Mapping[str, str]) -> T:
    """Return `entry` with its references resolved in one pass: the text of a secret is not searched.

    Every name must be in `secrets`.
    """
    update: dict[str, object] = {"headers": {key: _filled(text, secrets) for key, text in entry.headers.items()}}
    if isinstance(entry, LlmConfig) and entry.api_key is not None:
        update["api_key"] = _filled(entry.api_key, secrets)
    return entry.model_copy(update=update)


def _filled(text: str, secrets: Mapping[str, str]) -> str:
    return SECRET_REFERENCE.sub(lambda match: secrets[match[1]], text)
