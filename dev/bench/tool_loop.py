"""Chats of the engine in this process, with a model in process or over a socket, and the CPU time of one."""

import io
import json
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, Never

import httpx2

from flexchat.api import ChatRequest
from flexchat.aws.lambdas import LambdaInvoker
from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from flexchat.http_api.caller import DIRECT
from flexchat.limits.rate_limits import RateLimits
from flexchat.observability import logger
from functions.chat.chat_limits import ChatLimits
from functions.chat.engine import ChatEngine
from functions.chat.files.message_files import MessageFiles
from functions.chat.generation.events import Emit, ignore_event
from functions.chat.providers.base import Provider
from functions.chat.providers.factory import create_provider
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.resumption.approvals import ApprovalRequests
from functions.chat.resumption.tokens import ResumeTokens
from functions.chat.resumption.waiting_chats import WaitingChats
from functions.chat.runtime import RuntimeCache
from functions.chat.sessions.conversations import Conversations
from functions.chat.sessions.titles import TitleQueue
from functions.chat.tracing.sender import TraceSender

REPEATS = 20
TOOLS = 12
MANY_TURNS = 20
MAX_ITERATIONS = 20
LOOPBACK = EgressPolicy(local=True)

_PARAMETERS = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "What to look for"}, "limit": {"type": "integer"}},
    "required": ["text"],
}


class ModelChunks(httpx2.SyncByteStream):
    """Body of a model in process."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._chunks)


def model_response(chunks: Iterable[bytes], content_type: str = "application/json") -> httpx2.Response:
    """Return the response of a model in process."""
    return httpx2.Response(200, headers={"content-type": content_type}, stream=ModelChunks(chunks))


class Model(httpx2.BaseTransport):
    """Transport of a model that requests one tool per turn and answers in the last of `turns`."""

    def __init__(self, turns: int) -> None:
        self._turns = turns
        self._turn = 0

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:  # noqa: ARG002
        """Return the response of the next turn."""
        self._turn = self._turn % self._turns + 1
        return model_response((json.dumps(_completion(self._turn, last=self._turn == self._turns)).encode(),))


def _completion(turn: int, *, last: bool) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": "It is done." if last else None}
    if not last:
        arguments = json.dumps({"text": f"look for number {turn}", "limit": turn})
        call = {"id": f"call_{turn}", "type": "function", "function": {"name": "tool_0", "arguments": arguments}}
        message["tool_calls"] = [call]
    choice = {"index": 0, "message": message, "finish_reason": "stop" if last else "tool_calls"}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return {"id": "x", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage}


class InstantLambdas:
    """Tool that returns immediately."""

    _reply = json.dumps({"version": 1, "ok": True, "result": {"found": ["one", "two"], "score": 0.5}}).encode()

    def invoke(self, **_request: object) -> dict[str, Any]:
        return {"StatusCode": 200, "Payload": io.BytesIO(self._reply)}


def engine(
    turns: int,
    *,
    tools: int = TOOLS,
    model: httpx2.BaseTransport | None = None,
    observe: Emit = ignore_event,
    stream: bool = False,
    llm: Mapping[str, str] | None = None,
    lambdas: Any = None,
) -> Callable[[], Any]:
    """Run a chat of `turns` model calls through the engine, with this many tools offered.

    `model` replaces the model of `turns`; with `stream` the answer is streamed to `observe`. With `llm`, the `type` and
    the `base_url` of an entry of `llms`, the model is called over a socket. `lambdas` replaces the Lambda client.
    """
    registry = [
        {
            "name": f"tool_{number}",
            "description": f"Tool number {number}",
            "parameters": _PARAMETERS,
            "implementation": {"type": "mock"},
        }
        for number in range(tools)
    ]
    rule = {
        "llm": "llm",
        "model": "m",
        "prompt": "You help.",
        "tools": {"enabled": True, "max_iterations": MAX_ITERATIONS},
    }
    configuration = Configuration.model_validate(
        {
            "llms": {"llm": {"type": "openai", "api_key": "none", **(llm or {})}},
            "responses": [rule],
            "tools": {"enabled": True, "registry": registry},
        }
    )
    catalog = Catalog(configuration, (), "1")

    def provider(name: str, config: LlmConfig) -> Provider:
        if llm is not None:
            return create_provider(name, config, egress=LOOPBACK)
        return OpenAIProvider(name, config, transport=model or Model(turns))

    client: Any = lambdas or InstantLambdas()
    invoker = LambdaInvoker(client=client, functions={"mock": "mock"})
    runtimes = RuntimeCache(catalog=lambda _deadline: catalog, invoker=invoker, create_provider=provider)
    resume_tokens = ResumeTokens(states=_none, leases=_none, key=_none, clock=time.time)
    limits = RateLimits(counters=_none, now=time.time, stage="bench")
    chats = ChatEngine(
        runtimes=runtimes,
        invoker=invoker,
        conversations=Conversations(turns=_none, clock=time.time),
        resume_tokens=resume_tokens,
        waiting_chats=WaitingChats(states=_none, clock=time.time),
        approvals=ApprovalRequests(records=_none, states=_none, clock=time.time),
        files=MessageFiles(objects=_none, fetch=_none, reader=invoker),
        limits=ChatLimits(limits=limits, runtimes=runtimes, resume_tokens=resume_tokens),
        traces=TraceSender("", _none),
        titles=TitleQueue(_none),
    )
    request = ChatRequest(message="Please do it.")
    return lambda: chats.answer(
        request, caller=DIRECT, deadline=Deadline.after(60), request_id="bench", observe=observe, stream=stream
    )


def _none(*_settings: object) -> Never:
    raise AssertionError("this chat has no session and no history")


def cpu_ms(chat: Callable[[], object]) -> float:
    """Return the CPU milliseconds of one chat, the mean of `REPEATS` after a warm-up."""
    with muted():
        chat()
        started = time.process_time()
        for _ in range(REPEATS):
            chat()
        return (time.process_time() - started) * 1000 / REPEATS


@contextmanager
def muted() -> Generator[None]:
    """Discard the metrics that chats print."""
    with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing):
        yield


def quiet() -> None:
    """Disable logs."""
    logger.setLevel("CRITICAL")
