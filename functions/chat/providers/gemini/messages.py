"""The wire of Gemini's `generateContent`: bodies out, bodies in.

https://ai.google.dev/api/generate-content
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

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
from functions.chat.providers.response_parsing import OrEmpty, Tokens, Wire, read_answer
from functions.chat.providers.tool_calls import WireCall, object_arguments, tool_calls, wire_name
from functions.chat.providers.tool_output import as_object

UNSIGNED = "skip_thought_signature_validator"
"""What Google has stand for the signature of calls that Gemini did not make, or an earlier one made unsigned.

https://ai.google.dev/gemini-api/docs/thought-signatures
"""

_OPENING = b'{"role":"user","parts":[{"text":"(continued)"}]}'
"""Stands where a conversation does not begin with its user."""

_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_.:-]")
"""Gemini takes dots and colons; a signed call must go back with the name that it came with."""

_REFUSED_NAMES = frozenset({"$ref", "$defs"})
"""Anywhere in a function's response they have the request refused."""

_FINISH_REASONS: dict[str | None, FinishReason] = {
    None: "stop",
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "SAFETY": "content_filter",
    "RECITATION": "content_filter",
    "BLOCKLIST": "content_filter",
    "PROHIBITED_CONTENT": "content_filter",
    "SPII": "content_filter",
    "MODEL_ARMOR": "content_filter",
}


def tool_json(tool: Mapping[str, Json]) -> bytes:
    """The function declarations of `tool`, joined by commas: of a wrapper of many or of one, of OpenAI's shape, of a
    flat one (decision C02)."""
    if "functionDeclarations" in tool:
        declarations = cast("list[Mapping[str, Json]]", tool["functionDeclarations"])
    else:
        declarations = [cast("Mapping[str, Json]", tool.get("function", tool))]
    return b",".join(to_json(dict(_declaration(declaration))) for declaration in declarations)


