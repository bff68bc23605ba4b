"""Request of the Responses API, checked parameter by parameter."""

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import ConfigDict, Field

from flexchat.errors import RequestError
from flexchat.messages import Json
from flexchat.strict_numbers import StrictNumberModel
from functions.chat.openai_api.parameters import Parameters, Refusal
from functions.chat.openai_api.requests import invalid_parameter
from functions.chat.openai_api.tools import MAX_TOOLS

MAX_ITEMS: Final = 2_000
MAX_METADATA: Final = 16


class ResponsesRequest(StrictNumberModel):
    """Request for a response. Other parameters of OpenAI's API are ignored, or rejected if they would change the
    answer."""

    model_config = ConfigDict(frozen=True, extra="allow")

    model: Annotated[str, Field(min_length=1, max_length=512, examples=["flexchat"])]
    input: (
        Annotated[str, Field(examples=["What is 15% of 45?"])]
        | Annotated[list[dict[str, Json]], Field(max_length=MAX_ITEMS)]
    )
    instructions: str | None = None
    previous_response_id: Annotated[str, Field(max_length=256)] | None = None
    store: bool | None = None
    stream: bool | None = None
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    tools: Annotated[list[dict[str, Json]], Field(max_length=MAX_TOOLS)] | None = None
    tool_choice: str | dict[str, Json] | None = None
    metadata: Annotated[dict[str, Annotated[str, Field(max_length=512)]], Field(max_length=MAX_METADATA)] | None = None

    @property
    def parameters(self) -> Parameters:
        """Return the parameters that are read with those of chat completions."""
        return Parameters(
            {
                **(self.model_extra or {}),
                "tools": [*(self.tools or ())],
                "tool_choice": self.tool_choice,
                "metadata": {**(self.metadata or {})},
            }
        )

    @property
    def is_stored(self) -> bool:
        """Return whether a later request may continue the response."""
        return self.store is not False


REFUSED: Final[Mapping[str, Refusal]] = {
    "background": Refusal((False,), "must be false; send `Prefer: respond-async` to /api/chat for a background run"),
    "conversation": Refusal((), "is not supported; use previous_response_id or metadata.session_id"),
    "moderation": Refusal((), "is not supported"),
    "prompt": Refusal((), "is not supported; the prompts are those of the response rules"),
    "top_logprobs": Refusal((0,), "is not supported; log probabilities are not returned"),
}
"""Parameters that are refused in addition to a `text.format` of another type than `text`."""

HONOURED: Final[Mapping[str, str]] = {
    "model": "required; an id of `GET /v1/models`",
    "input": "required; a text, or a list of messages, function calls and their results",
    "instructions": "follow the prompt of the rule; those of a previous response are not repeated",
    "previous_response_id": "continues the conversation of a stored response of the same token",
    "store": "`false` does not store the conversation; the default is `true`",
    "stream": "`true` streams the response",
    "max_output_tokens": "tokens of one model call, in place of those of the llm",
    "temperature": "0 to 2, in place of the rule's",
    "top_p": "0 to 1",
    "tools": "function tools that the client runs, at most 128",
    "tool_choice": "`auto`, `none`, `required` or one function; `none` excludes the tools of the service too",
    "metadata": "returned unchanged; `session_id` names a session",
}
"""Meaning of each parameter that has an effect."""

IGNORED: Final[tuple[str, ...]] = (
    "include",
    "max_tool_calls",
    "parallel_tool_calls",
    "prompt_cache_key",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "stream_options",
    "truncation",
    "user",
)
"""Known parameters without an effect; so are all unknown ones."""


def check_refused(request: ResponsesRequest) -> None:
    """Raise RequestError for a parameter without which the answer would not be the one that a client expects."""
    extra = Parameters(request.model_extra or {})
    extra.refuse(REFUSED)
    form = extra.object("text").object("format")
    kind = form.text("type")
    if kind not in (None, "text"):
        message = f"is {kind!r}; only 'text' is supported"
        raise invalid_parameter(form.place("type"), message, code="unsupported_parameter")


def previous_not_found(response_id: str) -> RequestError:
    """Return the error of a previous response that is unknown, expired, or of another caller."""
    return invalid_parameter(
        "previous_response_id",
        f"is {response_id!r}, which is unknown or expired; send the conversation in input",
        code="previous_response_not_found",
    )
