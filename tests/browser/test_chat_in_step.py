"""Chat: answers of other tabs and devices, and tabs of one conversation in step."""

import json
from collections.abc import Generator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, expect

from flexchat.messages import Json
from tests.browser.chat_page import answer, field, send_message, turns
from tests.browser.fake_stream import ACCEPTED, FakeStream, delta, turn
from tests.browser.screen import TOKEN_KEY, Screen
from tests.browser.stub_conversation import SESSION, StubConversation, StubTurn
from tests.browser.trace_pages import StubApi

ELSEWHERE = "Another tab is answering in this conversation. Your message is kept; send it when the answer is complete."


@pytest.fixture
def conversation(api: StubApi) -> StubConversation:
    stub = StubConversation([StubTurn(0, "Weather in Paris?", "Sunny.")])
    stub.install(api)
    api.set("POST /api/runs/run1/lease", (204, None))
    return stub


@contextmanager
def second_tab(screen: Screen, api: StubApi) -> Generator[tuple[Page, FakeStream]]:
    page = screen.page.context.new_page()
    page.add_init_script(f"sessionStorage.setItem({json.dumps(TOKEN_KEY)}, 'stub')")
    api.install(page)
    stream = FakeStream(page)
    page.goto(f"{screen.url}/chat?session=s1")
    expect(turns(page).first).to_be_visible()
    yield page, stream
    page.close()


def live(page: Page) -> Locator:
    return page.get_by_role("region", name="Answer in progress")


@pytest.mark.parametrize("width", [1280, 390])
def test_an_answer_of_another_tab_is_shown_as_it_goes_on(
    stubbed: Screen, conversation: StubConversation, width: int
) -> None:
    conversation.turns.append(StubTurn(1, "And tomorrow?"))
    conversation.answering = {"turn": 2, "run_id": "run1"}
    stream = FakeStream(stubbed.page)
    page = stubbed.open("chat?session=s1", width=width)
    stream.wait_for_requests(1)
    stream.send(ACCEPTED, turn(1), delta("Rain "))

    expect(live(page)).to_contain_text("Rain")
    expect(turns(page).last).to_contain_text("And tomorrow?")
    expect(turns(page).last).not_to_contain_text("No answer yet.")
    field(page).fill("Why?")
    expect(page.get_by_text(ELSEWHERE)).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    stubbed.shoot("chat-elsewhere", whole=False)
    stubbed.axe()

    conversation.turns[1].content = "Rain tomorrow."
    conversation.answering = None
    stream.send(delta("tomorrow."), ("answer", answer("Rain tomorrow.", request_id="r2")))
    expect(turns(page)).to_have_count(2)
    expect(turns(page).last).to_contain_text("Rain tomorrow.")
    expect(page.get_by_text(ELSEWHERE)).to_have_count(0)
    expect(field(page)).to_have_value("Why?")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    assert stream.requests() == [("runs/run1/events", "")]


def test_the_lease_of_a_shown_answer_is_renewed_and_leaving_the_page_cancels_nothing(
    stubbed: Screen, api: StubApi, conversation: StubConversation
) -> None:
    stream = FakeStream(stubbed.page)
    page = stubbed.open("chat?session=s1")
    page.clock.install()
    send_message(page, "And tomorrow?")
    stream.wait_for_requests(1)
    stream.send(ACCEPTED, turn(1), delta("Rain"))
    expect(live(page)).to_contain_text("Rain")

    page.clock.run_for(101_000)
    page.wait_for_function("() => true")
    renewed = len(api.sent("POST /api/runs/run1/lease"))
    page.goto("about:blank")

    assert renewed == 3
    assert not [request for request in api.requests if request.method == "DELETE"]


def test_a_reloaded_page_follows_its_own_answer(stubbed: Screen, conversation: StubConversation) -> None:
    stream = FakeStream(stubbed.page)
    page = stubbed.open("chat?session=s1")
    send_message(page, "And tomorrow?")
    stream.wait_for_requests(1)
    stream.send(ACCEPTED, turn(1), delta("Rain"))
    expect(live(page)).to_contain_text("Rain")
    conversation.turns.append(StubTurn(1, "And tomorrow?"))
    conversation.answering = {"turn": 2, "run_id": "run1"}

    page.reload()
    stream.wait_for_requests(1)
    stream.send(ACCEPTED, turn(1), delta("Rain tomorrow."))

    expect(live(page)).to_contain_text("Rain tomorrow.")
    expect(page.get_by_text("Waiting for the answer")).to_be_visible()
    expect(page.get_by_text(ELSEWHERE)).to_have_count(0)
    expect(turns(page)).to_have_count(2)
    assert stream.requests() == [("runs/run1/events", "")]


