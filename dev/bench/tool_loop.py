"""CPU time of the tool loop, compared with a minimal loop: the same answers, the same tool calls.

Both call the same model in process through an HTTP client's transport, without a socket or a second process. The
minimal loop stores the conversation as dictionaries and serializes all of it in every turn.
"""

import io
import json
import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, Never

import httpx

from flexchat.api import ChatRequest
from flexchat.aws.lambdas import LambdaInvoker
from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.http_api.caller import DIRECT
from flexchat.observability import logger
from functions.chat.engine import ChatEngine
from functions.chat.generation.events import Emit, ignore_event
from functions.chat.limits.chat_limits import ChatLimits, RateLimits
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.resumption.client_turns import ClientTurns
from functions.chat.resumption.tokens import ResumeTokens
from functions.chat.runtime import RuntimeCache
from functions.chat.sessions.conversations import Conversations

REPEATS = 20
TOOLS = 12
MANY_TURNS = 20

_PARAMETERS = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "What to look for"}, "limit": {"type": "integer"}},
    "required": ["text"],
}


type Transport = Callable[[httpx.Request], httpx.Response]


class Model:
    """Transport of a model that requests one tool per turn and answers in the last of `turns`."""

    def __init__(self, turns: int) -> None:
        self._turns = turns
        self._turn = 0

    def __call__(self, _request: httpx.Request) -> httpx.Response:
        self._turn = self._turn % self._turns + 1
        return httpx.Response(200, json=_completion(self._turn, last=self._turn == self._turns))


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
    model: Transport | None = None,
    observe: Emit = ignore_event,
    stream: bool = False,
) -> Callable[[], object]:
    """Run a chat of `turns` model calls through the engine, with this many tools offered.

    `model` replaces the model of `turns`; with `stream` the answer is streamed to `observe`.
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
    rule = {"llm": "openai", "model": "m", "prompt": "You help.", "tools": {"enabled": True, "max_iterations": 20}}
    configuration = Configuration.model_validate(
        {
            "llms": {"openai": {"type": "openai", "api_key": "none"}},
            "responses": [rule],
            "tools": {"enabled": True, "registry": registry},
        }
    )
    catalog = Catalog(configuration, (), "1")
    lambdas: Any = InstantLambdas()

    def provider(name: str, config: LlmConfig) -> OpenAIProvider:
        return OpenAIProvider(name, config, transport=httpx.MockTransport(model or Model(turns)))

    invoker = LambdaInvoker(client=lambdas, functions={"mock": "mock"})
    runtimes = RuntimeCache(catalog=lambda _deadline: catalog, invoker=invoker, create_provider=provider)
    resume_tokens = ResumeTokens(states=_none, leases=_none, key=_none, clock=time.time)
    limits = RateLimits(counters=_none, now=time.time, stage="bench")
    chats = ChatEngine(
        runtimes=runtimes,
        invoker=invoker,
        conversations=Conversations(turns=_none, clock=time.time),
        resume_tokens=resume_tokens,
        client_turns=ClientTurns(states=_none, clock=time.time),
        limits=ChatLimits(limits=limits, runtimes=runtimes, resume_tokens=resume_tokens),
    )
    request = ChatRequest(message="Please do it.")
    return lambda: chats.answer(
        request, caller=DIRECT, deadline=Deadline.after(60), request_id="bench", observe=observe, stream=stream
    )


def _none(*_settings: object) -> Never:
    raise AssertionError("this chat has no session and no history")


def bare(turns: int) -> Callable[[], object]:
    """Run the same chat with an HTTP client and json alone."""
    client = httpx.Client(transport=httpx.MockTransport(Model(turns)))
    tools = [
        {"type": "function", "function": {"name": f"tool_{n}", "description": f"Tool {n}", "parameters": _PARAMETERS}}
        for n in range(TOOLS)
    ]

    def chat() -> object:
        messages: list[Any] = [{"role": "system", "content": "You help."}, {"role": "user", "content": "Please."}]
        while True:
            body = json.dumps({"model": "m", "messages": messages, "tools": tools}).encode()
            response = client.post("http://model/v1/chat/completions", content=body)
            message = json.loads(response.content)["choices"][0]["message"]
            if not message.get("tool_calls"):
                return message["content"]
            messages.append(message)
            for call in message["tool_calls"]:
                json.loads(call["function"]["arguments"])
                result = json.dumps({"success": True, "result": {"found": ["one", "two"], "score": 0.5}})
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})

    return chat


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


def report() -> None:
    """Print CPU per chat and per model call at several lengths."""
    quiet()
    print("Tool loop, CPU ms (no network; one tool call per turn, 12 tools offered)")
    print(f"{'turns':>6} {'engine/chat':>12} {'engine/turn':>12} {'bare/chat':>10} {'bare/turn':>10} {'ratio':>6}")
    for turns in (1, 5, 10, 20):
        ours, theirs = cpu_ms(engine(turns)), cpu_ms(bare(turns))
        row = f"{turns:>6} {ours:>12.2f} {ours / turns:>12.2f} {theirs:>10.2f} {theirs / turns:>10.2f}"
        print(f"{row} {ours / theirs:>6.1f}")
