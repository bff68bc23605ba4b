"""Chat: sessions, answers and how they came about, answers in the background, and what keeps them from coming."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from cli.local_stack import StackState
from flexchat.messages import Json
from tests.browser.screen import Screen, Theme
from tests.e2e.commands import flexchat

SUM = "What is 15% of 45?"
SUM_ANSWER = "(demo model) 15% of 45 is 6.75."


@pytest.fixture(scope="module")
def service(stack: StackState) -> Iterator[httpx.Client]:
    """The API, as another client of the same token uses it."""
    headers = {"Authorization": f"Bearer {stack.token}"}
    with httpx.Client(base_url=stack.url, headers=headers, timeout=60, trust_env=False) as client:
        yield client


@pytest.fixture(scope="module")
def known_session(service: httpx.Client) -> str:
    """A session with one turn that called a tool."""
    session = new_id()
    chat(service, {"message": SUM, "session_id": session})
    return session


@pytest.fixture
def user_token() -> Iterator[str]:
    """Somebody else's, who is no operator."""
    token = flexchat("tokens", "create", "--stage", "local", "--name", "browser-user", "--role", "user").split()[-1]
    yield token
    flexchat("tokens", "revoke", token.split("_")[1], "--stage", "local")


def new_id() -> str:
    return uuid4().hex[:24]


def chat(service: httpx.Client, request: dict[str, Json], *, prefer: str = "") -> None:
    service.post("/api/chat", json=request, headers={"Prefer": prefer}).raise_for_status()


def field(page: Page) -> Locator:
    return page.get_by_label("Message", exact=True)


def say(page: Page, message: str) -> None:
    field(page).fill(message)
    page.keyboard.press("Control+Enter")


def turns(page: Page) -> Locator:
    return page.get_by_role("article")


