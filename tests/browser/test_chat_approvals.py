"""Chat: tool calls that wait for the approval of a person."""

import pytest
from playwright.sync_api import Locator, Page, expect

from flexchat.messages import Json
from tests.browser.chat_page import AT, answer, turns
from tests.browser.fake_stream import FakeStream
from tests.browser.screen import Screen
from tests.browser.stub_conversation import StubConversation, StubTurn
from tests.browser.trace_pages import StubApi

WIDTHS = pytest.mark.parametrize("width", [1280, 390])
DIGEST = "ab" * 32
ROUTE = "POST /api/runs/r1/approvals"


def call(tool: str = "pay_invoice", **changes: Json) -> dict[str, Json]:
    arguments: Json = {"invoice": "<b>R-7</b>", "euros": 45}
    return {"call_id": f"call_{tool}", "tool": tool, "arguments": arguments, "digest": DIGEST, **changes}


def approval(*calls: dict[str, Json], **changes: Json) -> dict[str, Json]:
    return {
        "id": "r1",
        "status": "pending",
        "created_at": AT,
        "expires_at": AT,
        "calls": [*calls],
        "session_id": "s1",
        **changes,
    }


@pytest.fixture
def conversation(api: StubApi) -> StubConversation:
    """A session whose last answer waits."""
    waiting: dict[str, Json] = {"status": "partial", "outcome": "waiting"}
    stub = StubConversation([StubTurn(0, "Pay R-7", "(The answer waits for the approval of tool calls.)", waiting)])
    stub.install(api)
    return stub


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="Approval of tool calls")


@WIDTHS
def test_an_approval_by_keyboard_goes_on_with_the_chat(
    stubbed: Screen, api: StubApi, conversation: StubConversation, width: int
) -> None:
    api.set("GET /api/approvals", {"approvals": [approval(call())]})
    api.set(
        ROUTE,
        lambda _: (
            202,
            approval(
                call(decision="approved", decided_by="k7m2p9qx4d"),
                status="decided",
                run_id="run2",
            ),
        ),
    )
    stream = FakeStream(stubbed.page)
    page = stubbed.open("chat?session=s1", width=width)
    expect(turns(page)).to_contain_text("waits for an approval")
    expect(turns(page)).to_contain_text("Tool calls wait for the approval of a person.")
    expect(turns(page)).not_to_contain_text("partial")
    expect(card(page)).to_contain_text("<b>R-7</b>")
    stubbed.shoot("chat-approval", whole=False)
    stubbed.axe()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width

    page.get_by_role("button", name="Approve pay_invoice").focus()
    page.keyboard.press("Enter")
    stream.wait_for_requests(1)
    assert stream.requests() == [("runs/run2/events", "")]
    conversation.turns[0].content = "It is paid."
    conversation.turns[0].changes = {"status": "complete", "outcome": "answered"}
    api.set("GET /api/approvals", {"approvals": []})
    session: Json = {"id": "s1", "title": "Pay", "saved": True, "turn": 1}
    stream.send(
        ("accepted", {"request_id": "q2", "run_id": "run2"}),
        ("answer", answer("It is paid.", session=session, request_id="r1")),
    )

    expect(turns(page)).to_have_count(1)
    expect(turns(page)).to_contain_text("It is paid.")
    expect(card(page)).to_have_count(0)
    assert api.bodies(ROUTE) == [
        {"decisions": [{"call_id": "call_pay_invoice", "digest": DIGEST, "approve": True, "reason": ""}]}
    ]


@pytest.mark.usefixtures("conversation")
def test_a_denial_sends_its_reason_and_the_other_call_still_waits(stubbed: Screen, api: StubApi) -> None:
    waiting = (call(), call("send_letter"))
    api.set("GET /api/approvals", {"approvals": [approval(*waiting)]})
    api.set(ROUTE, approval(call(decision="denied", decided_by="x", reason="Too much"), waiting[1]))
    page = stubbed.open("chat?session=s1")
    pay = page.get_by_role("group", name="Call of pay_invoice")
    pay.get_by_label("Reason of a denial").fill("Too much")

    pay.get_by_role("button", name="Deny pay_invoice").click()

    expect(pay).to_contain_text("denied")
    expect(pay).to_contain_text("Reason: Too much")
    expect(pay.get_by_role("button", name="Deny pay_invoice")).to_have_count(0)
    expect(page.get_by_role("button", name="Approve send_letter")).to_be_enabled()
    [sent] = api.bodies(ROUTE)
    assert sent == {
        "decisions": [{"call_id": "call_pay_invoice", "digest": DIGEST, "approve": False, "reason": "Too much"}]
    }


@pytest.mark.usefixtures("conversation")
def test_a_refused_decision_is_shown_with_its_reason(stubbed: Screen, api: StubApi) -> None:
    stubbed.watch.tolerate("the server responded with a status of 410")
    api.set("GET /api/approvals", {"approvals": [approval(call())]})
    api.set(ROUTE, (410, {"error": "approval_expired", "message": "the time is over", "request_id": "r-410"}))
    page = stubbed.open("chat?session=s1")

    page.get_by_role("button", name="Approve pay_invoice").click()

    expect(card(page)).to_contain_text("The time for the decision is over")
    expect(card(page)).to_contain_text("the time is over")


@WIDTHS
@pytest.mark.usefixtures("conversation")
def test_calls_of_other_people_are_decided_beside_the_sessions(stubbed: Screen, api: StubApi, width: int) -> None:
    mine = {key: value for key, value in approval(call(approvers=["finance"])).items() if key != "session_id"}
    api.set("GET /api/approvals", {"approvals": [mine]})
    api.set(ROUTE, (202, {**mine, "status": "decided", "calls": [call(decision="approved")], "run_id": "run2"}))
    page = stubbed.open("chat", width=width)
    if width < 1000:
        page.get_by_role("button", name="Conversations").click()
        page.get_by_text("Decisions").click()
    expect(card(page)).to_contain_text("decided by the role finance")
    stubbed.axe()
    api.set("GET /api/approvals", {"approvals": []})

    page.get_by_role("button", name="Approve pay_invoice").click()

    expect(card(page)).to_have_count(0)
