"""Structured answers of a chat: what the model is told, the check of its answer, and the text of a repair."""

from collections.abc import Sequence
from copy import replace
from http import HTTPStatus
from typing import Final

from flexchat.config.models.rules import ResponseRule
from flexchat.errors import ConfigError, ModelError, Problem, RequestError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Completion, Message, Text, assistant, user
from flexchat.schema.answers import answer_schema
from flexchat.schema.checker import ResultChecker
from flexchat.text import truncate_middle
from functions.chat.providers.base import Delta, OnDelta, ResponseFormat, TextDelta
from functions.chat.providers.profiles import ModelProfile

MAX_SHOWN_ERRORS: Final = 10
"""Errors of an answer that its model is told."""

MAX_REPEATED_CHARACTERS: Final = 20_000
"""Longest answer that is sent back for its repair; a longer one is cut in its middle."""

_FENCE: Final = "```"


class AnswerForm:
    """Form of the answers of one chat: a JSON object that fits the schema of `format`, any JSON object without one.

    `problems` are those of a schema that cannot be used.
    """

    def __init__(self, format: ResponseFormat) -> None:
        self.format = format
        usable, self.problems = answer_schema(format.schema or {})
        self._checker = ResultChecker(usable)

    def instructions(self, profile: ModelProfile, *, has_tools: bool) -> str:
        """Return the text for the system prompt of a model whose provider does not enforce the form of every answer."""
        schema = self.format.schema
        if schema is not None and profile.supports("response_format") and (profile.format_with_tools or not has_tools):
            return ""
        wanted = "one JSON object" if schema is None else f"one JSON object that fits this JSON Schema: {dumps(schema)}"
        return f"Give your final answer as {wanted}\nWrite nothing before or after the JSON object."

    def read(self, text: str) -> tuple[str, Sequence[str]]:
        """Return the JSON text of an answer without what a model has put around it, and why it does not fit."""
        body = _without_fence(text.strip())
        try:
            value = safe_loads(body)
        except JsonError as error:
            return body, (f"it is not JSON: {error}",)
        if not isinstance(value, dict):
            return body, ("it must be a JSON object",)
        return body, self._checker.errors(value)[:MAX_SHOWN_ERRORS]


def _without_fence(text: str) -> str:
    """Return a text without the code fence around it, whose first line may name JSON."""
    head, newline, rest = text.partition("\n")
    if not (newline and head.strip().lower() in (_FENCE, f"{_FENCE}json") and rest.endswith(_FENCE)):
        return text
    return rest.removesuffix(_FENCE).strip()


def answer_form(rule: ResponseRule, requested: ResponseFormat | None) -> AnswerForm | None:
    """Return the form of the answers of a chat: that of the request, else of its rule.

    Raises ConfigError for a schema of the rule that cannot be used.
    """
    if requested is not None:
        return AnswerForm(requested)
    if rule.response_schema is None:
        return None
    form = AnswerForm(ResponseFormat(schema=rule.response_schema))
    if form.problems:
        path = f"responses.{rule.name or rule.model}.response_schema"
        raise ConfigError(tuple(Problem(path, problem) for problem in form.problems))
    return form


def usable_format(format: ResponseFormat, *, param: str = "response_schema") -> ResponseFormat:
    """Return a format as it is. Raises RequestError (400) for one whose schema, at `param`, cannot be used."""
    if problems := AnswerForm(format).problems:
        message = f"{param} cannot be used: {'; '.join(problems)}"
        details = tuple(Problem(param, problem) for problem in problems)
        raise RequestError(message, status=HTTPStatus.BAD_REQUEST, code="invalid_schema", details=details)
    return format


def with_text(completion: Completion, text: str) -> Completion:
    """Return a completion whose whole text is `text`."""
    if completion.message.text == text:
        return completion
    others = tuple(part for part in completion.message.parts if not isinstance(part, Text))
    return replace(completion, message=Message("assistant", (*others, Text(text))))


def repair_request(text: str, problems: Sequence[str], form: AnswerForm) -> tuple[Message, ...]:
    """Return the rejected answer and the request for another one; they are not part of the conversation."""
    wanted = "one JSON object" if form.format.schema is None else "one JSON object that fits the JSON Schema"
    schema = "" if form.format.schema is None else f" The schema: {dumps(form.format.schema)}"
    told = user(
        f"(Your answer was not accepted, since {'; '.join(problems)}. Answer again with the same content as {wanted}, "
        f"and with nothing else.{schema})"
    )
    said = truncate_middle(text, MAX_REPEATED_CHARACTERS).strip()
    return (assistant(said), told) if said else (told,)


def misformed(name: str, problems: Sequence[str]) -> ModelError:
    """Return the error of an answer that is not in the form after its repair; `name` is that of the llm."""
    return ModelError(f"the answer does not fit: {'; '.join(problems)}", type="invalid_format", provider=name)


class FormReceiver:
    """Receiver of the deltas of one model call for a structured answer, in the thread of the attempt.

    White space before the text is left out, and a text that does not begin as JSON is not shown: another may follow.
    """

    def __init__(self, receive: OnDelta) -> None:
        self._receive = receive
        self._is_json: bool | None = None

    @property
    def has_shown(self) -> bool:
        """Return whether a part of the text was shown, which cannot be taken back."""
        return self._is_json is True

    def receive(self, delta: Delta) -> None:
        """Pass a delta on, if it is shown."""
        if isinstance(delta, TextDelta):
            text = delta.text if self._is_json else delta.text.lstrip()
            if text and self._is_json is None:
                self._is_json = text.startswith("{")
            if not (text and self._is_json):
                return
            delta = TextDelta(text)
        self._receive(delta)
