"""Chat: choice of the model and the response rule of the next messages."""

import pytest
from playwright.sync_api import Page, expect

from flexchat.messages import Json
from tests.browser.chat_page import parameter, send_message, turns
from tests.browser.screen import Screen
from tests.browser.stub_conversation import StubConversation, StubTurn
from tests.browser.trace_pages import PRINCIPAL, StubApi

CHOICES: Json = {"rules": ["weather"], "models": ["openai:gpt-4o", "openai:gpt-4o-mini"]}

PHONE = 800
"""Widths below it, in CSS pixels, have a drawer."""


@pytest.fixture
def conversation(api: StubApi) -> StubConversation:
    chosen: dict[str, Json] = {"rule": "weather", "chosen_rule": "weather", "chosen_model": "openai:gpt-4o"}
    stub = StubConversation([StubTurn(0, "Weather in Paris?", "Sunny.", chosen)])
    stub.install(api)
    api.set("GET /api/me", {"principal": PRINCIPAL, "roles": ["user"], "choices": CHOICES})
    return stub


def with_options(screen: Screen, path: str, width: int) -> Page:
    """Page with the options shown, which are collapsed in the drawer of a phone."""
    page = screen.open(path, width=width)
    show_options(page, width)
    return page


def show_options(page: Page, width: int) -> None:
    if width < PHONE:
        page.get_by_role("button", name="Conversations").click()
        page.get_by_role("heading", name="Options").click()
    expect(page.get_by_label("Model", exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_choice_is_sent_and_stays_in_the_url(
    stubbed: Screen, api: StubApi, conversation: StubConversation, width: int
) -> None:
    conversation.replies = ["Rain."]
    page = with_options(stubbed, "chat?session=s1", width)
    expect(turns(page).first).to_contain_text("rule weather, chosen")
    expect(turns(page).first).to_contain_text("model chosen")

    page.get_by_label("Model", exact=True).select_option("openai:gpt-4o-mini")
    page.get_by_label("Response rule").select_option("weather")
    stubbed.shoot("chat-choice", whole=False)
    stubbed.axe()
    if width < PHONE:
        page.keyboard.press("Escape")
    send_message(page, "And tomorrow?")

    expect(turns(page).last).to_contain_text("Rain.")
    [sent] = api.bodies("POST /api/chat")
    assert sent == {
        "message": "And tomorrow?",
        "session_id": "s1",
        "rule": "weather",
        "model": "openai:gpt-4o-mini",
        "lease_seconds": 150,
    }
    page.get_by_role("button", name="New chat").click()
    assert (parameter(page, "session"), parameter(page, "model")) == ("", "openai:gpt-4o-mini")
    show_options(page, width)
    page.get_by_label("Model", exact=True).select_option("")
    assert (parameter(page, "model"), parameter(page, "rule")) == ("", "weather")


def test_a_choice_that_is_not_offered_is_shown_as_such(
    stubbed: Screen, api: StubApi, conversation: StubConversation
) -> None:
    stubbed.watch.tolerate("the server responded with a status of 400")
    message = "the model 'openai:old' is not offered, only 'openai:gpt-4o', 'openai:gpt-4o-mini'"
    api.set("POST /api/chat", (400, {"error": "choice_not_offered", "message": message, "request_id": "r-1"}))
    page = with_options(stubbed, "chat?session=s1&model=openai:old", 1280)
    expect(page.get_by_label("Model", exact=True)).to_have_value("openai:old")

    send_message(page, "Hello")

    expect(page.get_by_role("alert")).to_contain_text("The choice is not offered")
    expect(page.get_by_role("alert")).to_contain_text(message)


def test_nothing_is_shown_where_nothing_can_be_chosen(
    stubbed: Screen, api: StubApi, conversation: StubConversation
) -> None:
    api.set("GET /api/me", {"principal": PRINCIPAL, "roles": ["user"], "choices": {"rules": [], "models": []}})
    page = stubbed.open("chat?session=s1")

    expect(page.get_by_label("Deadline in seconds")).to_be_visible()
    expect(page.get_by_label("Model", exact=True)).to_have_count(0)
