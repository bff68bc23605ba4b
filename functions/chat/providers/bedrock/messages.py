"""The wire of Bedrock's Converse: bodies out, bodies in.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
"""

import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

from pydantic import ConfigDict
from pydantic.alias_generators import to_camel

from flexchat.messages import (
    Completion,
    FinishReason,
    Json,
    Message,
    Part,
    ProviderState,
    Reasoning,
    Text,
    ToolCall,
    ToolOutput,
    Usage,
)
from functions.chat.providers.fragments import to_json
from functions.chat.providers.plain_text_history import in_words
from functions.chat.providers.response_parsing import OrEmpty, Tokens, Wire, read_answer
from functions.chat.providers.tool_calls import WireCall, object_arguments, tool_calls, wire_name
from functions.chat.providers.tool_output import as_object

_OPENING = b'{"text":"(continued)"}'
"""Stands where a conversation does not begin with its user, which is refused."""

_CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")

_FINISH_REASONS: dict[str | None, FinishReason] = {
    None: "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "guardrail_intervened": "content_filter",
    "content_filtered": "content_filter",
}


def conversation_json(messages: Sequence[Message], blocks: Callable[[Message], bytes]) -> bytes:
    """The turns of `messages` in turn, the user's first; `blocks` gives each message's content, as `message_blocks`.

    Messages of one side in a row, as the results of one turn's calls, become one turn; an empty one is none.
    """
    turns: list[tuple[bytes, list[bytes]]] = []
    for message in messages:
        content = b"" if message.role == "system" else blocks(message)
        if not content:
            continue
        role = b"assistant" if message.role == "assistant" else b"user"
        if turns and turns[-1][0] == role:
            turns[-1][1].append(content)
        else:
            turns.append((role, [content]))
    if not turns or turns[0][0] == b"assistant":
        turns.insert(0, (b"user", [_OPENING]))
    return b"[" + b",".join(b'{"role":"%b","content":[%b]}' % (role, b",".join(turn)) for role, turn in turns) + b"]"


def message_blocks(message: Message) -> bytes:
    """The content blocks of `message`, joined by commas; none for what has no words, which is refused.

    Nor is reasoning taken that leads to nothing.
    """
    blocks = list(_blocks(message))
    while blocks and "reasoningContent" in blocks[-1]:
        blocks.pop()
    return b",".join(map(to_json, blocks))


def message_blocks_in_words(message: Message) -> bytes:
    """As `message_blocks`, calls and their results as text: blocks of theirs are refused where no tools are offered."""
    return b",".join(to_json({"text": text}) for text in in_words(message))


def _blocks(message: Message) -> Iterator[dict[str, Json]]:
    for part in message.parts:
        match part:
            case Text() if part.text.strip():
                yield {"text": part.text}
            case Reasoning(state=ProviderState(provider="bedrock", value=value)) if _is_signed(value):
                yield {"reasoningContent": value}
            case ToolCall():
                use: Json = {
                    "toolUseId": _wire_id(part.id),
                    "name": wire_name(part.name),
                    "input": object_arguments(part),
                }
                yield {"toolUse": use}
            case ToolOutput():
                yield {"toolResult": _result(part)}
            case _:
                continue


def _is_signed(value: Json) -> bool:
    """What is not signed need not come back, and models that do not sign refuse it."""
    if not isinstance(value, dict):
        return False
    text = value.get("reasoningText")
    return "redactedContent" in value or (isinstance(text, dict) and "signature" in text)


def _result(output: ToolOutput) -> Json:
    value = as_object(output.content)
    content: Json = (
        {"text": output.content if output.content.strip() else "(nothing)"} if value is None else {"json": value}
    )
    return {
        "toolUseId": _wire_id(output.call_id),
        "content": [content],
        "status": "error" if output.is_error else "success",
    }


def _wire_id(call_id: str) -> str:
    """Another provider's id may be longer, or of other characters."""
    if _CALL_ID.fullmatch(call_id):
        return call_id
    return f"call_{sha256(call_id.encode('utf-8', errors='replace')).hexdigest()[:32]}"


class _CamelWire(Wire):
    model_config = ConfigDict(alias_generator=to_camel)


class _ToolUse(_CamelWire):
    tool_use_id: Json = None
    name: Json = None
    input: Json = None


class _Block(_CamelWire):
    text: str | None = None
    tool_use: OrEmpty[_ToolUse] | None = None
    reasoning_content: dict[str, Json] | None = None


class _Message(_CamelWire):
    content: tuple[_Block, ...] = ()


class _Output(_CamelWire):
    message: _Message


class _Usage(_CamelWire):
    input_tokens: Tokens = 0
    output_tokens: Tokens = 0
    cache_read_input_tokens: Tokens | None = None
    cache_write_input_tokens: Tokens | None = None

    def usage(self) -> Usage:
        """Of the input, Bedrock counts apart what it read from a cache or wrote to one."""
        cached = self.cache_read_input_tokens or 0
        return Usage(
            input_tokens=self.input_tokens + cached + (self.cache_write_input_tokens or 0),
            output_tokens=self.output_tokens,
            cached_tokens=cached,
        )


class _Answer(_CamelWire):
    output: _Output
    stop_reason: str | None = None
    usage: _Usage = _Usage()


def read_completion(body: bytes, *, model: str, conversation: Sequence[Message]) -> Completion:
    """The answer in `body` to `conversation`, asked of `model`; the wire does not name a model.

    Raises ValueError saying what is wrong with the body, without quoting it.
    """
    wire = read_answer(_Answer, body)
    blocks = wire.output.message.content
    used = [block.tool_use for block in blocks if block.tool_use]
    calls = tool_calls([WireCall(use.name, use.input, use.tool_use_id) for use in used], conversation)
    return Completion(
        message=Message("assistant", tuple(_parts(blocks, calls))),
        finish_reason="tool_calls" if calls else _FINISH_REASONS.get(wire.stop_reason, "unknown"),
        usage=wire.usage.usage(),
        model=model,
        raw_finish_reason=wire.stop_reason,
    )


def _parts(blocks: Sequence[_Block], calls: Sequence[ToolCall]) -> Iterator[Part]:
    """The blocks in their order: reasoning has to come back where it stood."""
    next_call = iter(calls)
    for block in blocks:
        if block.text:
            yield Text(block.text)
        if block.reasoning_content is not None:
            text = block.reasoning_content.get("reasoningText")
            yield Reasoning(ProviderState("bedrock", dict(block.reasoning_content)), _text_of(text))
        if block.tool_use:
            yield next(next_call)


def _text_of(reasoning: Json) -> str:
    text = reasoning.get("text") if isinstance(reasoning, dict) else None
    return text if isinstance(text, str) else ""
