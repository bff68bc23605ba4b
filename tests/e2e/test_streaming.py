"""Streamed chats on the deployed stack: order and interruptions."""

import json
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest

from cli.event_stream import ServerEvent, read_events
from cli.local_stack import StackState
from flexchat.api import ErrorResponse
from tests.e2e.test_background_runs import ended

STREAMED = {"Accept": "text/event-stream"}
SLOW = "[demo:stream_ms=100 chunk=8] Hello"
CHATS = 50
CHATS_SECONDS = 120
FINISHED = {"answer", "error"}

type Events = Iterator[ServerEvent]


@contextmanager
def opened(api: httpx2.Client, message: str, **fields: Any) -> Generator[Events]:
    """Start a streamed chat; yields its events as they arrive. The end of the block disconnects."""
    body = {"message": message, **fields}
    with api.stream("POST", "/api/chat", json=body, headers=STREAMED) as response:
        assert response.status_code == 200, response.read()
        yield read_events(response.iter_raw())


def data_of(event: ServerEvent) -> dict[str, Any]:
    return json.loads(event.data)


def until(events: Events, name: str) -> list[ServerEvent]:
    """Return the events up to the first one of a name."""
    found: list[ServerEvent] = []
    for event in events:
        found.append(event)
        if event.name == name:
            return found
    raise AssertionError(f"no {name} among {[event.name for event in found]}")


def run_of(events: list[ServerEvent]) -> str:
    assert events[0].name == "accepted"
    return data_of(events[0])["run_id"]


def of_run(api: httpx2.Client, run: str, *, after: str = "") -> list[ServerEvent]:
    """Return the events of a run to its end, after one of them."""
    headers = {**STREAMED, **({"Last-Event-ID": after} if after else {})}
    with api.stream("GET", f"/api/runs/{run}/events", headers=headers) as response:
        assert response.status_code == 200, response.read()
        return list(read_events(response.iter_raw()))


def text_of(events: list[ServerEvent]) -> str:
    return "".join(data_of(event)["text"] for event in events if event.name == "delta")


def assert_complete(events: list[ServerEvent]) -> None:
    """Check that a chat without tools ends with one answer, equal to its deltas."""
    assert [event.name for event in events if event.name in FINISHED] == ["answer"]
    assert events[-1].name == "answer"
    assert text_of(events) == data_of(events[-1])["content"]


def test_first_delta_arrives_while_the_chat_is_running(api: httpx2.Client) -> None:
    with opened(api, SLOW) as events:
        received = until(events, "delta")
        status = api.get(f"/api/runs/{run_of(received)}").json()["status"]
        received += events

    assert status == "running"
    assert_complete(received)


def test_reader_that_pauses_receives_the_rest(api: httpx2.Client) -> None:
    with opened(api, SLOW) as events:
        received = until(events, "delta")
        view = ended(api, run_of(received))
        received += events

    assert view.status == "succeeded"
    assert_complete(received)


def test_chat_of_a_disconnected_client_continues(api: httpx2.Client) -> None:
    with opened(api, SLOW) as events:
        received = until(events, "delta")

    view = ended(api, run_of(received))
    assert view.status == "succeeded"
    assert view.answer is not None
    assert text_of(of_run(api, view.id)) == view.answer.content


def test_chat_of_a_disconnected_client_is_cancelled_by_its_run(api: httpx2.Client) -> None:
    with opened(api, SLOW) as events:
        received = until(events, "delta")

    assert api.delete(f"/api/runs/{run_of(received)}").status_code == 200
    assert ended(api, run_of(received)).status == "cancelled"


def test_client_renews_the_lease_of_its_chat(api: httpx2.Client) -> None:
    with opened(api, SLOW, lease_seconds=15) as events:
        received = until(events, "delta")
        assert api.post(f"/api/runs/{run_of(received)}/lease").status_code == 204
        received += events

    assert_complete(received)
    assert api.post("/api/runs/unknown/lease").status_code == 404