def session_row(page: Page, title: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("region", name="Sessions").get_by_role("listitem").filter(has_text=title)


def parameter(page: Page, name: str) -> str:
    return parse_qs(urlsplit(page.url).query).get(name, [""])[0]


def unfold(page: Page, *names: str) -> None:
    for name in names:
        summary = page.locator("summary", has_text=name)
        if not summary.evaluate("summary => summary.parentElement.open"):
            summary.click()


def test_a_first_message_begins_a_session_and_its_answer_tells_how_it_came_about(screen: Screen) -> None:
    page = screen.open("chat")
    expect(page.get_by_role("heading", name="Talk to the service as an application does")).to_be_visible()
    page.get_by_label("Explain the answer").check()
    page.get_by_label("Flexchat's documentation").check()

    say(page, SUM)

    turn = turns(page)
    expect(turn).to_contain_text(SUM)
    expect(turn).to_contain_text(SUM_ANSWER)
    expect(turn).to_contain_text(re.compile(r"gpt-4o\s*demo\s*✓ answered\s*service openai\s*rule documents"))
    expect(field(page)).to_have_value("")
    expect(page.get_by_role("heading", name=SUM)).to_be_visible()
    expect(session_row(page, SUM).first).to_have_attribute("data-open", "true")
    turn.get_by_text("1 tool call").click()
    turn.get_by_text('calculate(expression: "15% of 45")').click()
    turn.get_by_role("tab", name="result").click()
    expect(turn.get_by_role("tabpanel")).to_contain_text("6.75")
    turn.get_by_text("Timeline").click()
    expect(turn.get_by_role("option")).to_have_count(4)
    turn.get_by_text("5 documents").click()
    expect(turn.get_by_role("table", name="Documents, as the model had them").get_by_role("row")).to_have_count(6)
    turn.get_by_text("Why it was answered this way").click()
    expect(turn.get_by_role("row", name="documents answers holds rag_results any", exact=True)).to_be_visible()
    expect(turn.get_by_role("row", name="uuid not offered not in the rule's allowed_tools", exact=True)).to_be_visible()


def test_a_reload_shows_the_session_again_and_the_back_button_the_one_before(
    screen: Screen, known_session: str
) -> None:
    page = screen.open(f"chat?session={known_session}")
    expect(turns(page)).to_contain_text(SUM_ANSWER)
    page.get_by_role("button", name="New chat").click()
    say(page, "Hello there")
    expect(turns(page)).to_contain_text("You said")
    second = parameter(page, "session")

    page.reload()
    expect(turns(page)).to_contain_text("Hello there")
    assert parameter(page, "session") == second
    page.go_back()
    expect(page.get_by_role("heading", name="New chat")).to_be_visible()
    expect(turns(page)).to_have_count(0)
    page.go_back()

    expect(turns(page)).to_contain_text(SUM_ANSWER)
    turns(page).get_by_text("1 tool call").click()
    expect(turns(page)).to_contain_text(re.compile(r'calculate\(expression: "15% of 45"\)\s*✓ done'))


def test_an_answer_in_the_background_tells_its_steps_and_survives_a_reload(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session may begin after the page looks
    page = screen.open("chat")
    page.get_by_label("Answer in the background").check()
    say(page, f"[demo:slow=2500] {SUM}")
    page.wait_for_url("**run=*")
    run = parameter(page, "run")

    page.reload()
    progress = page.get_by_role("region", name="Answer in the background")
    expect(progress.get_by_role("listitem").first).to_contain_text(
        re.compile(r"model 1\s*openai:gpt-4o\s*✓ calls tools")
    )
    expect(turns(page)).to_contain_text(SUM_ANSWER)
    expect(progress).to_have_count(0)
    page.reload()

    expect(turns(page)).to_contain_text("tokens")
    turns(page).get_by_text("Timeline").click()
    expect(turns(page).get_by_role("option")).to_have_count(3)
    assert parameter(page, "run") == run


def test_an_answer_in_the_background_is_cancelled_and_its_message_is_back_in_the_field(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # a session that had not begun
    page = screen.open("chat")
    page.get_by_label("Answer in the background").check()
    message = "[demo:slow=4000] Hello"
    say(page, message)
    expect(page.get_by_role("region", name="Answer in the background")).to_contain_text("background")

    page.keyboard.press("Escape")

    expect(page.get_by_text("! This answer was cancelled; what it had is discarded.")).to_be_visible()
    expect(field(page)).to_have_value(message)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_who_stops_waiting_is_shown_the_answer_that_the_service_gives_all_the_same(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session may begin after the page looks
    page = screen.open("chat")
    message = "[demo:slow=2000] Hello"
    say(page, message)
    expect(page.get_by_text("waiting for the answer")).to_be_visible()
    expect(page.get_by_text("You", exact=True)).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_text("You stopped waiting")).to_be_visible()
    expect(field(page)).to_have_value(message)
    expect(turns(page)).to_contain_text("(demo model) Hello")
    expect(page.get_by_text("Above is what the session has by now.")).to_be_visible()


def test_a_message_to_a_session_that_is_being_answered_stays_in_the_field(
    screen: Screen, service: httpx.Client
) -> None:
    screen.expects("the server responded with a status of 409")
    session = new_id()
    chat(service, {"message": "Hello", "session_id": session})
    chat(service, {"message": "[demo:slow=5000] Hello", "session_id": session}, prefer="respond-async")
    page = screen.open(f"chat?session={session}")
    expect(turns(page)).to_have_count(2)
    expect(turns(page).last).to_contain_text("There is no answer to this message, or not yet.")

    say(page, SUM)

    problem = page.get_by_role("alert")
    expect(problem).to_contain_text(f"another request is answering in the session '{session}'")
    expect(problem).to_contain_text(re.compile(r"The service asks to wait [1-9]\d? s\."))  # until the lease ends
    expect(field(page)).to_have_value(SUM)


def test_a_partial_answer_is_gone_on_from(screen: Screen) -> None:
    page = partly_answered(screen)
    page.get_by_label("Deadline in seconds").fill("")

    page.get_by_role("button", name="Go on").click()

    expect(turns(page)).to_contain_text(SUM_ANSWER)
    expect(turns(page)).to_have_count(1)
    expect(turns(page)).to_contain_text("✓ answered")
    expect(page.get_by_text("The answer is partial.")).to_have_count(0)


def test_what_a_partial_answer_goes_on_with_is_good_for_one_answer(screen: Screen, service: httpx.Client) -> None:
    screen.expects("the server responded with a status of 409")
    tokens: list[Json] = []
    page = partly_answered(screen, lambda answer: tokens.append(answer["resume_token"]))
    chat(service, {"resume_token": tokens[0], "session_id": parameter(page, "session")})

    page.get_by_role("button", name="Go on").click()

    expect(page.get_by_role("alert")).to_contain_text("resume_token")
    expect(page.get_by_role("button", name="Go on")).to_have_count(0)


def partly_answered(screen: Screen, told: Callable[[dict[str, Json]], object] | None = None) -> Page:
    """The page with an answer that was cut off by its deadline, after its tools."""
    page = screen.open("chat")
    page.get_by_label("Deadline in seconds").fill("6")
    field(page).fill(f"[demo:slow=3000] {SUM}")
    with page.expect_response("**/api/chat") as response:
        page.keyboard.press("Control+Enter")
    if told:
        told(response.value.json())
    expect(turns(page)).to_contain_text("Time was up before it was done. What its tools found so far is below.")
    return page


def test_a_session_is_renamed_and_deleted_where_it_stands_by_keyboard_alone(screen: Screen) -> None:
    page = screen.open("chat")
    message = f"Hello {new_id()}"
    expect(field(page)).to_be_visible()
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    page.keyboard.type(message)
    page.keyboard.press("Control+Enter")
    expect(turns(page)).to_contain_text("You said")

    session_row(page, message).get_by_role("button", name=f"Rename {message}").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Title", exact=True)).to_be_focused()
    title = f"Renamed {new_id()}"
    page.keyboard.type(title)
    page.keyboard.press("Enter")
    expect(session_row(page, title)).to_have_count(1)
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    session_row(page, title).get_by_role("button", name=f"Delete {title}").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Keep it")).to_have_count(0)
    session_row(page, title).get_by_role("button", name=f"Delete {title}").press("Enter")
    page.get_by_role("group", name=f"Delete {title}").get_by_role("button", name="Delete").press("Enter")

    expect(session_row(page, title)).to_have_count(0)
    expect(page.get_by_role("heading", name="New chat")).to_be_visible()
    expect(page.get_by_role("region", name="Sessions")).to_be_focused()


def test_a_session_that_was_deleted_elsewhere_says_so_and_leads_to_a_new_one(
    screen: Screen, service: httpx.Client
) -> None:
    screen.expects("the server responded with a status of 404")
    session = new_id()
    chat(service, {"message": "Hello", "session_id": session})
    service.delete(f"/api/sessions/{session}").raise_for_status()
    page = screen.open(f"chat?session={session}")

    expect(page.get_by_role("alert")).to_contain_text(f"there is no session '{session}'")
    page.get_by_role("button", name="Begin a new chat").click()

    expect(page.get_by_role("heading", name="New chat")).to_be_visible()
    assert parameter(page, "session") == ""


def test_somebody_elses_session_is_not_there_and_explanations_are_for_operators(
    screen: Screen, known_session: str, user_token: str
) -> None:
    screen.expects("the server responded with a status of 404")
    page = screen.open(f"chat?session={known_session}", signed_in=False)
    screen.sign_in(user_token)
    expect(page.get_by_role("alert")).to_contain_text("there is no session")
    page.get_by_role("button", name="Begin a new chat").click()
    expect(page.get_by_label("Answer in the background")).to_be_visible()
    expect(page.get_by_label("Explain the answer")).to_have_count(0)

    say(page, SUM)

    expect(turns(page)).to_contain_text(SUM_ANSWER)


def test_a_failure_leaves_the_message_in_the_field_and_the_rest_of_the_view_in_use(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session whose first message failed
    sessions = screen.route_fail("**/api/sessions?**", status=503, body={"error": "unavailable", "message": "Later."})
    page = screen.open("chat")
    expect(page.get_by_role("region", name="Sessions").get_by_role("alert")).to_contain_text("Later.")
    down = screen.route_fail("**/api/chat")

    say(page, SUM)

    expect(page.get_by_role("alert").last).to_contain_text("The service cannot be reached")
    expect(field(page)).to_have_value(SUM)
    down.lift()
    sessions.lift()
    page.get_by_role("button", name="Send").click()
    expect(turns(page)).to_contain_text(SUM_ANSWER)
    page.get_by_role("region", name="Sessions").get_by_role("button", name="Try again").click()
    expect(session_row(page, SUM).first).to_have_attribute("data-open", "true")


def test_messages_that_could_not_be_read_are_asked_for_again(screen: Screen, known_session: str) -> None:
    failing = screen.route_fail("**/messages?**", status=503, body={"error": "unavailable", "message": "Later."})
    page = screen.open(f"chat?session={known_session}")
    expect(page.get_by_role("alert")).to_contain_text("Later.")
    field(page).fill("What I wrote")

    failing.lift()
    page.get_by_role("button", name="Try again").click()

    expect(turns(page)).to_contain_text(SUM_ANSWER)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(field(page)).to_have_value("What I wrote")


def test_a_deadline_that_is_not_possible_is_told_before_anything_is_sent(screen: Screen) -> None:
    page = screen.open("chat")
    page.get_by_label("Deadline in seconds").fill("29")

    say(page, SUM)

    expect(page.get_by_role("alert")).to_have_text("✕ From 1 to 28 seconds; up to 900 in the background.")
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    page.get_by_label("Answer in the background").check()
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    assert turns(page).count() == 0


TURNS = 500
HISTORY_SESSION: dict[str, Json] = {
    "id": "long",
    "title": "A long one",
    "turns": TURNS,
    "created_at": "2026-01-15T12:00:00+00:00",
    "updated_at": "2026-01-15T13:00:00+00:00",
    "expires_at": "2026-02-15T12:00:00+00:00",
}


def history(route: Route) -> None:
    """A page of a session of a thousand messages, which no test has the time to write."""
    query = parse_qs(urlsplit(route.request.url).query)
    first, limit = int(query["from_turn"][0]), int(query["limit"][0])
    messages: list[Json] = []
    for turn in range(first, min(TURNS + 1, first + limit // 2)):
        common: dict[str, Json] = {"turn": turn, "at": "2026-01-15T12:00:00+00:00", "tool_calls": []}
        messages.append({"role": "user", "content": f"Question {turn}", **common})
        answer: dict[str, Json] = {
            "service": "openai",
            "model": "gpt-4o",
            "status": "complete",
            "request_id": f"r{turn}",
        }
        messages.append({"role": "assistant", "content": f"Answer {turn}. " * 40, **answer, **common})
    route.fulfill(json={"messages": messages})


def test_a_thousand_messages_begin_at_the_newest_and_stay_in_place_when_earlier_ones_come(screen: Screen) -> None:
    screen.answer("**/api/sessions/long", HISTORY_SESSION)
    screen.page.route("**/api/sessions/long/messages?**", history)
    page = screen.open("chat?session=long")
    expect(turns(page)).to_have_count(40)
    expect(turns(page).last).to_be_in_viewport()

    earlier = page.get_by_role("button", name="Show earlier messages")
    while earlier.count():
        shown = turns(page).count()
        oldest = turns(page).first
        name = str(oldest.get_attribute("aria-label"))
        earlier.scroll_into_view_if_needed()
        before = oldest.bounding_box()
        earlier.click()
        expect(turns(page)).to_have_count(min(TURNS, shown + 40))
        after = page.get_by_role("article", name=name, exact=True).bounding_box()
        assert before is not None
        assert after is not None
        assert abs(after["y"] - before["y"]) < 50  # the button above it may have gone

    expect(turns(page)).to_have_count(TURNS)
    expect(turns(page).first).to_contain_text("Question 1")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_a_conversation_fits_the_screen_and_keeps_nobody_out(
    screen: Screen, known_session: str, width: int, theme: Theme
) -> None:
    page = screen.open(f"chat?session={known_session}", width=width, theme=theme)
    expect(turns(page)).to_contain_text(SUM_ANSWER)
    screen.shoot("chat-session", whole=False)
    unfold(page, "Sessions", "Collections", "Options", "More", "1 tool call")
    page.get_by_text('calculate(expression: "15% of 45")').click()
    expect(page.get_by_role("tabpanel")).to_be_visible()
    expect(page.get_by_label("Flexchat's documentation")).to_be_visible()
    expect(page.get_by_label("Intent")).to_be_visible()
    screen.shoot("chat-unfolded")
    screen.axe()

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
