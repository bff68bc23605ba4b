"""Streamed requests in the format of each protocol; their events, and the response that they add up to."""

import json
from collections.abc import Sequence
from typing import Any, cast

from botocore.eventstream import EventStreamBuffer

from dev.demo_model.fault_injection import HEADER
from dev.demo_model.http import Answer, Request
from tests.unit.dev.demo_model.clients import Anthropic, Bedrock, Body, Gemini, Ollama, OpenAI, ProtocolClient
from tests.unit.dev.demo_model.openai_client import Demo

USAGE = {"stream_options": {"include_usage": True}}


def streamed_request(client: ProtocolClient, body: Body, directives: str | None = None) -> Request:
    """Return the request for `body` as a stream."""
    path, query = client.path, ""
    match client:
        case OpenAI():
            body = {**body, "stream": True, **USAGE}
        case Ollama() | Anthropic():
            body = {**body, "stream": True}
        case Gemini():
            path, query = path.replace(":generateContent", ":streamGenerateContent"), "alt=sse"
        case _:
            path = f"{path}-stream"
    headers = {**client.headers, **({HEADER: directives} if directives else {})}
    return Request("POST", path, headers, json.dumps(body).encode(), query)


def stream(client: ProtocolClient, body: Body, directives: str | None = None, *, demo: Demo | None = None) -> Answer:
    answer = (demo or Demo()).model.answer(streamed_request(client, body, directives))
    assert (answer.status, answer.body) == (200, b"")
    return answer


def pieces(answer: Answer) -> tuple[bytes, ...]:
    assert answer.pieces is not None
    return answer.pieces


def events(client: ProtocolClient, sent: Sequence[bytes]) -> list[Body]:
    """Decode the events of a stream; of Bedrock's with their kind as the only key."""
    data = b"".join(sent)
    match client:
        case Ollama():
            return [json.loads(line) for line in data.splitlines()]
        case Bedrock():
            buffer = EventStreamBuffer()  # checks both checksums
            buffer.add_data(data)
            return [
                {headers.get(":event-type") or headers[":exception-type"]: json.loads(message.payload)}
                for message in buffer
                for headers in [cast("dict[str, str]", message.headers)]
            ]
        case _:
            values = [line.removeprefix(b"data: ") for line in data.split(b"\n") if line.startswith(b"data: ")]
            return [json.loads(value) for value in values if value != b"[DONE]"]


def joined(client: ProtocolClient, sent: Sequence[bytes]) -> Body:
    """Return the response that a complete stream adds up to."""
    found = events(client, sent)
    match client:
        case OpenAI():
            assert sent[-1] == b"data: [DONE]\n\n"
            return _openai(found)
        case Ollama():
            return _ollama(found)
        case Gemini():
            return _gemini(found)
        case Anthropic():
            return _anthropic(found)
        case _:
            return _bedrock(found)


def _openai(chunks: list[Body]) -> Body:
    message: Body = {"role": None, "content": None, "refusal": None}
    *turns, last = chunks
    for chunk in turns:
        delta = chunk["choices"][0]["delta"]
        assert chunk["usage"] is None
        message["role"] = delta.get("role", message["role"])
        for name in ("content", "refusal", "reasoning_content"):
            if delta.get(name) is not None:
                message[name] = (message.get(name) or "") + delta[name]
        for call in delta.get("tool_calls", []):
            calls = message.setdefault("tool_calls", [])
            if "id" in call:
                assert call["index"] == len(calls)
                calls.append({name: value for name, value in call.items() if name != "index"})
            else:
                calls[call["index"]]["function"]["arguments"] += call["function"]["arguments"]
    assert last["choices"] == []
    choice = {name: value for name, value in turns[-1]["choices"][0].items() if name != "delta"}
    return {**last, "object": "chat.completion", "choices": [{**choice, "message": message}]}


def _ollama(lines: list[Body]) -> Body:
    message: Body = {"role": "assistant", "content": ""}
    for line in lines:
        for name in ("content", "thinking"):
            if name in line["message"]:
                message[name] = message.get(name, "") + line["message"][name]
        if "tool_calls" in line["message"]:
            message.setdefault("tool_calls", []).extend(line["message"]["tool_calls"])
    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
    return {**lines[-1], "message": message}


def _gemini(chunks: list[Body]) -> Body:
    parts: list[Body] = []
    for part in (part for chunk in chunks for part in chunk["candidates"][0]["content"].get("parts", [])):
        if parts and part.get("text") and "text" in parts[-1] and part.get("thought") == parts[-1].get("thought"):
            parts[-1] = {**parts[-1], "text": parts[-1]["text"] + part["text"]}
        elif part != {"text": ""}:
            parts.append(part)
    assert ["finishReason" in chunk["candidates"][0] for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    candidate = chunks[-1]["candidates"][0]
    content = {"role": candidate["content"]["role"], **({"parts": parts} if parts else {})}
    return {**chunks[-1], "candidates": [{**candidate, "content": content}]}


def _anthropic(found: list[Body]) -> Body:
    message: Body = found[0]["message"]
    arguments: dict[int, str] = {}
    for event in found[1:]:
        match event["type"]:
            case "content_block_start":
                assert event["index"] == len(message["content"])
                message["content"].append(event["content_block"])
            case "content_block_delta":
                block, delta = message["content"][event["index"]], event["delta"]
                if delta["type"] == "input_json_delta":
                    arguments[event["index"]] = arguments.get(event["index"], "") + delta["partial_json"]
                    continue
                for name, text in delta.items():
                    block[name] = block[name] if name == "type" else block[name] + text
            case "message_delta":
                message |= event["delta"] | {"usage": message["usage"] | event["usage"]}
            case _:
                assert event["type"] in {"ping", "content_block_stop", "message_stop"}
    assert found[-1] == {"type": "message_stop"}
    for index, text in arguments.items():
        message["content"][index]["input"] = json.loads(text or "{}")
    return message


def _bedrock(found: list[Body]) -> Body:
    merged: list[Any] = []
    answer: Body = {}
    for event in found:
        ((kind, content),) = event.items()
        content.pop("p")
        match kind:
            case "messageStart":
                answer["output"] = {"message": {**content, "content": merged}}
            case "contentBlockStart":
                merged.append({"toolUse": {**content["start"]["toolUse"], "input": ""}})
            case "contentBlockDelta":
                ((name, value),) = content["delta"].items()
                if content["contentBlockIndex"] == len(merged):
                    merged.append({"text": ""} if name == "text" else {name: {"reasoningText": {"text": ""}}})
                block: Any = merged[content["contentBlockIndex"]]
                if name == "text":
                    block["text"] += value
                else:
                    target: Any = block[name] if name == "toolUse" else block[name]["reasoningText"]
                    for key, text in value.items():
                        target[key] = target.get(key, "") + text
            case "messageStop" | "metadata":
                answer |= content
            case _:
                assert kind == "contentBlockStop"
    assert "metadata" in found[-1]
    for block in merged:
        if "toolUse" in block:
            block["toolUse"]["input"] = json.loads(block["toolUse"]["input"] or "{}")
    return answer
