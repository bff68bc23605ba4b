"""Request headers `Prefer` and `Idempotency-Key`."""

from typing import Any

import pytest

from flexchat.errors import RequestError
from functions.chat.api.chat import idempotency_key, wants_async
from functions.chat.runs.responder import run_location


def event(*headers: tuple[str, str], multi: bool = True) -> dict[str, Any]:
    lists: dict[str, list[str]] = {}
    for name, value in headers:
        lists.setdefault(name, []).append(value)
    singles = {name: values[-1] for name, values in lists.items()}
    return {"headers": singles, "multiValueHeaders": lists if multi else None}


@pytest.mark.parametrize(
    "prefer",
    [
        "respond-async",
        "Respond-Async",
        " respond-async ",
        "respond-async, wait=100",
        "wait=10,respond-async",
        "respond-async;wait=10",
        "respond-async; foo=bar",
        'respond-async=""',
        'return=minimal; foo="a, \\" b", respond-async',
        'foo="never closed, respond-async", respond-async' + ",",
        ",,respond-async,,",
    ],
)
@pytest.mark.parametrize("multi", [True, False])
@pytest.mark.parametrize("name", ["Prefer", "prefer", "PREFER"])
def test_the_prefer_header_requests_a_background_run(name: str, prefer: str, multi: bool) -> None:
    assert wants_async(event((name, prefer), multi=multi))


@pytest.mark.parametrize(
    "prefer",
    ["", "wait=100", "return=minimal", "respond-asynchronously", "x-respond-async", 'foo="respond-async"', '"', ",;="],
)
def test_any_other_preference_is_ignored(prefer: str) -> None:
    assert not wants_async(event(("Prefer", prefer)))


def test_a_preference_can_be_in_a_separate_header() -> None:
    assert wants_async(event(("Prefer", "wait=10"), ("Prefer", "respond-async")))


@pytest.mark.parametrize("headers", [{}, {"headers": None, "multiValueHeaders": None}, {"headers": {}}])
def test_a_request_without_headers_has_no_preference_and_no_key(headers: dict[str, Any]) -> None:
    assert not wants_async(headers)
    assert idempotency_key(headers) is None


@pytest.mark.parametrize("key", ["a", "8e03978e-40d5-43dd-bc93-6894a57f9324", '"quoted"', "!~" * 127, "x" * 255])
@pytest.mark.parametrize("multi", [True, False])
def test_an_idempotency_key_is_used_unchanged(key: str, multi: bool) -> None:
    assert idempotency_key(event(("idempotency-KEY", f" {key} "), multi=multi)) == key


@pytest.mark.parametrize("keys", [("",), (" ",), ("x" * 256,), ("a b",), ("ä",), ("a\x7f",), ("tab\tbed",), ("a", "b")])
def test_an_invalid_idempotency_key_is_rejected(keys: tuple[str, ...]) -> None:
    with pytest.raises(RequestError) as caught:
        idempotency_key(event(*(("Idempotency-Key", key) for key in keys)))

    assert (caught.value.status, caught.value.code) == (400, "invalid_idempotency_key")
    assert "1 to 255 visible ASCII characters" in caught.value.message


def test_an_idempotency_key_sent_twice_is_one_key() -> None:
    assert idempotency_key(event(("Idempotency-Key", "a"), ("Idempotency-Key", "a"))) == "a"


@pytest.mark.parametrize(
    ("whole", "location"),
    [
        ("/dev/api/chat", "/dev/api/runs/r1"),
        ("/api/chat", "/api/runs/r1"),
        ("/chat/v2/api/chat", "/chat/v2/api/runs/r1"),
        ("/dev/api/chat/", "/dev/api/runs/r1"),
        (None, "/api/runs/r1"),
    ],
)
def test_the_run_path_is_relative_to_the_chat_path_with_any_prefix(whole: str | None, location: str) -> None:
    assert run_location({"path": "/api/chat", "requestContext": {"path": whole}}, "r1") == location
