"""Streamed chats with every provider, beside the buffered ones."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from cli.event_stream import read_events
from cli.layout import Layout
from cli.local_stack import StackState
from flexchat.api import ChatResponse, ErrorResponse
from flexchat.config.providers import PROVIDER_TYPES
from tests.e2e.commands import flexchat

QUESTION = "What is 15% of 45, and the weather in Paris?"
OF_ONE_CHAT = {"request_id", "timings", "tool_calls", "usage"}
"""Fields that differ between two chats with one message: the model reads the times of tools, which count tokens."""

type Received = list[tuple[str, dict[str, Any]]]


@pytest.fixture(scope="module", autouse=True)
def five_providers(stack: StackState, layout: Layout) -> Iterator[None]:
    """Push a configuration with a rule per provider, selected by the profile's `provider`."""
    flexchat("local", "up", "--config", str(layout.root / "config" / "examples" / "five-providers.json"))
    yield
    flexchat("local", "up", "--config", stack.config)


@pytest.fixture(params=PROVIDER_TYPES)
def provider(request: pytest.FixtureRequest) -> str:
    return request.param


def body_of(provider: str, message: str) -> dict[str, Any]:
    return {"message": message, "profile": {"provider": provider}}


def streamed(api: httpx2.Client, provider: str, message: str) -> Received:
    """Return the events of a streamed chat, each with its data."""
    headers = {"Accept": "text/event-stream"}
    with api.stream("POST", "/api/chat", json=body_of(provider, message), headers=headers) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["Content-Type"].startswith("text/event-stream")
        return [(event.name, json.loads(event.data)) for event in read_events(response.iter_raw())]


def buffered(api: httpx2.Client, provider: str, message: str) -> ChatResponse:
    response = api.post("/api/chat", json=body_of(provider, message))
    assert response.status_code == 200, response.text
    return ChatResponse.model_validate(response.json())


def texts(events: Received) -> list[str]:
    """Return the joined deltas of each model call."""
    found: list[str] = []
    for name, data in events:
        if name == "model_started":
            found.append("")
        elif name == "delta":
            found[-1] += data["text"]
    return found


def comparable(answer: ChatResponse) -> tuple[object, ...]:
    """Return an answer without its own ids and times."""
    calls = [(call.iteration, call.tool, call.params, call.result.success) for call in answer.tool_calls]
    return answer.model_dump(exclude=OF_ONE_CHAT), calls, [(step.step, step.name) for step in answer.timings.steps]


@pytest.mark.parametrize(
    "message",
    [
        "Hello",
        QUESTION,
        '[demo:think] [demo:call=get_weather {"location": "Oslo"}] What is 6*7?',
        "[demo:length] Tell me more",
    ],
)
def test_streamed_answer_equals_the_buffered_one(api: httpx2.Client, provider: str, message: str) -> None:
    events = streamed(api, provider, message)

    (answer,) = [ChatResponse.model_validate(data) for name, data in events if name == "answer"]
    assert (events[0][0], events[-1][0]) == ("accepted", "answer")
    assert texts(events)[-1] == answer.content
    assert comparable(answer) == comparable(buffered(api, provider, message))


def test_tools_are_reported_between_the_model_calls(api: httpx2.Client, provider: str) -> None:
    events = streamed(api, provider, QUESTION)

    started = [data["tool"] for name, data in events if name == "tool_started"]
    finished = [(data["tool"], data["ok"]) for name, data in events if name == "tool_finished"]
    assert started == ["calculate", "get_weather"]
    assert sorted(finished) == [("calculate", True), ("get_weather", True)]
    assert [data["iteration"] for name, data in events if name == "model_started"] == [1, 2]


def test_text_arrives_in_many_pieces(api: httpx2.Client, provider: str) -> None:
    events = streamed(api, provider, "[demo:chunk=2] Hello")

    assert sum(name == "delta" for name, _ in events) > 5


@pytest.mark.parametrize("fault", ["cut", "error", "end"])
def test_stream_that_fails_before_its_text_is_retried(api: httpx2.Client, provider: str, fault: str) -> None:
    events = streamed(api, provider, f"[demo:{fault} at=0 times=1] {provider} {fault}: what is 2+2?")

    answer = ChatResponse.model_validate(events[-1][1])
    assert texts(events)[-1] == answer.content
    assert "2+2 is 4." in answer.content


@pytest.mark.parametrize("fault", ["cut", "error", "end"])
def test_stream_that_fails_within_its_text_ends_with_an_error(api: httpx2.Client, provider: str, fault: str) -> None:
    events = streamed(api, provider, f"[demo:{fault}] Hello")

    name, data = events[-1]
    assert name == "error"
    assert ErrorResponse.model_validate(data).error.startswith("model_")
    assert texts(events)[-1].startswith("(demo model) ")
    assert "answer" not in {name for name, _ in events}
