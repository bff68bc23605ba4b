"""Parameters of OpenAI-compatible requests, those that are honoured, refused or ignored, and the tools of a client."""

from collections.abc import Mapping
from typing import Final, NamedTuple, get_args

from msgspec import Struct

from flexchat.config.models.base import ReasoningEffort
from flexchat.messages import Json
from flexchat.text import truncate
from functions.chat.generation.answer_form import usable_format
from functions.chat.generation.model_calls import ClientTool
from functions.chat.openai_api.errors import invalid_parameter
from functions.chat.providers.base import NamedTool, ResponseFormat, ToolChoice

END_USER: Final[Mapping[str, str]] = {
    "safety_identifier": "the [end user](security.md#end-users-of-a-service), with a token of the role `service` alone",
    "user": "as `safety_identifier`, which has precedence",
}
"""Parameters that name the end user of a request of a service; without effect in other requests."""

HONOURED: Final[Mapping[str, str]] = {
    "model": "required; an id of `GET /v1/models`",
    "messages": (
        "required; texts, pictures and files, of the roles `system`, `developer`, `user`, `assistant` and `tool`"
    ),
    "stream": "`true` streams the answer",
    "stream_options": "`include_usage` adds a chunk with the usage",
    "temperature": "0 to 2, in place of the rule's",
    "top_p": "0 to 1",
    "max_completion_tokens": "tokens of one model call, in place of those of the llm",
    "max_tokens": "as `max_completion_tokens`, which has precedence",
    "reasoning_effort": (
        "`none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`, in place of the rule's, for models that have it"
    ),
    "response_format": (
        "`text`, `json_object` or `json_schema`, in place of the rule's `response_schema`; see [Structured answers]"
        "(structured-answers.md)"
    ),
    "stop": "a text, or up to 4 texts, before which the model ends its answer",
    "tools": "function tools that the client runs, at most 128; others are skipped with a warning",
    "tool_choice": "`auto`, `none`, `required` or one function; `none` excludes the tools of the service too",
    "metadata": "`session_id` names a session; other keys are ignored",
    **END_USER,
}
"""Meaning of each parameter that has an effect."""


class RefusedValues(Struct, frozen=True):
    """Parameter of which only the values `accepted` and null can be sent."""

    accepted: tuple[Json, ...]
    message: str


REFUSED: Final[Mapping[str, RefusedValues]] = {
    "n": RefusedValues((1,), "must be 1; an answer has one choice"),
    "logprobs": RefusedValues((False,), "must be false; log probabilities are not returned"),
    "top_logprobs": RefusedValues((0,), "is not supported; log probabilities are not returned"),
    "audio": RefusedValues((), "is not supported; answers are texts"),
    "modalities": RefusedValues((["text"],), "must be ['text']; answers are texts"),
    "functions": RefusedValues((), "is not supported; use tools"),
    "function_call": RefusedValues((), "is not supported; use tool_choice"),
}
"""Parameters without which an answer would not be the one that a client expects."""

IGNORED: Final[tuple[str, ...]] = (
    "frequency_penalty",
    "logit_bias",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "seed",
    "service_tier",
    "store",
    "verbosity",
    "web_search_options",
)
"""Known parameters without an effect; so are all unknown ones."""


