"""Chat: answers that are shown as they arrive."""

import pytest
from playwright.sync_api import Locator, Page, expect

from flexchat.messages import Json
from tests.browser.chat_page import answer, at_end, field, jump, parameter, send_message, turns
from tests.browser.fake_stream import ACCEPTED, Event, FakeStream, delta, turn
from tests.browser.hostile import CANARY, verify_only_text
from tests.browser.screen import Screen, Theme

QUESTION = "Compare the weather"
TABLE = "| City | °C |\n|:--|--:|\n| Paris | 22 |\n"
CALL: dict[str, Json] = {"call_id": "c1", "tool": "get_weather", "iteration": 1}
CANCELLED: Json = {"error": "cancelled", "message": "the run was cancelled", "request_id": "r1"}
LINES = "".join(f"{number}. Line of a long answer\n" for number in range(1, 80))


def started(screen: Screen, *, width: int = 1280, theme: Theme = "light") -> tuple[Page, FakeStream]:
    """Page with a sent message, whose run was accepted."""
    screen.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    stream = FakeStream(screen.page)
    page = screen.open("chat", width=width, theme=theme)
    send_message(page, QUESTION)
    stream.wait_for_requests(1)
    stream.send(ACCEPTED, turn(1))
    return page, stream


def live(page: Page) -> Locator:
    return page.get_by_role("region", name="Answer in progress")


def test_text_and_steps_are_shown_as_they_arrive(screen: Screen) -> None:
    page, stream = started(screen)
    stream.send(delta("Let me "), delta("see."))
    expect(live(page)).to_contain_text("Let me see.")

    stream.send(("rule", {"rule": "documents"}), ("tool_started", {**CALL, "arguments": {"location": "Paris"}}))
    expect(live(page).get_by_role("listitem")).to_have_text(
        ["rule documents", 'calling get_weather {"location":"Paris"} …']
    )
    stream.send(("tool_finished", {**CALL, "ok": True, "duration_ms": 120}))
    expect(live(page).get_by_role("listitem").last).to_contain_text("120 ms")
    expect(live(page).get_by_role("listitem").last).to_contain_text("done")
    stream.send(turn(2), delta("## Weather\n\n", 2), delta("It is **sun", 2))
    expect(live(page).get_by_role("heading", name="Weather")).to_be_visible()
    expect(live(page).locator("strong", has_text="sun")).to_be_visible()
    assert turns(page).count() == 0

    content = f"## Weather\n\nIt is **sunny**.\n\n{TABLE}"
    stream.send(delta(f"ny**.\n\n{TABLE}", 2), ("answer", answer(content)))

    expect(turns(page).get_by_role("table")).to_contain_text("Paris")
    expect(turns(page)).to_contain_text("It is sunny.")
    expect(live(page)).to_have_count(0)
    assert stream.requests() == [("chat", "")]


def test_reasoning_is_shown_apart_from_the_answer_and_only_on_demand(screen: Screen) -> None:
    page, stream = started(screen)
    stream.send(("reasoning", {"iteration": 1, "text": "A part of 45.\nThen add."}), delta("It is 6.75."))

    expect(live(page)).to_contain_text("It is 6.75.")
    expect(live(page).get_by_text("A part of 45.")).to_have_count(0)
    live(page).get_by_text("reasoning", exact=True).click()
    expect(live(page).get_by_text("A part of 45.")).to_be_visible()


def test_complete_blocks_are_not_rendered_again_and_read_out_once(screen: Screen) -> None:
    page, stream = started(screen)
    stream.send(delta(f"First.\n\n{TABLE}\n```py\nx = 1"))
    code = live(page).get_by_role("region", name="Code py")
    expect(code).to_have_text("x = 1")
    page.evaluate("() => document.querySelectorAll('.chat-live .md > *').forEach((block, at) => (block.mark = at))")
    announced = live(page).locator("[aria-live=polite] > p")
    expect(announced).to_have_count(2)

    stream.send(delta("\ny = 2"))
    expect(code).to_have_text("x = 1\ny = 2")
    expect(announced).to_have_count(2)
    stream.send(delta("\n```\n\nLast"))
    expect(live(page)).to_contain_text("Last")

    marks = page.evaluate("() => [...document.querySelectorAll('.chat-live .md > *')].map(({ mark }) => mark ?? null)")
    assert marks == [0, 1, 2, None]
    expect(announced).to_have_text(["First.", TABLE.strip(), "```py\nx = 1\ny = 2\n```"], use_inner_text=False)


def test_lost_connection_continues_after_the_last_event(screen: Screen) -> None:
    page, stream = started(screen)
    stream.send(delta("It is"))
    expect(live(page)).to_contain_text("It is")

    stream.lose()
    expect(page.get_by_text("Connection lost. Reconnecting, attempt 1 of 5.")).to_be_visible()
    stream.wait_for_requests(2)
    stream.send(delta(" 6.75."))
    expect(live(page)).to_contain_text("It is 6.75.")
    expect(page.get_by_text("Connection lost.")).to_have_count(0)
    stream.send(("answer", answer("It is 6.75.")))

    expect(turns(page)).to_contain_text("It is 6.75.")
    assert stream.requests() == [("chat", ""), ("runs/run1/events", "1.3")]


