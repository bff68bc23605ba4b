"""A message as a model reads it that is offered no tools, where the wire then takes no calls and results of calls."""

from collections.abc import Iterator

from flexchat.messages import Message, Text, ToolCall, ToolOutput


def in_words(message: Message) -> Iterator[str]:
    """The texts of `message`, calls and their results told as texts; none is blank. Reasoning is left out."""
    for part in message.parts:
        match part:
            case Text() if part.text.strip():
                yield part.text
            case ToolCall():
                yield f"(called {part.name} with {part.raw or '{}'})"
            case ToolOutput():
                yield f"({part.name} {'failed' if part.is_error else 'answered'}: {part.content})"
            case _:
                continue