class RequestParameters(Struct, frozen=True):
    """Parameters of a request by name, or of an object in it at `path`; null is the same as an absent one.

    The methods raise RequestError that names a parameter of another type.
    """

    values: Mapping[str, Json]
    path: str = ""

    def refuse(self, refused: Mapping[str, RefusedValues] = REFUSED) -> None:
        """Raise RequestError for a parameter that is refused."""
        for name, refusal in refused.items():
            value = self.values.get(name)
            if value is not None and value not in refusal.accepted:
                raise invalid_parameter(self.place(name), refusal.message, code="unsupported_parameter")

    def text(self, name: str) -> str | None:
        value = self.values.get(name)
        if value is not None and not isinstance(value, str):
            raise invalid_parameter(self.place(name), "must be a string")
        return value

    @property
    def end_user(self) -> str | None:
        """Return the id of the end user; a value of another type is ignored, as by tokens without an end user."""
        named = (self.values.get(name) for name in END_USER)
        return next((value for value in named if isinstance(value, str) and value), None)

    def required_text(self, name: str) -> str:
        value = self.text(name)
        if not value:
            raise invalid_parameter(self.place(name), "is required and must be a string that is not empty")
        return value

    def flag(self, name: str) -> bool:
        value = self.values.get(name)
        if value is not None and not isinstance(value, bool):
            raise invalid_parameter(self.place(name), "must be true or false")
        return bool(value)

    def number(self, name: str, *, low: float, high: float) -> float | None:
        value = self.values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise invalid_parameter(self.place(name), f"must be a number from {low:g} to {high:g}")
        return float(value)

    def count(self, name: str) -> int | None:
        value = self.values.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise invalid_parameter(self.place(name), "must be an integer of 1 or more")
        return value

    def texts(self, name: str, *, at_most: int) -> tuple[str, ...]:
        """Return a text, or a list of texts; none of them is empty."""
        value = self.values.get(name)
        if value is None:
            return ()
        listed = value if isinstance(value, list) else [value]
        texts = tuple(text for text in listed if isinstance(text, str) and text)
        if len(texts) != len(listed) or len(texts) > at_most:
            raise invalid_parameter(self.place(name), f"must be a text, or a list of up to {at_most} texts")
        return texts

    def reasoning_effort(self, name: str) -> ReasoningEffort | None:
        value = self.text(name)
        if value is None:
            return None
        found = next((effort for effort in get_args(ReasoningEffort) if effort == value), None)
        if found is None:
            known = ", ".join(map(repr, get_args(ReasoningEffort)))
            raise invalid_parameter(self.place(name), f"is {truncate(value, 64)!r}, not one of {known}")
        return found

    def items(self, name: str, *, at_most: int) -> list[Json]:
        value = self.values.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or len(value) > at_most:
            raise invalid_parameter(self.place(name), f"must be a list of up to {at_most} objects")
        return value

    def object(self, name: str) -> "RequestParameters":
        """Return the parameters of an object; those of an absent one are empty."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, dict):
            raise invalid_parameter(self.place(name), "must be an object")
        return RequestParameters(value or {}, self.place(name))

    def place(self, name: str) -> str:
        """Return the path of a parameter in the request."""
        return f"{self.path}.{name}" if self.path else name


MAX_TOOLS: Final = 128
MAX_NAME_CHARACTERS: Final = 64


class DeclaredTools(NamedTuple):
    """Function tools of a client, and a warning for each declared tool of another type, which is not offered."""

    tools: tuple[ClientTool, ...]
    warnings: tuple[str, ...]


def client_tools(request: RequestParameters, *, nested: bool) -> DeclaredTools:
    """Return the parameter `tools`, whose definitions are `nested` in `function` or flat.

    OpenAI's built-in tools, such as `web_search`, are skipped: clients declare them beside their own. Raises
    RequestError that names the tool for one without a type, and for a function that cannot be used.
    """
    tools: list[ClientTool] = []
    skipped: list[str] = []
    for index, item in enumerate(request.items("tools", at_most=MAX_TOOLS)):
        path = f"tools[{index}]"
        if not isinstance(item, dict):
            raise invalid_parameter(path, "must be an object of the type 'function'")
        kind = item.get("type")
        if kind == "function":
            tools.append(_tool(item, path, nested=nested))
        elif isinstance(kind, str) and kind:
            skipped.append(
                f"{path} is of the type {truncate(kind, MAX_NAME_CHARACTERS)!r}, which this service cannot run"
            )
        else:
            raise invalid_parameter(f"{path}.type", "is missing; it is 'function' for the tools of a client")
    return DeclaredTools(tuple(tools), tuple(skipped))


def _tool(item: dict[str, Json], path: str, *, nested: bool) -> ClientTool:
    values = RequestParameters(item, path)
    definition = values.object("function") if nested else values
    name = definition.required_text("name")
    if len(name) > MAX_NAME_CHARACTERS:
        raise invalid_parameter(definition.place("name"), f"must have at most {MAX_NAME_CHARACTERS} characters")
    description, parameters = definition.text("description") or "", dict(definition.object("parameters").values)
    strict = None if definition.values.get("strict") is None else definition.flag("strict")
    if not parameters:
        return ClientTool(name=name, description=description, strict=strict)
    return ClientTool(name=name, description=description, parameters=parameters, strict=strict)


def tool_choice(request: RequestParameters, *, nested: bool) -> ToolChoice:
    """Return the parameter `tool_choice`. Raises RequestError for another form."""
    value = request.values.get("tool_choice")
    match value:
        case None | "auto":
            return "auto"
        case "none":
            return "none"
        case "required":
            return "required"
        case {"type": "function"}:
            choice = request.object("tool_choice")
            return NamedTool((choice.object("function") if nested else choice).required_text("name"))
        case _:
            message = "must be 'auto', 'none', 'required' or an object of the type 'function' with the name of a tool"
            raise invalid_parameter(request.place("tool_choice"), message)


def response_format(form: RequestParameters, *, nested: bool) -> ResponseFormat | None:
    """Return the form of an answer from `response_format` or `text.format`; None for a text.

    The schema is `nested` in `json_schema`, or beside the type. Raises RequestError for another type, and for a schema
    that cannot be used.
    """
    match form.text("type"):
        case None | "text":
            return None
        case "json_object":
            return ResponseFormat()
        case "json_schema":
            described = form.object("json_schema") if nested else form
            schema = described.object("schema")
            wanted = ResponseFormat(
                schema=schema.values if described.values.get("schema") is not None else None,
                name=described.text("name") or "answer",
                description=described.text("description") or "",
                strict=None if described.values.get("strict") is None else described.flag("strict"),
            )
            return usable_format(wanted, param=described.place("schema"))
        case other:
            message = f"is {truncate(other, MAX_NAME_CHARACTERS)!r}, not one of 'text', 'json_object', 'json_schema'"
            raise invalid_parameter(form.place("type"), message)
