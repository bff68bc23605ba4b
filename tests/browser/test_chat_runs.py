"""Chat: background runs, cancellation, busy sessions and partial answers."""

import json
import re
import time
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

    expect(page.get_by_text("! Run cancelled. Its partial result was discarded.")).to_be_visible()
    expect(field(page)).to_have_value(message)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_a_page_that_is_left_cancels_its_answer(screen: Screen, service: httpx2.Client) -> None:
    """Playwright reports no request that a page sends when it is left: the trace of the chat shows its end."""
    screen.watch.tolerate("the server responded with a status of 404")  # the session does not exist
    page = screen.open("chat")
    message = f"[demo:stream_ms=400 chunk=2] Hello {new_id()}"
    send_message(page, message)
    expect(page.get_by_role("region", name="Answer in progress")).to_contain_text("(de")

    page.goto("about:blank")

    assert end_of_chat(service, message) == ("error", "run_lost")


def end_of_chat(service: httpx2.Client, message: str) -> tuple[str, str | None]:
    """Return the outcome and the error of a chat, as soon as its trace is stored."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        traces = service.get("/api/traces", params={"since": "5m"}).raise_for_status().json()["traces"]
        for trace in traces:
            if trace.get("message") == message:
                return trace["outcome"], trace.get("error", {}).get("type")
        time.sleep(0.2)
    raise AssertionError(f"no trace of {message!r}")


def answer_in_one_piece(route: Route) -> None:
    """Complete the request in the service, also after the page has aborted it."""
    answered = route.fetch(headers={**route.request.headers, "accept": "application/json"})
    with suppress(Error):
        route.fulfill(response=answered)


def test_cancelled_request_shows_the_answer_that_the_service_completes(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session may not exist yet
    page = screen.open("chat")
    message = "[demo:slow=2000] Hello"
    page.route("**/api/chat", answer_in_one_piece)
    send_message(page, message)
    expect(page.get_by_text("waiting for the answer")).to_be_visible()
    expect(page.get_by_text("You", exact=True)).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_text("! Request cancelled")).to_be_visible()
    expect(field(page)).to_have_value(message)
    expect(turns(page)).to_contain_text("(demo model) Hello")
    expect(page.get_by_text("The session above is up to date.")).to_be_visible()


def test_message_to_a_busy_session_stays_in_the_field(screen: Screen, service: httpx2.Client) -> None:
    screen.expects("the server responded with a status of 409")
    session = new_id()
    chat(service, {"message": "Hello", "session_id": session})
    chat(service, {"message": "[demo:slow=5000] Hello", "session_id": session}, prefer="respond-async")
    page = screen.open(f"chat?session={session}")
    expect(turns(page)).to_have_count(2)
    expect(turns(page).last).to_contain_text("No answer yet.")

    send_message(page, SUM)

    problem = page.get_by_role("alert")
    expect(problem).to_contain_text(f"another request is answering in the session '{session}'")
    expect(problem).to_contain_text(re.compile(r"Retry after [1-9]\d? s\."))  # until the lease ends
    expect(field(page)).to_have_value(SUM)


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
