"""Validation case of a trace: the user's message, the offered tools as mocks, and the calls as expected."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import groupby
from typing import Final, cast

from pydantic import ValidationError

from flexchat.api.request import MAX_MESSAGE_CHARACTERS, HistoryMessage
from flexchat.config.models.tools import ToolDefinition
from flexchat.errors import Problem, RequestError
from flexchat.http_api.errors import shape_error
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.text import truncate, truncate_middle
from flexchat.traces import Span, TraceRecord
from flexchat.validation.cases import DEFAULT_PROMPT, Expectation, ExpectedCall, ExpectedTurn, Suite, ValidationCase
from flexchat.validation.mocks import MAX_ANSWERS
from flexchat.validation.suites import check_suite
from flexchat.validation.values import accepted_form
from flexchat.validation.verdicts import Category

MAX_FAILED_CALLS: Final = 10
MAX_ITERATIONS: Final = 20
ERROR_CHARACTERS: Final = 1_000
DESCRIPTION_CHARACTERS: Final = 4_096

NO_RESULT: Final = "The trace has no result for these arguments."


def suite_of(record: TraceRecord) -> Suite:
    """Return a suite with the tools of a trace and one case, which expects the calls of the trace.

    Raises RequestError (409) for a trace that no case can be made of.
    """
    if not record.has_content:
        raise _conflict(
            "no_content", "it has no content: set `traces.content` to 'all' in the configuration for later chats"
        )
    if not record.message.strip():
        raise _conflict("no_message", "it has no user message")
    if len(record.message) > MAX_MESSAGE_CHARACTERS:
        raise _conflict("message_too_long", f"its message has more than {MAX_MESSAGE_CHARACTERS} characters")
    if any(
        _kinds(_fields(message)) - {"text"} for message in record.messages if _fields(message).get("role") == "user"
    ):
        raise _conflict("has_attachments", "it has pictures or files, which a case cannot have")
    if not record.tools:
        raise _conflict("no_tools", "the model was offered no tool")
    try:
        suite = _suite(record)
    except ValidationError as exc:
        details = shape_error(exc.errors(include_url=False), Suite).details
        raise _conflict("invalid_case", "see details", details) from exc
    errors = tuple(problem for problem in check_suite(suite) if problem.severity == "error")
    if errors:
        raise _conflict("invalid_case", "see details", errors)
    return suite


def _suite(record: TraceRecord) -> Suite:
    calls = [span for span in record.spans if span.kind == "tool"]
    succeeded = [call for call in calls if call.error is None and isinstance(call.content.get("arguments"), dict)]
    failed = len(calls) - len(succeeded)
    if calls and not succeeded:
        raise _conflict("no_successful_call", "every tool call of it failed")
    if failed > MAX_FAILED_CALLS:
        raise _conflict("too_many_failed_calls", f"it has more than {MAX_FAILED_CALLS} failed tool calls")
    tools = tuple(_mock(_fields(tool), calls) for tool in record.tools)
    turns = tuple(_turns(succeeded))
    last = max((span.iteration for span in record.spans), default=0)
    case = ValidationCase(
        id=record.id,
        category=_category(turns, failed=failed, offered=len(tools)),
        description=f"A chat of {record.caller} with {record.model or 'no model'}",
        history=tuple(_history(record)),
        message=record.message,
        expect=Expectation(turns=turns, failed_calls=failed),
        max_iterations=min(MAX_ITERATIONS, max(last, len(turns) + 1)),
    )
    return Suite(
        name=f"trace-{record.id.lower()}"[:64],
        description="One chat as a case: its message, its tools with the recorded results, and its calls.",
        prompt=_prompt(record) or DEFAULT_PROMPT,
        tools=tools,
        cases=(case,),
    )


def _turns(calls: Sequence[Span]) -> Iterator[ExpectedTurn]:
    for _, group in groupby(calls, key=lambda call: call.iteration):
        yield ExpectedTurn(
            calls=tuple(
                ExpectedCall(
                    tool=call.name,
                    arguments={
                        name: (accepted_form(value),) for name, value in _fields(call.content["arguments"]).items()
                    },
                )
                for call in group
            )
        )


def _category(turns: Sequence[ExpectedTurn], *, failed: int, offered: int) -> Category:
    calls = [call for turn in turns for call in turn.calls]
    if not calls:
        return "irrelevance"
    if failed:
        return "error_recovery"
    if len(turns) > 1:
        return "multi_turn"
    if len(calls) > 1:
        return "parallel" if len({call.tool for call in calls}) == 1 else "parallel_choice"
    return "single" if offered == 1 else "choice"


def _mock(tool: Mapping[str, Json], calls: Sequence[Span]) -> ToolDefinition:
    """Return an offered tool with the recorded results by their arguments; others fail."""
    name = str(tool.get("name", ""))
    own = [call for call in calls if call.name == name and isinstance(call.content.get("arguments"), dict)]
    implementation: dict[str, Json] = {"type": "mock", "error": NO_RESULT}
    if (plain := next((call for call in own if not call.content["arguments"]), None)) is not None:
        default: dict[str, Json] = (
            {"error": _error(plain)} if plain.error else {"mock_response": plain.content.get("result")}
        )
        implementation = {"type": "mock", **default}
    answers = {dumps(call.content["arguments"]): _answer(call) for call in reversed(own) if call.content["arguments"]}
    # One with more arguments first: a mock's answer is for every call that has its arguments.
    ordered = sorted(answers.values(), key=lambda answer: -len(_fields(answer["when"])))
    if ordered:
        implementation["answers"] = list(ordered[:MAX_ANSWERS])
    description = str(tool.get("description") or name)
    return ToolDefinition(
        name=name,
        description=truncate(description, DESCRIPTION_CHARACTERS),
        parameters=dict(_fields(tool.get("parameters"))),
        implementation=implementation,
    )


def _answer(call: Span) -> dict[str, Json]:
    when = call.content["arguments"]
    return (
        {"when": when, "error": _error(call)} if call.error else {"when": when, "response": call.content.get("result")}
    )


def _error(call: Span) -> str:
    result = call.content.get("result")
    text = result if isinstance(result, str) else call.message
    return truncate(text or call.error or "", ERROR_CHARACTERS)


def _history(record: TraceRecord) -> Iterator[HistoryMessage]:
    """Return the texts of user and assistant before the last message of the user in the first model call."""
    messages = _first_messages(record)
    users = [place for place, message in enumerate(messages) if message.get("role") == "user"]
    for message in messages[: users[-1] if users else 0]:
        text = _text(message)
        if message.get("role") in ("user", "assistant") and text:
            yield HistoryMessage(role=str(message["role"]), content=truncate_middle(text, MAX_MESSAGE_CHARACTERS - 64))


def _prompt(record: TraceRecord) -> str:
    return "\n\n".join(
        text for message in _first_messages(record) if message.get("role") == "system" and (text := _text(message))
    )


def _first_messages(record: TraceRecord) -> list[Mapping[str, Json]]:
    first = next((span for span in record.spans if span.kind == "model" and "messages" in span.content), None)
    if first is None:
        return []
    places = cast("list[int]", first.content["messages"])
    return [_fields(record.messages[place]) for place in places if 0 <= place < len(record.messages)]


def _text(message: Mapping[str, Json]) -> str:
    parts = message.get("parts")
    texts = (_fields(part) for part in parts) if isinstance(parts, list) else ()
    return "".join(str(part.get("text", "")) for part in texts if part.get("type") == "text")


def _kinds(message: Mapping[str, Json]) -> frozenset[str]:
    """Return the types of the parts of a message."""
    parts = message.get("parts")
    return frozenset(str(_fields(part).get("type")) for part in parts) if isinstance(parts, list) else frozenset()


def _fields(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _conflict(code: str, reason: str, details: tuple[Problem, ...] = ()) -> RequestError:
    message = f"no validation case can be made of this trace: {reason}"
    return RequestError(message, status=HTTPStatus.CONFLICT, code=code, details=details)
