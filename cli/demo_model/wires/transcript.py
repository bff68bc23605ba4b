"""What was said and done, in nobody's wire format, and the conversation that it makes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cli.demo_model.conversation import Conversation, OfferedTool, ToolReport
from flexchat.messages import Json


@dataclass(frozen=True, slots=True)
class Said:
    """Words of the user."""

    text: str


@dataclass(frozen=True, slots=True)
class AskedCall:
    """A call that the model asked for; `id` is unique since the latest words of the user."""

    id: str
    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn of the model with calls."""

    calls: tuple[AskedCall, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """What a tool said to the call `id`, as text."""

    id: str
    content: str


type Entry = Said | Asked | Answered


def conversation_of(
    entries: Sequence[Entry],
    *,
    model: str,
    system: str,
    tools: tuple[OfferedTool, ...],
    input_characters: int,
    max_tokens: int | None,
) -> Conversation:
    asked_at = max((index for index, entry in enumerate(entries) if isinstance(entry, Said)), default=-1)
    said = entries[asked_at] if asked_at >= 0 else None
    since = entries[asked_at + 1 :]
    calls = {call.id: call for entry in since if isinstance(entry, Asked) for call in entry.calls}
    return Conversation(
        model=model,
        message=said.text if isinstance(said, Said) else "",
        system=system,
        tools=tools,
        reports=tuple(
            ToolReport(calls[entry.id].tool, calls[entry.id].arguments, entry.content)
            for entry in since
            if isinstance(entry, Answered) and entry.id in calls
        ),
        turns=sum(1 for entry in since if isinstance(entry, Asked)),
        earlier_calls=sum(len(entry.calls) for entry in entries if isinstance(entry, Asked)),
        input_characters=input_characters,
        max_tokens=max_tokens,
    )


def result_text(result: Mapping[str, Json]) -> str | None:
    """The text of a result that was put into an object only because its wire has no texts there."""
    match dict(result):
        case {"result": str(text), **rest} | {"output": str(text), **rest} if not rest:
            return text
        case {"error": str(text), **rest} if not rest:
            return error_text(text)
        case _:
            return None


def error_text(text: str) -> str:
    """A text that the wire marks as an error, in the words of the text format."""
    return text if text.startswith(("Error: ", "{")) else f"Error: {text}"
