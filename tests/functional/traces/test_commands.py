"""The commands `flexchat traces`, `trace` and `usage` with the traces function instead of the network."""

import json
from urllib.parse import parse_qsl

import httpx2
import pytest

from tests.functional.traces.harness import Service, store_chats
from tests.unit.cli.command_runner import Flexchat

OPERATOR, USER = "root", "ana"


@pytest.fixture
def flexchat(service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Flexchat:
    """Commands of the caller whose name is the token."""
    store_chats(service)
    capsys.readouterr()  # log lines of the function

    def handle(_transport: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
        caller = request.headers["authorization"].removeprefix("Bearer ")
        query = dict(parse_qsl(request.url.query.decode()))
        body = json.loads(request.content) if request.content else None
        answer = service.request(request.method, request.url.path, caller=caller, query=query, body=body)
        return httpx2.Response(answer.status, json=answer.body, request=request)

    monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", handle)
    monkeypatch.setattr("time.time", lambda: service.now)
    return Flexchat(monkeypatch, capsys)


def run(flexchat: Flexchat, *words: str, caller: str = OPERATOR) -> str:
    """Return the output of a command; a failed command fails the test."""
    code, printed, errors = flexchat.type(
        *words, options=("--url", "https://chat.example", "--token", caller), columns=200
    )
    assert code == 0, errors
    return printed


def ids(flexchat: Flexchat, *words: str, caller: str = OPERATOR) -> list[str]:
    return [trace["id"] for trace in json.loads(run(flexchat, "traces", *words, "--json", caller=caller))["traces"]]


def test_filters_of_the_command_are_those_of_the_route(flexchat: Flexchat) -> None:
    assert ids(flexchat) == ["r6", "r5", "r4", "r3", "r2", "r1"]
    assert ids(flexchat, "--limit", "2") == ["r6", "r5"]
    assert ids(flexchat, "--failed") == ["r5", "r3"]
    assert ids(flexchat, "--since", "1h", "--until", "3m") == ["r5", "r4"]
    assert ids(flexchat, "--since", "3d", "--tool", "get_weather", "--model", "demo:bad") == ["r3"]
    assert ids(flexchat, "--caller", "bob", "--session", "s2") == ["r6"]
    assert ids(flexchat, "--rule", "other") == ["r2"]
    assert ids(flexchat, "--outcome", "model_failed") == ["r3"]
    assert ids(flexchat, "--min-ms", "5000") == ["r4"]
    assert ids(flexchat, caller=USER) == ["r5", "r4", "r3", "r1"]


def test_a_rated_trace_is_shown_with_its_steps(flexchat: Flexchat) -> None:
    run(flexchat, "trace", "r1", "--feedback", "down", "--comment", "too cold", caller=USER)

    printed = run(flexchat, "trace", "r1", "--content", caller=USER)

    assert ids(flexchat, "--rating", "down") == ["r1"]
    assert "rated down" in printed
    assert "too cold" in printed
    assert "✓  tool get_weather" in printed
    assert "What is the weather in Bern?" in printed
    assert "You help." not in printed  # for operators


def test_a_trace_of_another_caller_is_unknown(flexchat: Flexchat) -> None:
    code, _, errors = flexchat.type("trace", "r2", options=("--url", "https://chat.example", "--token", USER))

    assert code == 1
    assert "has no trace 'r2' for this token" in errors


def test_usage_has_the_days_and_models_of_the_chats(flexchat: Flexchat) -> None:
    days = run(flexchat, "usage", "--since", "7d").splitlines()
    models = run(flexchat, "usage", "--by", "model", "--since", "7d").splitlines()

    assert [line.split()[:2] for line in days[1:]] == [
        ["2026-11-27", "4"],
        ["2026-11-25", "1"],
        ["2026-11-24", "1"],
        ["total", "6"],
    ]
    assert models[1].startswith("demo:good")