def test_two_tabs_show_the_same_turns(stubbed: Screen, api: StubApi, conversation: StubConversation) -> None:
    first_stream = FakeStream(stubbed.page)
    page = stubbed.open("chat?session=s1")
    expect(turns(page)).to_have_count(1)
    with second_tab(stubbed, api) as (other, stream):
        page.bring_to_front()
        send_message(page, "And tomorrow?")
        first_stream.wait_for_requests(1)
        conversation.turns.append(StubTurn(1, "And tomorrow?"))
        conversation.answering = {"turn": 2, "run_id": "run1"}
        first_stream.send(ACCEPTED, turn(1), delta("Rain"))

        expect(turns(other)).to_have_count(2)
        stream.wait_for_requests(1)
        stream.send(ACCEPTED, turn(1), delta("Rain"))
        expect(live(other)).to_contain_text("Rain")
        expect(other.get_by_text(ELSEWHERE)).to_be_visible()

        conversation.turns[1].content = "Rain tomorrow."
        conversation.answering = None
        first_stream.send(("answer", answer("Rain tomorrow.", request_id="r2")))
        stream.send(("answer", answer("Rain tomorrow.", request_id="r2")))
        for each in (page, other):
            expect(turns(each).last).to_contain_text("Rain tomorrow.")
            expect(turns(each)).to_have_count(2)
            expect(each.get_by_text(ELSEWHERE)).to_have_count(0)

        conversation.turns.append(StubTurn(2, "Thanks", "You are welcome."))
        page.evaluate("() => new BroadcastChannel('flexchat-chat').postMessage({ session: 's1' })")
        expect(turns(other)).to_have_count(3)


def test_an_answer_without_events_is_awaited_in_words(stubbed: Screen, conversation: StubConversation) -> None:
    conversation.turns.append(StubTurn(1, "And tomorrow?"))
    conversation.answering = {"turn": 2}
    page = stubbed.open("chat?session=s1")

    expect(page.get_by_text(ELSEWHERE)).to_be_visible()
    field(page).fill("Why?")
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    conversation.turns[1].content = "Rain tomorrow."
    conversation.answering = None

    expect(turns(page).last).to_contain_text("Rain tomorrow.")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()


def test_a_message_to_a_busy_conversation_is_kept_without_lease_times(
    stubbed: Screen, api: StubApi, conversation: StubConversation
) -> None:
    stubbed.watch.tolerate("the server responded with a status of 409")
    busy: Json = {"error": "session_busy", "message": "Its lease ends at 2026-01-15T12:00:31", "request_id": "r-1"}
    api.set("POST /api/chat", (409, busy))
    page = stubbed.open("chat?session=s1")
    expect(turns(page)).to_have_count(1)
    read = len(api.sent(f"GET {SESSION}"))

    send_message(page, "And tomorrow?")

    notice = page.get_by_text("Another tab was answering in this conversation. Your message is kept in the field;")
    expect(notice).to_be_visible()
    expect(field(page)).to_have_value("And tomorrow?")
    expect(page.get_by_text("lease")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert len(api.sent(f"GET {SESSION}")) > read


def test_an_answer_that_another_tab_stopped_is_shown_with_its_text(
    stubbed: Screen, conversation: StubConversation
) -> None:
    conversation.turns.append(StubTurn(1, "And tomorrow?"))
    conversation.answering = {"turn": 2, "run_id": "run1"}
    stream = FakeStream(stubbed.page)
    page = stubbed.open("chat?session=s1")
    stream.wait_for_requests(1)
    stream.send(ACCEPTED, turn(1), delta("Rain "))
    expect(live(page)).to_contain_text("Rain")

    stopped: dict[str, Json] = {"status": "partial", "outcome": "stopped"}
    conversation.turns[1] = StubTurn(1, "And tomorrow?", "Rain tom", stopped)
    stream.send(("error", {"error": "cancelled", "message": "the run was cancelled", "request_id": "r2"}))
    conversation.answering = None

    expect(turns(page)).to_have_count(2)
    expect(turns(page).last).to_contain_text("Rain tom")
    expect(turns(page).last).to_contain_text("stopped")
    expect(page.get_by_role("alert")).to_have_count(0)