def test_client_that_comes_back_receives_the_rest(api: httpx2.Client) -> None:
    with opened(api, SLOW) as events:
        received = until(events, "delta")

    rest = of_run(api, run_of(received), after=received[-1].id)
    assert "accepted" not in {event.name for event in rest}
    assert_complete([*received, *rest])


def test_cancelled_run_ends_its_stream_with_an_error(api: httpx2.Client) -> None:
    with opened(api, f"{SLOW} [demo:length] Tell me more") as events:
        received = until(events, "delta")
        assert api.delete(f"/api/runs/{run_of(received)}").status_code == 200
        received += events

    assert [event.name for event in received if event.name in FINISHED] == ["error"]
    assert ErrorResponse.model_validate(data_of(received[-1])).error == "cancelled"
    assert ended(api, run_of(received)).status == "cancelled"


@pytest.mark.parametrize("body", [b"{", b'{"message": 7}', b'{"message": "Hello", "resume_token": "x"}'])
def test_invalid_request_is_answered_with_the_json_of_a_buffered_one(api: httpx2.Client, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    streamed, buffered = (api.post("/api/chat", content=body, headers={**headers, **own}) for own in (STREAMED, {}))

    assert (streamed.status_code, buffered.status_code) == (400, 400)
    errors = [ErrorResponse.model_validate(response.json()) for response in (streamed, buffered)]
    assert errors[0].model_dump(exclude={"request_id"}) == errors[1].model_dump(exclude={"request_id"})


@pytest.mark.parametrize("token", ["fc_0123456789_wrong", "wrong"])
def test_invalid_token_is_rejected_on_the_streaming_route(anonymous: httpx2.Client, token: str) -> None:
    headers = {**STREAMED, "Authorization": f"Bearer {token}"}
    response = anonymous.post("/api/chat", json={"message": "Hello"}, headers=headers)

    assert response.status_code in {401, 403}
    assert ErrorResponse.model_validate(response.json()).error in {"unauthorized", "forbidden"}


def test_unknown_last_event_id_is_rejected(api: httpx2.Client) -> None:
    with opened(api, "Hello") as events:
        received = list(events)
    response = api.get(f"/api/runs/{run_of(received)}/events", headers={**STREAMED, "Last-Event-ID": "seven"})

    assert (response.status_code, response.json()["error"]) == (400, "invalid_last_event_id")


def test_fifty_streams_at_once_are_complete_and_of_their_own_chats(stack: StackState) -> None:
    def chat(number: int) -> list[ServerEvent]:
        headers = {"Authorization": f"Bearer {stack.token}"}
        with (
            httpx2.Client(base_url=stack.url, headers=headers, timeout=CHATS_SECONDS, trust_env=False) as client,
            opened(client, f"[demo:stream_ms=20] What is {number} + 1000?") as events,
        ):
            return list(events)

    with ThreadPoolExecutor(CHATS) as threads:
        chats = list(threads.map(chat, range(CHATS)))

    assert len({run_of(events) for events in chats}) == CHATS
    for number, events in enumerate(chats):
        assert [event.name for event in events if event.name in FINISHED] == ["answer"]
        assert str(number + 1000) in data_of(events[-1])["content"]


def test_events_of_a_background_run_arrive_while_it_runs(api: httpx2.Client) -> None:
    message = "[demo:stream_ms=400 chunk=8] Hello"  # longer than a cold start of the streaming function
    run = api.post("/api/chat", json={"message": message}, headers={"Prefer": "respond-async"}).json()["id"]
    with api.stream("GET", f"/api/runs/{run}/events", headers=STREAMED) as response:
        events = read_events(response.iter_raw())
        received = until(events, "delta")
        status = api.get(f"/api/runs/{run}").json()["status"]
        received += events

    view = ended(api, run)
    assert status == "running"
    assert run_of(received) == run
    assert_complete(received)
    assert view.answer is not None
    assert text_of(received) == view.answer.content
