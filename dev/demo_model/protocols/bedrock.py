"""Bedrock's Converse API and its model list. A signature is required, and not verified."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import ClassVar

from dev.demo_model.conversation import Conversation, Reply
from dev.demo_model.fault_injection import HEADER, read_directives
from dev.demo_model.http import Answer, Request
from dev.demo_model.protocols.base import (
    MODEL,
    ProtocolError,
    arguments_object,
    input_tokens,
    output_tokens,
    signature,
    to_answer,
)
from dev.demo_model.protocols.bedrock_request import ConverseRequest, ToolResult, TurnMessage
from dev.demo_model.protocols.bedrock_stream import BedrockStream
from dev.demo_model.protocols.requests import BodyError, offered_tool, parse
from dev.demo_model.protocols.transcript import (
    CallTurn,
    Entry,
    ToolOutput,
    TranscriptCall,
    UserText,
    conversation_of,
    error_text,
    result_text,
)
from flexchat.json import dumps
from flexchat.messages import Json

_CONVERSE = re.compile(r"/model/(?P<model>.+)/converse(?P<stream>-stream)?")
_MODELS = "/foundation-models"
_OWN_CALL = "tooluse_demo_"
_STOP_REASONS: dict[str, str] = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "refusal": "content_filtered",
}


class BedrockProtocol:
    """`converse` and `converse-stream` of a model, the lists of models and inference profiles, and one model."""

    @property
    def stream(self) -> BedrockStream:
        return BedrockStream()

    def is_chat(self, request: Request) -> bool:
        return request.method == "POST" and _CONVERSE.fullmatch(request.path) is not None

    def describe(self, request: Request) -> Json:
        if request.method != "GET":
            return None
        if request.path == "/inference-profiles":
            _check_signed(request)
            return {"inferenceProfileSummaries": []}
        if not request.path.startswith(_MODELS):
            return None
        _check_signed(request)
        name = request.path.removeprefix(_MODELS).removeprefix("/")
        if name:
            return {"modelDetails": _model(name, "TEXT")}
        return {"modelSummaries": [_model(MODEL, "TEXT"), _model(f"{MODEL}-embedding", "EMBEDDING")]}

    def read(self, request: Request) -> Conversation:
        _check_signed(request)
        payload = parse(ConverseRequest, request.body, _in_words)
        _check_roles(payload.messages)
        _check_results(payload.messages)
        if not payload.tools and any(message.calls for message in payload.messages):
            raise ProtocolError(
                "The toolConfig field must be defined when using toolUse and toolResult content blocks."
            )
        match = _CONVERSE.fullmatch(request.path)
        conversation = conversation_of(
            list(_entries(payload.messages)),
            model=match["model"] if match else MODEL,
            system=payload.system_text,
            tools=tuple(offered_tool(tool.name, tool.schema_, tool.description) for tool in payload.tools),
            input_characters=len(request.body),
            max_tokens=payload.inference_config.max_tokens,
            stream=match is not None and match["stream"] is not None,
            form=payload.form,
        )
        _check_reasoning(
            payload.messages, expected=read_directives(conversation.message, request.headers.get(HEADER))[0].think
        )
        return conversation

    def write(self, conversation: Conversation, reply: Reply) -> Json:
        broken = any(isinstance(call.arguments, str) for call in reply.calls)
        content: list[Json] = []
        if reply.thinking:
            reasoning: Json = {"text": reply.thinking, "signature": signature(reply.thinking)}
            content.append({"reasoningContent": {"reasoningText": reasoning}})
        if reply.text:
            content.append({"text": reply.text})
        if not broken:
            content.extend(
                {
                    "toolUse": {
                        "toolUseId": f"{_OWN_CALL}{conversation.earlier_calls + number}",
                        "name": call.tool,
                        "input": arguments_object(call.arguments),
                    }
                }
                for number, call in enumerate(reply.calls, start=1)
            )
        prompt, answer = input_tokens(conversation), output_tokens(reply)
        return {
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": "malformed_tool_use" if broken else _STOP_REASONS[reply.finish],
            "usage": {"inputTokens": prompt, "outputTokens": answer, "totalTokens": prompt + answer},
            "metrics": {"latencyMs": 1},
        }

    _TYPES: ClassVar[dict[int, str]] = {
        401: "UnrecognizedClientException",
        403: "AccessDeniedException",
        404: "ResourceNotFoundException",
        408: "ModelTimeoutException",
        424: "ModelErrorException",
        429: "ThrottlingException",
        503: "ServiceUnavailableException",
        529: "ServiceUnavailableException",
    }

    def refuse(self, error: ProtocolError) -> Answer:
        """AWS has no Retry-After and no status 529."""
        otherwise = "InternalServerException" if error.status >= 500 else "ValidationException"
        kind = error.kind or self._TYPES.get(error.status, otherwise)
        status = 503 if error.status == 529 else error.status
        headers = {
            "x-amzn-errortype": f"{kind}:http://internal.amazon.com/coral/com.amazon.bedrock/",
            "x-amzn-requestid": "00000000-0000-4000-8000-000000000000",
        }
        return to_answer(status, {"message": error.message}, headers)


def _check_signed(request: Request) -> None:
    if not request.headers.get("authorization", "").startswith(("AWS4-HMAC-SHA256 ", "Bearer ")):
        raise ProtocolError("Missing Authentication Token", 403, kind="MissingAuthenticationTokenException")


def _check_roles(messages: Sequence[TurnMessage]) -> None:
    if messages[0].role != "user":
        raise ProtocolError("A conversation must start with a user message.")
    if any(before.role == after.role for before, after in pairwise(messages)):
        raise ProtocolError("A conversation must alternate between user and assistant roles.")
    if messages[-1].role != "user":
        raise ProtocolError("A conversation must end with a user message.")


def _check_results(messages: Sequence[TurnMessage]) -> None:
    waiting: list[str] = []
    for index, message in enumerate(messages):
        found = [result.tool_use_id for result in message.results]
        if len(found) > len(waiting):
            raise ProtocolError(
                f"The number of toolResult blocks at messages.{index}.content exceeds the number of toolUse blocks of"
                " previous turn."
            )
        if sorted(found) != sorted(waiting):
            raise ProtocolError(
                f"Expected toolResult blocks at messages.{index}.content for the following Ids: {', '.join(waiting)},"
                f" but found: {', '.join(found)}"
            )
        waiting = [call.tool_use_id for call in message.calls]
        if len(set(waiting)) != len(waiting):
            raise ProtocolError(f"The toolUse blocks at messages.{index}.content contain duplicate Ids.")


def _check_reasoning(messages: Sequence[TurnMessage], *, expected: bool) -> None:
    """Check the signed blocks; if `expected`, a signed block precedes the calls of this server."""
    asked_at = max(
        (index for index, message in enumerate(messages) if message.role == "user" and message.text), default=0
    )
    for index, message in enumerate(messages):
        if any(reasoning.signature != signature(reasoning.text) for reasoning in message.reasoning):
            raise ProtocolError(f"messages.{index}.content.0: Invalid `signature` in `thinking` block")
        own = any(call.tool_use_id.startswith(_OWN_CALL) for call in message.calls)
        if expected and index > asked_at and own and message.content[0].reasoning_content is None:
            raise ProtocolError(
                f"messages.{index}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."
            )


def _entries(messages: Sequence[TurnMessage]) -> Iterator[Entry]:
    for message in messages:
        for result in message.results:
            yield ToolOutput(result.tool_use_id, _text_of(result))
        if message.role == "user" and message.text:
            yield UserText(message.text)
        if message.calls:
            yield CallTurn(tuple(TranscriptCall(call.tool_use_id, call.name, call.input) for call in message.calls))


def _text_of(result: ToolResult) -> str:
    text = "".join(
        part.text or "" if part.json_ is None else result_text(part.json_) or dumps(part.json_)
        for part in result.content
    )
    return error_text(text) if result.status == "error" else text


def _model(name: str, output: str) -> Json:
    return {
        "modelArn": f"arn:aws:bedrock:us-east-1::foundation-model/{name}",
        "modelId": name,
        "modelName": name,
        "providerName": "Flexchat",
        "inputModalities": ["TEXT"],
        "outputModalities": [output],
        "responseStreamingSupported": output == "TEXT",
        "customizationsSupported": [],
        "inferenceTypesSupported": ["ON_DEMAND"],
        "modelLifecycle": {"status": "ACTIVE"},
    }


def _in_words(body_error: BodyError) -> str:
    return f"The value at {body_error.dotted or 'the body'} is invalid: {body_error.message}"
