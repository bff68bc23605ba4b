"""All views: actions by role, scrolling on narrow screens, error titles, demo badge."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from flexchat.messages import Json
from tests.browser.screen import Screen, Theme

MODEL = "openai:gpt-4o"
AT = "2026-11-22T10:04:59Z"
RATE: dict[str, Json] = {"tests": 60, "successes": 57, "rate": 0.95, "low": 0.86, "high": 0.98}
DEMO_BADGE: Json = {"symbol": "🔧⚠️", "text": "demo model", "tooltip": "says nothing about a real model"}


def model(id: str = MODEL, *, rate: Json = None, **changes: Any) -> dict[str, Json]:
    llm, _, name = id.partition(":")
    validation: dict[str, Json] = {"model_id": id, "tested": rate is not None, "validated": False}
    badge: Json = {"symbol": "🔧⚠️", "text": "not tested", "tooltip": "no tests yet"}
    return {
        "id": id,
        "name": name,
        "llm": llm,
        "provider": "openai",
        "type": "chat",
        "capabilities": ["chat", "function-calling"],
        "configured": True,
        "validation": {**validation, "badge": badge, **({"rate": rate} if rate else {})},
        **changes,
    }


def answer(**changes: Any) -> dict[str, Json]:
    step: dict[str, Json] = {
        "step": "model",
        "name": MODEL,
        "iteration": 1,
        "start_ms": 0,
        "duration_ms": 5,
        "ok": True,
    }
    return {
        "content": "It is sunny.",
        "service": "openai",
        "model": "gpt-4o",
        "demo": True,
        "tool_calls": [],
        "status": "complete",
        "outcome": "answered",
        "finish_reason": "stop",
        "request_id": "r1",
        "usage": {"input_tokens": 20, "output_tokens": 9, "total_tokens": 29},
        "timings": {"total_ms": 14, "steps": [{**step, "ok": True, "finish_reason": "stop", "demo": True}]},
        **changes,
    }


def status(id: str = MODEL, **changes: Any) -> dict[str, Json]:
    return {
        "model_id": id,
        "tested": True,
        "validated": True,
        "test_count": 60,
        "success_count": 57,
        "rate": RATE,
        "state": "proven",
        "categories": {"single": RATE},
        "trend": [],
        "last_tested": AT,
        "errors": 0,
        "no_tool_calls": 0,
        "badge": {"symbol": "🔧✓", "text": "validated", "tooltip": "passed 57 of 60"},
        **changes,
    }


def as_user(screen: Screen) -> None:
    screen.answer("**/api/me", {"principal": "ann", "roles": ["user"]})


def test_operator_actions_are_hidden_from_users(screen: Screen) -> None:
    as_user(screen)
    screen.answer("**/api/models/list", {"models": [model(), model("openai:o3", operator_only=True)], "errors": []})
    screen.answer("**/api/tools/test", answer())
    page = screen.open(f"tools-testing?model={MODEL}&query=Hello")
    expect(page.get_by_role("link", name="Chat", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Configuration")).to_have_count(0)
    options = page.get_by_label("Model", exact=True).locator("option")
    expect(options).to_have_text(["Select a model", f"{MODEL} 🔧⚠️ not tested"])
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("button", name="Copy as curl")).to_be_visible()
    expect(page.get_by_role("button", name="Save as validation case")).to_have_count(0)

    page.get_by_role("link", name="Chat", exact=True).click()
    expect(page.get_by_label("Run in the background")).to_be_visible()
    expect(page.get_by_label("Include an explanation")).to_have_count(0)

    screen.answer("**/api/tools/validate", {"validations": [status()]})
    page.get_by_role("link", name="Validation").click()
    expect(page.get_by_role("button", name=MODEL, exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Start")).to_have_count(0)
    expect(page.get_by_text("not tested yet")).to_have_count(0)


def test_operator_actions_are_shown_to_operators_and_while_the_role_is_unknown(screen: Screen) -> None:
    failing = screen.route_fail("**/api/me", status=503, body={"error": "unavailable", "message": "Later."})
    page = screen.open("chat")
    expect(page.get_by_label("Include an explanation")).to_be_visible()
    expect(page.get_by_role("link", name="Configuration")).to_be_visible()
    failing.lift()
    screen.answer("**/api/me", {"principal": "ann", "roles": ["operator", "user"]})
    page.reload()

    expect(page.get_by_label("Include an explanation")).to_be_visible()
    expect(page.get_by_role("link", name="Configuration")).to_be_visible()


def test_models_are_reloaded_after_a_test_and_the_selection_stays(screen: Screen) -> None:
    lists: list[dict[str, Json]] = [model(), model(rate=RATE)]

    def fulfil(route: Route) -> None:
        shown = lists.pop(0) if len(lists) > 1 else lists[0]
        route.fulfill(json={"models": [shown], "errors": []})

    screen.page.route("**/api/models/list", fulfil)
    screen.answer("**/api/tools/test", answer())
    page = screen.open(f"tools-testing?model={MODEL}&query=Hello")
    field = page.get_by_label("Model", exact=True)
    expect(field.locator("option:checked")).to_have_text(f"{MODEL} 🔧⚠️ not tested")

    page.get_by_role("button", name="Run").click()

    expect(field.locator("option:checked")).to_have_text(f"{MODEL} 🔧⚠️ 95 % (86\N{EN DASH}98)")
    expect(field).to_have_value(MODEL)


def test_narrow_screen_scrolls_to_a_test_and_its_result(screen: Screen) -> None:
    screen.answer("**/api/tools/list", {"tools": [], "disabled": []})
    screen.answer("**/api/models/list", {"models": [model()], "errors": []})
    held: list[Route] = []
    page = screen.open(f"tools-testing?model={MODEL}&query=Hello", width=360)
    page.route("**/api/tools/test", lambda route: held.append(route))
    expect(page.get_by_label("Model", exact=True)).to_have_value(MODEL)
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text(f"waiting for {MODEL}")).to_be_in_viewport()

    held[0].fulfill(json=answer())

    expect(page.locator(".tt-status")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading", name="Final response")).to_be_in_viewport()
    screen.shoot("tools-testing-result-in-view", whole=False)


def test_narrow_screen_scrolls_to_an_error(screen: Screen) -> None:
    screen.answer("**/api/models/list", {"models": [model()], "errors": []})
    screen.route_fail("**/api/tools/test", status=429, body={"error": "rate_limited", "message": "20 a minute."})
    page = screen.open(f"tools-testing?model={MODEL}&query=Hello", width=360)
    expect(page.get_by_label("Model", exact=True)).to_have_value(MODEL)

    page.get_by_role("button", name="Run").click()

    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.get_by_role("alert").get_by_role("heading")).to_have_text("✕ Too many requests")


def test_narrow_screen_scrolls_to_search_results(screen: Screen) -> None:
    page = screen.open("retrieval", width=360)
    page.get_by_label("Test query").fill("How are tools validated?")
    page.get_by_role("button", name="Search").click()

    expect(page.locator(".ret-classification")).to_be_in_viewport()


@pytest.mark.parametrize(
    ("code", "status", "title"),
    [
        ("rate_limited", 429, "Too many requests"),
        ("model_content_filter", 400, "The content filter blocked the message"),
        ("model_timeout", 504, "The provider did not answer in time"),
        ("configuration", 500, "Configuration error"),
    ],
)
def test_error_title_matches_its_code(screen: Screen, code: str, status: int, title: str) -> None:
    screen.route_fail("**/api/chat", status=status, body={"error": code, "message": "The text.", "request_id": "r"})
    screen.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    page = screen.open("chat")
    page.get_by_label("Message", exact=True).fill("Hello")
    page.get_by_role("button", name="Send").click()

    expect(page.get_by_role("alert").get_by_role("heading")).to_have_text(f"✕ {title}")
    expect(page.get_by_role("alert")).to_contain_text("The text.")


def demo_models(screen: Screen) -> None:
    models: list[Json] = [model(rate=RATE, demo=True), model("openai-real:gpt-4o", rate=RATE)]
    screen.answer("**/api/models/list", {"models": models, "errors": []})
    statuses: list[Json] = [status(demo=True, badge=DEMO_BADGE), status("openai-real:gpt-4o")]
    screen.answer("**/api/tools/validate", {"validations": statuses})
    screen.answer("**/api/tools/test", answer())
    screen.answer("**/api/tools/list", {"tools": [], "disabled": []})
    screen.answer("**/api/validation/runs?**", {"runs": []})
    screen.answer("**/api/validation/suites", {"suites": []})


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_demo_model_has_a_badge_with_each_name_and_score(screen: Screen, width: int, theme: Theme) -> None:
    demo_models(screen)
    page = screen.open(f"tools-testing?model={MODEL}&query=Hello", width=width, theme=theme)
    chosen = page.get_by_label("Model", exact=True).locator("option:checked")
    expect(chosen).to_have_text(f"{MODEL} · demo 95 % (86\N{EN DASH}98)")
    marked(page, ".model-picker")
    page.get_by_role("button", name="Run").click()
    marked(page, ".tt-status")
    marked(page, ".tt-facts")
    marked(page, ".wf-row")
    screen.shoot("demo-test", whole=False)

    page.get_by_role("link", name="Validation").click()
    row = page.get_by_role("row").filter(has=page.get_by_role("button", name=MODEL, exact=True))
    expect(row.get_by_text("demo", exact=True)).to_be_visible()
    expect(row.locator(".val-cell")).to_have_attribute("data-state", "demo")
    real = page.get_by_role("row").filter(has=page.get_by_role("button", name="openai-real:gpt-4o", exact=True))
    expect(real.locator(".val-cell")).to_have_attribute("data-state", "proven")
    for name in (MODEL, "openai-real:gpt-4o"):
        page.get_by_label(f"Compare {name}", exact=True).check()
    expect(page.get_by_text("no evidence about real models")).to_be_visible()
    screen.shoot("demo-validation", whole=False)
    screen.axe()


def marked(page: Page, place: str) -> None:
    expect(page.locator(place).get_by_text("demo", exact=True).first).to_be_visible()
