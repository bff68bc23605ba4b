"""Rules from a conversation to the model's next turn, without randomness or state."""

import json
import re
from collections.abc import Callable, Sequence
from copy import replace

from dev.demo_model.conversation import Conversation, OfferedTool, Parameter, PlannedCall, Reply, ToolReport
from dev.demo_model.fault_injection import Faults
from dev.demo_model.phases import of_phase
from dev.demo_model.skills.arithmetic import arithmetic
from dev.demo_model.skills.clock import clock
from dev.demo_model.skills.documents import documents
from dev.demo_model.skills.named import named
from dev.demo_model.skills.passages import from_passages
from dev.demo_model.skills.texts import texts
from dev.demo_model.skills.tool_request import ToolRequest, as_text, core
from dev.demo_model.skills.weather import weather
from flexchat.messages import Json

SIGNATURE = "(demo model)"

SKILLS: tuple[Callable[[str, Sequence[OfferedTool]], list[ToolRequest]], ...] = (
    arithmetic,
    weather,
    clock,
    documents,
    texts,
)

_WITHOUT_TOOLS = re.compile(
    r"\b(?:without (?:using )?(?:any |the |your )?tools?|no tools|(?:do not|don't) use (?:any )?tools?)\b", re.I
)
_GREETING = re.compile(r"\s*(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[\s!.,]*", re.I)
_READ_CHARACTERS = 4000
"""Maximum length of a message for the rules, which take more than linear time."""

_QUOTED_CHARACTERS = 200
_THOUGHT = "What does the message call for, and which tool knows it?"
_MARK = re.compile(r"\A<untrusted id=[^>\n]{1,300}>\n|\n</untrusted id=[^>\n]{1,100}>\Z")
"""Tags that the service puts around untrusted results."""

_BROKEN_JSON = '{"broken": '


def reply(conversation: Conversation, message: str, faults: Faults) -> Reply:
    """Return the next turn; `message` is the latest user message without its fault directives."""
    turn = _turn(conversation, message, faults)
    return replace(turn, thinking=_THOUGHT) if faults.think else turn


def _turn(conversation: Conversation, message: str, faults: Faults) -> Reply:
    if faults.refuse:
        return Reply(_signed("I cannot help with that."), finish="refusal")
    if faults.empty:
        return Reply()
    if (phase := of_phase(conversation.message)) is not None:
        return Reply(phase)
    calls = _calls_of_directives(conversation, faults)
    if calls and (conversation.tools or not conversation.reports):
        return Reply(calls=calls, finish="tool_calls")
    tools = () if _WITHOUT_TOOLS.search(message) else conversation.tools
    usable = tools or _reporting(conversation)
    requests = [request for skill in SKILLS for request in skill(message[:_READ_CHARACTERS], usable)]
    requests = requests or named(message[:_READ_CHARACTERS], usable)
    pending = tuple(
        PlannedCall(request.tool.name, request.arguments)
        for request in requests
        if request.tool is not None and request.arguments is not None and _report(request, conversation) is None
    )
    if tools and pending:
        return Reply(calls=pending, finish="tool_calls")
    text = _signed(_answer(conversation, message, requests))
    if faults.length:
        return Reply(text[: max(1, len(text) // 2)], finish="length")
    return Reply(text)


def _calls_of_directives(conversation: Conversation, faults: Faults) -> tuple[PlannedCall, ...]:
    if faults.bad_json and conversation.turns == 0 and conversation.tools:
        return (PlannedCall(conversation.tools[0].name, _BROKEN_JSON),)
    return tuple(call for call, times in faults.calls if conversation.turns < times)


def _reporting(conversation: Conversation) -> tuple[OfferedTool, ...]:
    """Return placeholders for the tools in earlier calls, to phrase their results when no tool is offered."""
    parameters_by_tool: dict[str, dict[str, Parameter]] = {}
    for report in conversation.reports:
        parameters = {name: Parameter(name, required=True) for name in report.arguments}
        parameters_by_tool.setdefault(report.tool, {}).update(parameters)
    return tuple(OfferedTool(name, tuple(parameters.values())) for name, parameters in parameters_by_tool.items())


def _report(request: ToolRequest, conversation: Conversation) -> ToolReport | None:
    for report in conversation.reports:
        if request.tool is not None and report.tool == request.tool.name and report.arguments == request.arguments:
            return report
    return None


def _answer(conversation: Conversation, message: str, requests: Sequence[ToolRequest]) -> str:
    sentences: list[str] = []
    reported: list[ToolReport] = []
    for request in requests:
        report = _report(request, conversation)
        if report is not None:
            reported.append(report)
            sentences.append(_sentence(report, request.subject, request.phrase_result))
        elif request.unaided:
            sentences.append(request.unaided)
    for report in conversation.reports:
        if report not in reported:
            reported.append(report)
            sentences.append(_sentence(report, report.tool, lambda value, report=report: _says(report.tool, value)))
    if conversation.pictures:
        sentences.insert(0, f"I see {' and '.join(conversation.pictures)}.")
    if sentences:
        return " ".join(sentences)
    return from_passages(conversation.system) or _plain(message, conversation.tools)


def _sentence(report: ToolReport, subject: str, phrase_result: Callable[[Json], str]) -> str:
    value, error = outcome(report.content)
    return phrase_result(value) if error is None else f"I could not get {subject}: {error.rstrip('.')}."


def _says(tool: str, value: Json) -> str:
    return f"{tool} says: {as_text(core(value))}."


def outcome(content: str) -> tuple[Json, str | None]:
    """Return a tool message's result and its error, in the JSON form or the text form, without tags around it."""
    content = _MARK.sub("", content)
    if content.startswith("Error: "):
        return None, content.removeprefix("Error: ")
    try:
        value: Json = json.loads(content)
    except ValueError:
        return content, None
    if not isinstance(value, dict) or "success" not in value:
        return value, None
    if value["success"] is True:
        return value.get("result"), None
    return None, str(value.get("user_message") or value.get("error") or "the tool failed")


def _plain(message: str, tools: Sequence[OfferedTool]) -> str:
    if _GREETING.fullmatch(message):
        return f"Hello. {_abilities(tools)}"
    quoted = message if len(message) <= _QUOTED_CHARACTERS else f"{message[:_QUOTED_CHARACTERS]}…"
    return f'You said: "{quoted}". {_abilities(tools)}'


def _abilities(tools: Sequence[OfferedTool]) -> str:
    names = ", ".join(tool.name for tool in tools) or "none"
    return f"I only follow rules: I know arithmetic, and what my tools can tell me (offered now: {names})."


def _signed(text: str) -> str:
    return f"{SIGNATURE} {text}"
