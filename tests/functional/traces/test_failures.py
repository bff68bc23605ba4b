"""Failures of chats, each explained by its request id alone: the command shows what failed, where and why."""

import json
from typing import Final
from urllib.parse import parse_qsl

import httpx2
import pytest

from tests.functional.traces.failures import FAILURES, failed
from tests.functional.traces.harness import Service
from tests.unit.cli.command_runner import Flexchat

OPERATOR: Final = "root"


@pytest.fixture
def flexchat(service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Flexchat:
    """Commands whose requests the traces function answers."""

    def handle(_transport: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
        query = dict(parse_qsl(request.url.query.decode()))
        answer = service.request(request.method, request.url.path, caller=OPERATOR, query=query)
        return httpx2.Response(answer.status, json=answer.body, request=request)

    monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", handle)
    return Flexchat(monkeypatch, capsys)


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_explained_by_its_request_id_alone(service: Service, flexchat: Flexchat, name: str) -> None:
    failure = FAILURES[name]
    request_id = failed(service, failure)

    options = ("--url", "https://chat.example", "--token", OPERATOR)
    code, printed, errors = flexchat.type("trace", request_id, "--logs", options=options)

    assert (code, errors) == (0, "")
    [explained] = [part for part in printed.split("\n\n") if part.startswith(f"{failure.heading.lower()}\n")]
    assert f"✗ {failure.title} (" in explained
    assert [words for words in (failure.step, *failure.words) if words not in explained] == []
    assert printed.rpartition("\n\nlog\n")[2]
    assert "Find it out" in json.dumps(service.get(f"/api/traces/{request_id}").body)
    assert service.ids(failed="true") == [request_id]