def test_stop_ends_the_run_in_the_service_and_keeps_the_text(screen: Screen) -> None:
    stopped: Json = {"id": "run1", "status": "cancelled", "created_at": "2026-01-15T12:00:00Z"}
    screen.answer("**/api/runs/run1", stopped)
    page, stream = started(screen)
    stream.send(delta("It is"))
    expect(live(page)).to_contain_text("It is")

    with page.expect_request("**/api/runs/run1") as request:
        page.keyboard.press("Escape")

    assert request.value.method == "DELETE"
    expect(page.get_by_text("Stopping the answer")).to_be_visible()
    expect(live(page)).to_contain_text("It is")
    stream.send(delta(" 6"), ("error", CANCELLED))
    expect(live(page)).to_have_count(0)
    expect(turns(page)).to_contain_text(f"{QUESTION}")
    expect(turns(page)).to_contain_text("It is 6")
    expect(turns(page)).to_contain_text("■ stopped")
    expect(turns(page).locator(".outcome[data-tone=good]")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(field(page)).to_have_value("")


def test_stop_before_the_first_text_returns_the_message(screen: Screen) -> None:
    stopped: Json = {"id": "run1", "status": "cancelled", "created_at": "2026-01-15T12:00:00Z"}
    screen.answer("**/api/runs/run1", stopped)
    page, stream = started(screen)

    page.keyboard.press("Escape")
    stream.send(("error", CANCELLED))

    expect(field(page)).to_have_value(QUESTION)
    expect(turns(page)).to_have_count(0)


def test_stop_before_the_service_has_named_the_run_stops_it_then(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    stopped: Json = {"id": "run1", "status": "cancelled", "created_at": "2026-01-15T12:00:00Z"}
    screen.answer("**/api/runs/run1", stopped)
    stream = FakeStream(screen.page)
    page = screen.open("chat")
    send_message(page, QUESTION)
    stream.wait_for_requests(1)
    page.keyboard.press("Escape")

    with page.expect_request("**/api/runs/run1") as request:
        stream.send(ACCEPTED, turn(1))

    assert request.value.method == "DELETE"


def test_unconfirmed_stop_is_shown_with_its_reason(screen: Screen) -> None:
    screen.route_fail("**/api/runs/run1", status=503, body={"error": "unavailable", "message": "Later."})
    page, stream = started(screen)
    stream.send(delta("It is"))

    page.keyboard.press("Escape")

    expect(page.get_by_text("! The service did not confirm that it has stopped the answer: Later.")).to_be_visible()
    expect(live(page)).to_contain_text("It is")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def test_error_event_returns_the_message_which_can_be_sent_again(screen: Screen) -> None:
    page, stream = started(screen)
    failed: Json = {"error": "model_failed", "message": "The provider closed the connection.", "request_id": "r-9"}
    stream.send(delta("It is"), ("error", failed))
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("The provider closed the connection.")
    expect(problem).to_contain_text("r-9")
    expect(field(page)).to_have_value(QUESTION)

    problem.get_by_role("button", name="Try again").click()
    stream.wait_for_requests(2)
    stream.send(ACCEPTED, ("answer", answer("It is 6.75.")))

    expect(turns(page)).to_contain_text("It is 6.75.")


def test_run_that_cannot_be_streamed_any_more_is_polled(screen: Screen) -> None:
    done: dict[str, Json] = {"id": "run1", "status": "succeeded", "created_at": "2026-01-15T12:00:00Z", "steps": []}
    screen.answer("**/api/runs/run1", {**done, "answer": answer("It is 6.75.")})
    page, stream = started(screen)
    page.clock.install()

    for attempt in range(1, 7):
        stream.lose()
        if attempt < 6:
            expect(page.get_by_text(f"attempt {attempt} of 5")).to_be_visible()
            page.clock.run_for(10_000)
            stream.wait_for_requests(attempt + 1)

    expect(turns(page)).to_contain_text("It is 6.75.")
    assert parameter(page, "run") == "run1"


@pytest.mark.parametrize("width", [1280, 360])
def test_view_follows_the_text_unless_scrolled_up(screen: Screen, width: int) -> None:
    page, stream = started(screen, width=width)
    stream.send(delta(LINES))
    expect(live(page)).to_contain_text("Line of a long answer")
    at_end(page)
    expect(jump(page)).to_have_count(0)

    page.get_by_text("You", exact=True).scroll_into_view_if_needed()
    expect(jump(page)).to_be_visible()
    before = page.evaluate("() => scrollY")
    stream.send(delta("80. The last\n"))
    expect(live(page)).to_contain_text("The last")
    assert page.evaluate("() => scrollY") == before
    jump(page).click()
    at_end(page)
    stream.send(delta("81. After it\n"))
    expect(live(page).get_by_text("After it")).to_be_in_viewport()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_unfinished_answer_is_accessible_and_shows_hostile_text_as_text(
    screen: Screen, width: int, theme: Theme
) -> None:
    page, stream = started(screen, width=width, theme=theme)
    code = "```\n" + "a very long line of code " * 20
    hostile = f"{CANARY}\n\n# {CANARY}\n\n- {CANARY}\n\n> [a]({CANARY})\n\n| {'wide | ' * 20}\n|{'---|' * 20}\n\n{code}"
    started_call: Event = ("tool_started", {**CALL, "arguments": {"location": CANARY}})
    stream.send(started_call, ("warning", {"message": CANARY}), delta(hostile))
    expect(live(page)).to_contain_text("a very long line of code")

    screen.shoot("chat-streaming", whole=False)
    verify_only_text(page)
    screen.axe()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
