"""Chat: background runs, stopped answers, busy sessions, several tabs and partial answers."""

import json
import re
from collections.abc import Callable
from contextlib import suppress

import httpx2
from playwright.sync_api import Error, Page, Route, expect

from flexchat.messages import Json
from tests.browser.chat_page import SUM, SUM_ANSWER, chat, field, new_id, parameter, send_message, turns
from tests.browser.screen import Screen


def test_background_run_shows_its_steps_and_survives_a_reload(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session may not exist yet
    page = screen.open("chat")
    page.get_by_label("Run in the background").check()
    send_message(page, f"[demo:slow=2500] {SUM}")
    page.wait_for_url("**run=*")
    run = parameter(page, "run")

    page.reload()
    progress = page.get_by_role("region", name="Background run")
    expect(progress.get_by_role("listitem").first).to_contain_text(
        re.compile(r"model 1\s*openai:gpt-4o\s*✓ called tools")
    )
    expect(turns(page)).to_contain_text(SUM_ANSWER)
    expect(progress).to_have_count(0)
    page.reload()

    expect(turns(page)).to_contain_text("tokens")
    turns(page).get_by_text("Timeline").click()
    expect(turns(page).get_by_role("option")).to_have_count(3)
    assert parameter(page, "run") == run


def test_cancelled_background_run_returns_the_message_to_the_field(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session does not exist
    page = screen.open("chat")
    page.get_by_label("Run in the background").check()
    message = "[demo:slow=4000] Hello"
    send_message(page, message)
    expect(page.get_by_role("region", name="Background run")).to_contain_text("background")

    page.keyboard.press("Escape")

    expect(page.get_by_text("! Run stopped. The conversation has what was complete until then.")).to_be_visible()
    expect(field(page)).to_have_value(message)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


def test_an_answer_goes_on_in_a_reloaded_page_and_in_a_second_tab_that_stops_it(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session does not exist
    page = screen.open("chat")
    send_message(page, "[demo:stream_ms=1500 chunk=2] Hello")
    expect(page.get_by_role("region", name="Answer in progress")).to_contain_text("(de")

    page.reload()
    expect(page.get_by_role("region", name="Answer in progress")).to_contain_text("(de")
    expect(page.get_by_text("Waiting for the answer")).to_be_visible()
    other = page.context.new_page()
    other.add_init_script(f"sessionStorage.setItem('flexchat.token', {json.dumps(screen.token)})")
    other.goto(page.url)
    expect(other.get_by_role("region", name="Answer in progress")).to_contain_text("(de")
    expect(other.get_by_text("Another tab is answering in this conversation.")).to_be_visible()
    other.get_by_role("button", name="Stop").click()

    for each in (page, other):
        expect(turns(each)).to_contain_text("stopped")
        expect(turns(each)).to_contain_text("(de")
        expect(turns(each)).to_have_count(1)
        expect(each.get_by_role("region", name="Answer in progress")).to_have_count(0)


def test_stop_keeps_the_text_in_the_session(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session does not exist
    page = screen.open("chat")
    send_message(page, "[demo:stream_ms=300 chunk=2] Hello")
    expect(page.get_by_role("region", name="Answer in progress")).to_contain_text("(demo")

    page.keyboard.press("Escape")

    expect(turns(page)).to_contain_text("stopped")
    page.reload()
    expect(turns(page)).to_contain_text("stopped")
    expect(turns(page)).to_contain_text("(demo")
    send_message(page, SUM)
    expect(turns(page).last).to_contain_text(SUM_ANSWER)


def answer_in_one_piece(route: Route) -> None:
    """Complete the request in the service, also after the page has aborted it."""
    answered = route.fetch(headers={**route.request.headers, "accept": "application/json"})
    with suppress(Error):
        route.fulfill(response=answered)


def test_an_answer_without_a_run_is_shown_when_it_is_complete(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session may not exist yet
    page = screen.open("chat")
    page.route("**/api/chat", answer_in_one_piece)
    send_message(page, "[demo:slow=2000] Hello")
    expect(page.get_by_text("waiting for the answer")).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_text("Stopping the answer")).to_be_visible()
    expect(turns(page)).to_contain_text("(demo model) Hello")
    expect(field(page)).to_have_value("")


def test_message_to_a_busy_session_stays_in_the_field_until_the_answer_is_complete(
    screen: Screen, service: httpx2.Client
) -> None:
    session = new_id()
    chat(service, {"message": "Hello", "session_id": session})
    chat(service, {"message": "[demo:slow=4000] Hello", "session_id": session}, prefer="respond-async")
    page = screen.open(f"chat?session={session}")
    expect(turns(page)).to_have_count(2)

    field(page).fill(SUM)
    expect(page.get_by_text("Another tab is answering in this conversation. Your message is kept;")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    field(page).press("Enter")
    expect(field(page)).to_have_value(SUM)

    expect(turns(page).last).to_contain_text("(demo model) Hello")
    field(page).press("Enter")
    expect(turns(page).last).to_contain_text(SUM_ANSWER)


def test_partial_answer_can_be_continued(screen: Screen) -> None:
    page = partly_answered(screen)
    page.get_by_label("Deadline in seconds").fill("")

    page.get_by_role("button", name="Continue").click()

    expect(turns(page)).to_contain_text(SUM_ANSWER)
    expect(turns(page)).to_have_count(1)
    expect(turns(page)).to_contain_text("✓ answered")
    expect(page.get_by_text("The answer is partial.")).to_have_count(0)


def test_resume_token_can_be_used_only_once(screen: Screen, service: httpx2.Client) -> None:
    screen.expects("the server responded with a status of 409")
    tokens: list[Json] = []
    page = partly_answered(screen, lambda answer: tokens.append(answer["resume_token"]))
    chat(service, {"resume_token": tokens[0], "session_id": parameter(page, "session")})

    page.get_by_role("button", name="Continue").click()

    expect(page.get_by_role("alert")).to_contain_text("resume_token")
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)


def answer_of(text: str) -> dict[str, Json]:
    """The answer in a response: the data of the last event of a stream, or the whole response."""
    return json.loads(text.rpartition("\ndata: ")[2])


def partly_answered(screen: Screen, on_answer: Callable[[dict[str, Json]], object] | None = None) -> Page:
    """Page with an answer cut off by its deadline after its tool calls."""
    page = screen.open("chat")
    page.get_by_label("Deadline in seconds").fill("6")
    field(page).fill(f"[demo:slow=3000] {SUM}")

    def keep(route: Route) -> None:
        response = route.fetch()  # the browser does not keep a body that the page reads as a stream
        if on_answer:
            on_answer(answer_of(response.text()))
        route.fulfill(response=response)

    page.route("**/api/chat", keep, times=1)
    field(page).press("Enter")
    expect(turns(page)).to_contain_text(
        "The deadline was reached before the answer was complete. The tool results so far are below."
    )
    return page
