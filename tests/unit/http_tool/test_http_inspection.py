"""Records of the requests of http tools, for an operator who tests one."""

from contextlib import suppress
from typing import Any

import httpx2

from flexchat.errors import ToolError
from flexchat.tool_inspection import Inspection, Recorder, recording
from tests.unit.http_tool.scripted_api import URL, Api, answer

TOKENS: dict[str, Any] = {"access_token": "issued-token-1", "token_type": "Bearer", "expires_in": 60}
OAUTH = {
    "type": "oauth2_client_credentials",
    "token_url": "https://api.example.com/token",
    "client_id": "client",
    "client_secret": "client-secret-value",
}


def inspected(api: Api, **values: Any) -> Inspection:
    recorder = Recorder(clock=lambda: 0.0)
    with recording(recorder), suppress(ToolError):
        api.call(**values)
    inspection = recorder.inspection()
    assert inspection is not None
    return inspection


def steps(inspection: Inspection) -> list[tuple[str, int, str, int | None]]:
    return [(each.purpose, each.attempt, each.url, each.status) for each in inspection.exchanges]


def test_attempts_are_numbered_and_the_selection_is_noted() -> None:
    api = Api(answer({}, 503), answer({"data": 1}))

    inspection = inspected(api, retry={"max_attempts": 2}, response_path="$.data")

    assert steps(inspection) == [("request", 1, URL, 503), ("request", 2, URL, 200)]
    assert inspection.notes == {"response format": "json", "response path": "$.data"}
    assert inspection.exchanges[1].response_body == '{"data":1}'


def test_redirects_and_pages_are_recorded_with_their_purpose() -> None:
    moved = httpx2.Response(307, headers={"location": "/moved"})
    more = httpx2.Response(200, json=[1], headers={"link": f'<{URL}?page=2>; rel="next"'})

    inspection = inspected(
        Api(moved, more, answer([2])), follow_redirects=1, pagination={"type": "link", "max_pages": 3}
    )

    assert steps(inspection) == [
        ("request", 1, URL, 307),
        ("redirect", 1, "https://api.example.com/moved", 200),
        ("page", 1, f"{URL}?page=2", 200),
    ]


def test_tokens_are_recorded_without_their_secrets() -> None:
    inspection = inspected(Api(answer(TOKENS), answer({"ok": True})), auth=OAUTH)

    assert steps(inspection) == [("token", 1, OAUTH["token_url"], 200), ("request", 1, URL, 200)]
    text = inspection.model_dump_json()
    assert "issued-token-1" not in text
    assert "client-secret-value" not in text


def test_a_request_without_a_response_has_the_error() -> None:
    inspection = inspected(Api(httpx2.ConnectError("refused")))

    assert [(each.status, each.error) for each in inspection.exchanges] == [(None, "The API could not be reached")]


def test_a_refused_redirect_is_noted_with_its_host() -> None:
    inspection = inspected(Api(httpx2.Response(302, headers={"location": "https://evil.example/"})), follow_redirects=1)

    assert steps(inspection) == [("request", 1, URL, 302)]
    assert "evil.example" in str(inspection.notes["refused address"])


def test_the_body_of_a_response_is_shown_in_its_charset() -> None:
    response = httpx2.Response(
        200, content="Привет".encode("koi8_r"), headers={"content-type": "text/plain; charset=koi8-r"}
    )

    assert [exchange.response_body for exchange in inspected(Api(response)).exchanges] == ["Привет"]
