"""Phase 1: the topic of the conversation, understandable without it."""

import json
import re
from collections.abc import Sequence

from msgspec import Struct

from flexchat.api.explain import TopicStatus
from flexchat.deadline import Deadline
from flexchat.messages import Message
from flexchat.text import single_line, truncate
from flexchat.trace_context import TraceContext
from functions.chat.generation.events import Emit
from functions.chat.generation.model_calls import substitute_variables
from functions.chat.phases.llm_call import PhaseModel, call_phase_model

HISTORY_MESSAGES = 6
"""Number of earlier messages in the prompt."""

LONG_ANSWER = 200
"""A longer earlier answer is reduced to its first sentence."""

MAX_USER_CHARACTERS = 4_000
"""Maximum length of a user message in the prompt."""

MAX_TOPIC_CHARACTERS = 200

PROMPT = """You keep track of what a conversation is about.

Current topic: {{currentTopic}}

Earlier messages:
{{conversationContext}}

New message of the user:
<message>
{{userMessage}}
</message>

Do not answer the message. Say whether it goes on with the current topic ("continuation") or begins another one \
("new_topic"), and name its topic in one short phrase that is understood without the conversation.
Answer with one JSON object and nothing else, in this form:
{"topic_status": "new_topic", "topic_summary": "opening hours of the museum"}"""
"""Default prompt."""


class TopicDecision(Struct, frozen=True):
    """Topic of a message; with an `error` the message itself. `answer` is the text of `model`."""

    status: TopicStatus
    topic: str
    model: str | None = None
    answer: str | None = None
    error: str | None = None
    duration_ms: int = 0


def detect_topic(
    message: str,
    *,
    history: Sequence[Message],
    current_topic: str | None,
    model: PhaseModel,
    prompt: str | None,
    deadline: Deadline,
    emit: Emit,
    trace: TraceContext | None = None,
) -> TopicDecision:
    """Return the topic of `message`, which follows `history`.

    `prompt` may use `{{currentTopic}}`, `{{conversationContext}}` and `{{userMessage}}`. Nothing is raised.
    """
    question = substitute_variables(
        prompt or PROMPT,
        {
            "currentTopic": current_topic or "(none)",
            "conversationContext": conversation_context(history) or "(none)",
            "userMessage": truncate(message, MAX_USER_CHARACTERS),
        },
    )
    reply = call_phase_model("topic", model, question, deadline=deadline, emit=emit, trace=trace)
    if reply.answer is None:
        return TopicDecision("new_topic", message, reply.model, None, reply.error, reply.duration_ms)
    status, summary = read_topic(reply.answer)
    if not history and not current_topic:
        status = "new_topic"
    continued = current_topic if status == "continuation" else None
    return TopicDecision(status, summary or continued or message, reply.model, reply.answer, None, reply.duration_ms)


def conversation_context(history: Sequence[Message]) -> str:
    """Return the last messages of user and assistant, one per line, long answers as their first sentence."""
    spoken = [message for message in history if message.role in ("user", "assistant") and message.text.strip()]
    return "\n".join(f"{message.role}: {_context_text(message)}" for message in spoken[-HISTORY_MESSAGES:])


def _context_text(message: Message) -> str:
    text = single_line(message.text)
    if message.role == "user":
        return truncate(text, MAX_USER_CHARACTERS)
    return text if len(text) <= LONG_ANSWER else truncate(_first_sentence(text), LONG_ANSWER)


def _first_sentence(text: str) -> str:
    end = _SENTENCE_END.search(text)
    return text[: end.end()] if end else text


_SENTENCE_END = re.compile(r"[.!?…](?=\s)|[\u3002\uff01\uff1f]")

_KEY_BEGINS = r"(?:^|[{,])(?:[^\S\n]|[\"'*`-])*"
_KEY_ENDS = r"[\s\"'*`]*[:=][\s*]*"
_VALUE = r"""(?:"(?P<double>(?:[^"\\]|\\.)*)|'(?P<single>[^'\n]*)|(?P<plain>[^\n,}"']*))"""
_STATUS = re.compile(f"{_KEY_BEGINS}(?:topic[_ ]?)?status{_KEY_ENDS}{_VALUE}", re.IGNORECASE | re.MULTILINE)
_SUMMARY = re.compile(
    f"{_KEY_BEGINS}(?:topic[_ ]?summary|summary|topic){_KEY_ENDS}{_VALUE}", re.IGNORECASE | re.MULTILINE
)
_CONTINUES = re.compile(r"(?<!not )(?<!not a )\bcontinuation\b|^contin\w*$", re.IGNORECASE)
_BEGINS = re.compile(r"\bnew[_ -]?topic\b", re.IGNORECASE)
_ONLY_A_STATUS = re.compile(r"\W*(?:continuation|new[_ -]?topic)\W*", re.IGNORECASE)


def read_topic(answer: str) -> tuple[TopicStatus, str]:
    """Return the status and the summary, which may be empty, of `answer`.

    The fields are found by their names, so that a truncated object or one inside prose is read like a complete one. An
    answer without these names is the summary itself.
    """
    status_field, summary_field = _STATUS.search(answer), _SUMMARY.search(answer)
    summary = _value(summary_field) if summary_field else ""
    rest = answer if summary_field is None else answer[: summary_field.start()] + answer[summary_field.end() :]
    status = _status(_value(status_field)) if status_field else None
    if status_field is None and summary_field is None and not _ONLY_A_STATUS.fullmatch(answer):
        summary = answer
    return status or _status(rest) or "new_topic", truncate(single_line(summary).strip("\"'` "), MAX_TOPIC_CHARACTERS)


def _status(text: str) -> TopicStatus | None:
    """Return the one status in `text`."""
    continues, begins = _CONTINUES.search(text), _BEGINS.search(text)
    if continues and not begins:
        return "continuation"
    return "new_topic" if begins else None


def _value(field: re.Match[str]) -> str:
    if (text := field["double"]) is None:
        text = field["single"] or field["plain"] or ""
        return "" if text.strip().lower() in ("null", "none") else text
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text
