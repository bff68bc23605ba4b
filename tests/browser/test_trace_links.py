"""Links to traces from answers, tests and verdicts, and ratings in the chat; the API is stubbed."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from flexchat.messages import Json
from tests.browser.screen import Screen
from tests.browser.test_views import answer
from tests.browser.trace_pages import ID, PRINCIPAL, WEATHER, StubApi, stub_api, summary

FEEDBACK = f"POST /api/runs/{ID}/feedback"
SESSION: dict[str, Any] = {
    "id": "s-1",
    "title": "Weather",
    "turns": 1,
    "created_at": "2026-11-27T02:00:00Z",
    "updated_at": "2026-11-27T02:00:00Z",
}
MESSAGES: list[Json] = [
    {"role": "user", "content": WEATHER, "at": "2026-11-27T02:00:00Z", "turn": 1, "tool_calls": []},
    {
        "role": "assistant",
        "content": "18 degrees.",
        "at": "2026-11-27T02:00:02Z",
        "turn": 1,
        "tool_calls": [],
        "service": "openai",
        "model": "gpt-4o",
        "status": "complete",
        "outcome": "answered",
        "request_id": ID,
    },
]


@pytest.fixture
def api() -> StubApi:
    """The API with one session of one turn, whose trace has no rating."""
    api = stub_api("user", "operator")
    api.set("GET /api/sessions", {"sessions": [SESSION]})
    api.set("GET /api/sessions/s-1", SESSION)
    api.set("GET /api/sessions/s-1/messages", {"messages": MESSAGES})
    api.set("GET /api/collections", {"collections": []})
    api.set("GET /api/traces", {"traces": [summary()]})
    api.set(FEEDBACK, {"rating": "up", "comment": "", "by": PRINCIPAL, "created_at": "2026-11-27T02:00:00Z"})
    return api


def test_answer_of_an_earlier_visit_links_its_trace(stubbed: Screen) -> None:
    page = stubbed.open("chat?session=s-1")
    page.get_by_role("article", name="Turn 1").get_by_role("link", name="Open trace").click()

    expect(page).to_have_url(re.compile(f"/runs/{ID}$"))
    expect(page.get_by_role("heading", name=re.compile("answered in"))).to_be_visible()
    page.go_back()
    expect(page.get_by_text("18 degrees.")).to_be_visible()


def test_rating_of_an_answer_is_shown_after_a_reload(stubbed: Screen, api: StubApi) -> None:
    page = stubbed.open("chat?session=s-1")
    helpful = page.get_by_role("button", name="Helpful", exact=True)
    helpful.click()
    expect(helpful).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Comment").fill("Right")
    page.get_by_role("button", name="Save comment").click()
    expect(page.get_by_text("saved ✓")).to_be_visible()
    assert api.bodies(FEEDBACK) == [{"rating": "up", "comment": ""}, {"rating": "up", "comment": "Right"}]

    api.set("GET /api/traces", {"traces": [summary(rating="up")]})
    page.reload()
    expect(helpful).to_have_attribute("aria-pressed", "true")
    assert api.queries("GET /api/traces")[-1] == {"session": "s-1", "limit": "200"}


def test_rejected_rating_says_why(stubbed: Screen, api: StubApi) -> None:
    stubbed.expects("status of 404")
    api.set(FEEDBACK, (404, {"error": "trace_not_found", "message": "There is no trace.", "request_id": "r-1"}))
    page = stubbed.open("chat?session=s-1")
    page.get_by_role("button", name="Not helpful").click()

    expect(page.get_by_role("alert")).to_contain_text("Trace not found")
    expect(page.get_by_role("button", name="Not helpful")).to_have_attribute("aria-pressed", "false")
    stubbed.axe()


def test_result_of_a_test_links_its_trace(stubbed: Screen, api: StubApi) -> None:
    api.set("POST /api/tools/test", answer(request_id=ID))
    page = stubbed.open("tools-testing?model=openai:gpt-4o&query=Hello")
    page.get_by_role("button", name="Run").click()
    page.get_by_role("link", name="Open trace").click()

    expect(page).to_have_url(re.compile(f"/runs/{ID}$"))


@pytest.mark.parametrize(
    ("status", "error", "links"),
    [
        (502, "model_server_error", 1),
        (429, "model_rate_limit", 1),
        (500, "internal_error", 1),
        (400, "invalid_request", 0),
    ],
)
def test_error_of_a_chat_links_its_trace_unless_it_never_began(
    stubbed: Screen, api: StubApi, status: int, error: str, links: int
) -> None:
    stubbed.expects(f"status of {status}")
    api.set("POST /api/tools/test", (status, {"error": error, "message": "It failed.", "request_id": ID}))
    page = stubbed.open("tools-testing?model=openai:gpt-4o&query=Hello")
    page.get_by_role("button", name="Run").click()

    expect(page.get_by_role("alert")).to_contain_text("It failed.")
    expect(page.get_by_role("alert").get_by_role("link", name="Open trace")).to_have_count(links)


def test_verdict_links_its_trace(stubbed: Screen, api: StubApi) -> None:
    verdict: Json = {
        "model": "openai:gpt-4o",
        "case": "weather",
        "category": "single",
        "repeat": 1,
        "result": "failed",
        "reasons": ["no call"],
        "at": "2026-11-27T02:00:00Z",
        "latency_ms": 900,
        "tokens": 40,
        "request_id": ID,
    }
    api.set(
        "GET /api/tools/validate",
        lambda request: {"records": [verdict]} if "model=" in request.url else {"validations": []},
    )
    api.set("GET /api/validation/suites", {"suites": []})
    api.set("GET /api/validation/runs", {"runs": []})
    page = stubbed.open("validation?model=openai:gpt-4o")
    page.get_by_role("link", name="Open trace").click()

    expect(page).to_have_url(re.compile(f"/runs/{ID}$"))
