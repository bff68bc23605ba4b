"""The `guardrails` section: checks of messages and answers, and the guardrails of a response rule."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from flexchat.config.models.base import AWS_REGION_PATTERN, ENTRY_NAME_PATTERN, ConfigModel, Headers, Milliseconds

GuardrailType = Literal["bedrock", "http"]

GUARDRAIL_ID_PATTERN = (
    r"^([a-z0-9]{1,64}|arn:aws(-[a-z]+)*:bedrock:[a-z0-9-]{1,20}:[0-9]{12}:guardrail/[a-z0-9]{1,64})$"
)
GUARDRAIL_VERSION_PATTERN = r"^([1-9][0-9]{0,7}|DRAFT)$"

_OWN_FIELDS = {
    "bedrock": ("guardrail_id", "guardrail_version", "region"),
    "http": ("url", "headers", "format", "model"),
}
"""Fields of one type, which an entry of the other type may not have."""

_REQUIRED = {"bedrock": ("guardrail_id", "guardrail_version"), "http": ("url",)}


class GuardrailConfig(ConfigModel):
    """One entry of `guardrails`: a service that allows, blocks or replaces a text.

    `bedrock` applies the guardrail `guardrail_id` (an id or an ARN) of Amazon Bedrock in `guardrail_version`. `http`
    posts the text to `url`: with the format `flexchat` as `{text, source}`, with `openai_moderation` as `{input}` and
    the `model`, if any. `headers` may refer to secrets as `${NAME}`. `timeout_ms` limits a check with its retries.
    `on_error` is the verdict where there is none. `message` is the answer in place of a blocked text. `attachments`:
    whether a message with pictures and files, which are not checked, is refused.
    """

    type: GuardrailType
    guardrail_id: Annotated[str, Field(pattern=GUARDRAIL_ID_PATTERN)] | None = None
    guardrail_version: Annotated[str, Field(pattern=GUARDRAIL_VERSION_PATTERN)] | None = None
    region: Annotated[str, Field(pattern=AWS_REGION_PATTERN)] | None = None
    url: Annotated[str, Field(min_length=1, max_length=2_048)] | None = None
    headers: Headers = Field(default_factory=dict[str, str])
    format: Literal["flexchat", "openai_moderation"] = "flexchat"
    model: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    timeout_ms: Milliseconds = 5_000
    max_retries: Annotated[int, Field(ge=0, le=5, strict=True)] = 2
    on_error: Literal["block", "allow"] = "block"
    message: Annotated[str, Field(min_length=1, max_length=2_000)] | None = None
    attachments: Literal["refuse", "ignore"] = "refuse"

    @model_validator(mode="after")
    def _has_fields_of_its_type(self) -> Self:
        for name in _REQUIRED[self.type]:
            if getattr(self, name) is None:
                raise ValueError(f"a guardrail of type {self.type!r} must have {name!r}")
        for kind, names in _OWN_FIELDS.items():
            for name in names if kind != self.type else ():
                if name in self.model_fields_set:
                    raise ValueError(f"{name!r} is for a guardrail of type {kind!r}")
        return self


_Names = Annotated[tuple[Annotated[str, Field(pattern=ENTRY_NAME_PATTERN)], ...], Field(max_length=8)]


class RuleGuardrails(ConfigModel):
    """Guardrails of a response rule by name: of the user's message, and of the texts of the model.

    They check one after another, each the text that the one before it returned. A streamed text is checked in pieces
    of about `chunk_characters`, which end with a sentence where possible.
    """

    input: _Names = ()
    output: _Names = ()
    chunk_characters: Annotated[int, Field(ge=50, le=25_000, strict=True)] = 1_000
