"""The `topic`, `intent` and `profile` sections, and the variables of prompts."""

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from flexchat.config.models.base import ConfigModel, Flag, allow_comment, without_comment

OTHER_INTENT = "other"
"""Intent of a message that matches none of the configured intents."""

DECIDED_FIELDS = ("role", "topic", "user_message", "rag_results", "documents", "rag_context")
"""Profile fields that the service sets in every chat."""

OPEN_FIELDS = ("intent", "service", "collection")
"""Profile fields that the service sets when the intent phase or a search returns them."""

SERVICE_FIELDS = (*DECIDED_FIELDS, *OPEN_FIELDS)

MATCH_OPERATORS = ("_regexp", "_contains")
"""Suffixes of keys in `match` that are operators, not part of the field name."""

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}")
"""Variable of a prompt: `{{name}}` or `{{dotted.name}}`."""


_BRACES = re.compile(r"\{\{[^{}\n]{0,60}\}\}")


def placeholders(prompt: str) -> tuple[str, ...]:
    """Return the names of the variables in `prompt`, each once, in order."""
    return tuple(dict.fromkeys(PLACEHOLDER.findall(prompt)))


def misspelled_placeholders(prompt: str) -> tuple[str, ...]:
    """Return the texts `{{…}}` in `prompt` that have not the form of a variable, each once, in order."""
    rest = PLACEHOLDER.sub("", prompt)
    return tuple(dict.fromkeys(text for text in _BRACES.findall(rest)))


class ModelChoice(ConfigModel):
    """Model and prompt of a phase, or of the titles of sessions; without `prompt` the default one is used.

    The default `model` is the first in the list of the llm. Without `llm` the topic phase uses the intent phase's
    model; the intent phase and titles use that of the fallback rule (`phase_models`).
    """

    llm: str | None = None
    model: Annotated[str, Field(min_length=1)] | None = None
    prompt: Annotated[str, Field(min_length=1)] | None = None


class TopicConfig(ConfigModel):
    """The `topic` section: the model that determines the topic of a conversation."""

    enabled: Flag = True
    provider: ModelChoice = ModelChoice.model_construct()


class IntentDetection(ConfigModel):
    """Intents by name, each with the description sent to the model."""

    intents: Annotated[dict[str, str], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)] = (
        Field(default_factory=dict[str, str])
    )


class IntentConfig(ConfigModel):
    """The `intent` section: the model that determines the intent of a message."""

    enabled: Flag = True
    provider: ModelChoice = ModelChoice.model_construct()
    detection: IntentDetection = IntentDetection.model_construct()


def _caller_field(name: str) -> str:
    if name in DECIDED_FIELDS:
        raise PydanticCustomError(
            "caller_field", "{name} is set by the service; a caller cannot set it", {"name": repr(name)}
        )
    if name.endswith(MATCH_OPERATORS):
        raise PydanticCustomError(
            "caller_field",
            "{name} ends with an operator of match; use the name of the field without it",
            {"name": repr(name)},
        )
    return name


class CallerProfileConfig(ConfigModel):
    """The `profile` section: fields of a request's `profile` that response rules may match on.

    Prompts may use other fields too, except those that the service sets.
    """

    caller_fields: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_caller_field)], ...],
        Field(max_length=100),
    ] = ()