def _declaration(declaration: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """`parameters` takes a subset of JSON Schema, `parametersJsonSchema` the whole."""
    for name, value in declaration.items():
        if name == "parameters":
            yield "parametersJsonSchema", value
        elif name in ("name", "description", "parametersJsonSchema"):
            yield name, value


def contents_json(messages: Sequence[Message], parts: Callable[[Message], bytes]) -> bytes:
    """The contents of `messages`; `parts` gives each message's own, as `message_parts`.

    The results of one turn's calls become one content, with as many parts as there were calls.
    """
    contents: list[tuple[str, list[bytes]]] = []
    for message in messages:
        written = b"" if message.role == "system" else parts(message)
        if not written:
            continue
        if message.role == "tool" and contents and contents[-1][0] == "tool":
            contents[-1][1].append(written)
        else:
            contents.append((message.role, [written]))
    opening = () if contents and contents[0][0] == "user" else (_OPENING,)
    return b"[" + b",".join((*opening, *(_content(role, written) for role, written in contents))) + b"]"


def _content(role: str, parts: Sequence[bytes]) -> bytes:
    return b'{"role":"%b","parts":[%b]}' % (b"model" if role == "assistant" else b"user", b",".join(parts))


def message_parts(message: Message) -> bytes:
    """The parts of `message`, joined by commas; none for what has no words."""
    return b",".join(to_json(part) for part in _wire_parts(message))


def _wire_parts(message: Message) -> Iterator[Json]:
    signed = any(_signature(part.state) for part in message.parts if not isinstance(part, ToolOutput))
    for part in message.parts:
        match part:
            case Text() if part.text.strip() or _signature(part.state):
                yield {"text": part.text, **_signature(part.state)}
            case Reasoning(state=ProviderState(provider="gemini")):
                yield {"text": part.text, "thought": True, **_signature(part.state)}
            case ToolCall():
                # Only the first of a turn's calls has to be signed.
                signature = _signature(part.state) or ({} if signed else {"thoughtSignature": UNSIGNED})
                signed = True
                call: Json = {
                    "id": part.id,
                    "name": wire_name(part.name, refused=_NOT_IN_A_NAME),
                    "args": object_arguments(part),
                }
                yield {"functionCall": call, **signature}
            case ToolOutput():
                name = wire_name(part.name, refused=_NOT_IN_A_NAME)
                yield {"functionResponse": {"id": part.call_id, "name": name, "response": _response(part)}}
            case _:
                continue


def _signature(state: ProviderState | None) -> dict[str, Json]:
    """Gemini's own state: its part's signature, under the wire's own name."""
    if state is None or state.provider != "gemini":
        return {}
    return cast("dict[str, Json]", state.value)


def _response(output: ToolOutput) -> dict[str, Json]:
    """An object, as the wire asks for; what is none goes as text under the name the API has for it."""
    value = as_object(output.content, refused_names=_REFUSED_NAMES)
    return {"error" if output.is_error else "output": output.content} if value is None else value


class _CamelWire(Wire):
    model_config = ConfigDict(alias_generator=to_camel)


class _FunctionCall(_CamelWire):
    id: Json = None
    name: Json = None
    args: Json = None


class _Part(_CamelWire):
    text: str | None = None
    thought: bool | None = None
    thought_signature: str | None = None
    function_call: OrEmpty[_FunctionCall] | None = None

    @property
    def state(self) -> ProviderState | None:
        if self.thought_signature is None:
            return None
        return ProviderState("gemini", {"thoughtSignature": self.thought_signature})


class _Content(_CamelWire):
    parts: tuple[_Part, ...] | None = None


class _Candidate(_CamelWire):
    content: _Content | None = None
    finish_reason: str | None = None

    @property
    def parts(self) -> tuple[_Part, ...]:
        return (self.content.parts if self.content else None) or ()


class _PromptFeedback(_CamelWire):
    block_reason: str | None = None


class _UsageMetadata(_CamelWire):
    prompt_token_count: Tokens | None = None
    tool_use_prompt_token_count: Tokens | None = None
    candidates_token_count: Tokens | None = None
    thoughts_token_count: Tokens | None = None
    cached_content_token_count: Tokens | None = None

    def usage(self) -> Usage:
        """Of the output, Gemini counts its thoughts apart."""
        thoughts = self.thoughts_token_count or 0
        return Usage(
            input_tokens=(self.prompt_token_count or 0) + (self.tool_use_prompt_token_count or 0),
            output_tokens=(self.candidates_token_count or 0) + thoughts,
            cached_tokens=self.cached_content_token_count or 0,
            reasoning_tokens=thoughts,
        )


class _Answer(_CamelWire):
    candidates: tuple[_Candidate, ...] | None = None
    prompt_feedback: _PromptFeedback | None = None
    usage_metadata: _UsageMetadata | None = None
    model_version: str | None = None


def read_completion(body: bytes, *, model: str, conversation: Sequence[Message]) -> Completion:
    """The answer in `body` to `conversation`, asked of `model`. A refused prompt is an answer without words.

    Raises ValueError saying what is wrong with the body, without quoting it.
    """
    wire = read_answer(_Answer, body)
    blocked = wire.prompt_feedback.block_reason if wire.prompt_feedback else None
    if not wire.candidates and blocked is None:
        raise ValueError("candidates: there is none")
    candidate = wire.candidates[0] if wire.candidates else _Candidate()
    calls = tool_calls(
        [
            WireCall(
                name=part.function_call.name,
                arguments=part.function_call.args,
                id=part.function_call.id,
                state=part.state,
            )
            for part in candidate.parts
            if part.function_call
        ],
        conversation,
    )
    return Completion(
        message=Message("assistant", tuple(_parts(candidate.parts, calls))),
        finish_reason=_finish_reason(candidate, blocked, has_calls=bool(calls)),
        usage=wire.usage_metadata.usage() if wire.usage_metadata else Usage(),
        model=wire.model_version or model,
        raw_finish_reason=candidate.finish_reason or blocked,
    )


def _parts(parts: Sequence[_Part], calls: Sequence[ToolCall]) -> Iterator[Part]:
    """One part for each of the wire's, so that every signature goes back where it stood."""
    next_call = iter(calls)
    for part in parts:
        if part.function_call:
            yield next(next_call)
        elif part.thought:
            yield Reasoning(part.state or ProviderState("gemini", {}), part.text or "")
        elif part.text or part.state:
            yield Text(part.text or "", part.state)


def _finish_reason(candidate: _Candidate, blocked: str | None, *, has_calls: bool) -> FinishReason:
    """The finish reason: calls decide, since the wire's own reason is `STOP` with them."""
    if has_calls:
        return "tool_calls"
    return "content_filter" if blocked else _FINISH_REASONS.get(candidate.finish_reason, "unknown")
