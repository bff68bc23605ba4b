"""Transcript of a request in a neutral format, and the conversation built from it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dev.demo_model.conversation import Conversation, ForcedTool, OfferedTool, ToolReport
from flexchat.messages import Json


@dataclass(frozen=True, slots=True)
class UserText:
    """Text of the user."""

    text: str


@dataclass(frozen=True, slots=True)
class TranscriptCall:
    """Call of the model; `id` is unique since the latest user message."""

    id: str
    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class CallTurn:
    """A turn of the model with calls."""

    calls: tuple[TranscriptCall, ...]


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """Output of the tool call `id`, as text."""

    id: str
    content: str


type Entry = UserText | CallTurn | ToolOutput


@dataclass(frozen=True, slots=True)
class _PlainToolOutput:
    """Return tool output as plain text, in the service's format for models without tools."""

    tool: str
    content: str


_LAST_WORDS = re.compile(
    r"\((?:Time is up and no|No) more tools can be called[^)]*\)|\(Your answer was empty[^)]*\)"
    r"|\(Your (?:last tool call was not run|answer was not accepted).*\)|Pictures of the result of [\w./-]+:\n?",
    re.DOTALL,
)
"""Messages that the service adds to its last request, to one that it sends once more, and to pictures of results."""

_TOLD = re.compile(r"\(([\w.:/-]+) (answered|failed): ")


def conversation_of(
    entries: Sequence[Entry],
    *,
    model: str,
    system: str,
    tools: tuple[OfferedTool, ...],
    input_characters: int,
    max_tokens: int | None,
    stream: bool = False,
    stream_usage: bool = False,
    form: Mapping[str, Json] | None = None,
    forced: ForcedTool | None = None,
) -> Conversation:
    apart = [part for entry in entries for part in (_parts(entry.text) if isinstance(entry, UserText) else (entry,))]
    question_at = max((index for index, entry in enumerate(apart) if isinstance(entry, UserText)), default=-1)
    user_text = apart[question_at] if question_at >= 0 else None
    since = apart[question_at + 1 :]
    calls = {call.id: call for entry in since if isinstance(entry, CallTurn) for call in entry.calls}
    return Conversation(
        model=model,
        message=user_text.text if isinstance(user_text, UserText) else "",
        system=system,
        tools=tools,
        reports=tuple(_reports(since, calls)),
        turns=sum(1 for entry in since if isinstance(entry, CallTurn)),
        earlier_calls=sum(len(entry.calls) for entry in entries if isinstance(entry, CallTurn)),
        input_characters=input_characters,
        max_tokens=max_tokens,
        stream=stream,
        stream_usage=stream_usage,
        form=form,
        forced=forced,
    )


def _reports(entries: Sequence[Entry | _PlainToolOutput], calls: Mapping[str, TranscriptCall]) -> Iterator[ToolReport]:
    for entry in entries:
        if isinstance(entry, ToolOutput) and entry.id in calls:
            yield ToolReport(calls[entry.id].tool, calls[entry.id].arguments, entry.content)
        elif isinstance(entry, _PlainToolOutput):
            yield ToolReport(entry.tool, {}, entry.content)


def _parts(text: str) -> Iterator[UserText | _PlainToolOutput]:
    """Return the user's text without additions of the service; tool results are separate."""
    words = _LAST_WORDS.sub("", text)
    outputs: list[_PlainToolOutput] = []
    while match := _TOLD.search(words):
        content, end = _output_content(words, match.end())
        outputs.append(_PlainToolOutput(match[1], content if match[2] == "answered" else error_text(content)))
        words = words[: match.start()] + words[end:]
    if words.strip() or not (outputs or words != text):
        yield UserText(words)
    yield from outputs


def _output_content(words: str, start: int) -> tuple[str, int]:
    """Return a tool output, an object or a text, and the end of its bracket."""
    try:
        _, end = json.JSONDecoder().raw_decode(words, start)
    except json.JSONDecodeError:
        end = words.find(")", start)
        end = len(words) if end < 0 else end
    return words[start:end], end + 1


def result_text(result: Mapping[str, Json]) -> str | None:
    """Return the text of a result that is an object only because the protocol requires one."""
    match dict(result):
        case {"result": str(text), **rest} | {"output": str(text), **rest} if not rest:
            return text
        case {"error": str(text), **rest} if not rest:
            return error_text(text)
        case _:
            return None


def error_text(text: str) -> str:
    """Return a text with the protocol's error flag in the text format."""
    return text if text.startswith(("Error: ", "{")) else f"Error: {text}"
