"""Streamed output of `flexchat chat` on a terminal."""

from typing import Any

import httpx2
import pytest

from tests.unit.cli.command_runner import Events, Flexchat, SentRequest
from tests.unit.cli.test_chat_command import ANSWER, FOOTER, STEP, run

ACCEPTED = ("accepted", {"request_id": "r-1", "run_id": "run1"})
STARTED = ("model_started", {"iteration": 1, "model": "gpt-4o"})
ANSWERED = ("answer", ANSWER)
TEXT = [("delta", {"iteration": 1, "text": text}) for text in ("It is", " 6.75.")]
QUESTION = {"message": "15% of 45?"}
ASKED = SentRequest("POST", "/api/chat", QUESTION, {"accept": "text/event-stream"})


def continued(after: str) -> SentRequest:
    headers = {"accept": "text/event-stream", "last-event-id": after}
    return SentRequest("GET", "/api/runs/run1/events", None, headers)


def lose_connection() -> None:
    raise httpx2.ReadError("connection reset")


def interrupt() -> None:
    raise KeyboardInterrupt


def test_text_is_printed_as_it_arrives_and_then_the_summary(flexchat: Flexchat) -> None:
    service = flexchat.serve(Events([ACCEPTED, STARTED, *TEXT, ("of_a_newer_service", {}), ANSWERED]))

    code, printed, steps = flexchat.type("chat", "15% of 45?", terminal=True)

    assert (code, printed, steps) == (0, f"It is 6.75.\n\n{FOOTER}", "")
    assert service.requests == [ASKED]


def test_steps_are_printed_on_standard_error(flexchat: Flexchat) -> None:
    called = {"call_id": "c1", "tool": "calculate", "iteration": 1}
    events = [
        ("phase", {"phase": "topic", "name": "openai:gpt-4o", "duration_ms": 80, "ok": True}),
        ("rule", {"rule": "documents"}),
        ("rule", {"rule": None}),
        ("reasoning", {"iteration": 1, "text": "A part\nof 45."}),
        ("tool_started", {**called, "arguments": {"expression": "15% of 45"}}),
        ("tool_finished", {**called, "ok": True, "duration_ms": 12}),
        ("tool_finished", {**called, "ok": False, "duration_ms": 30, "error": "timeout"}),
        ("warning", {"message": "the search failed"}),
    ]
    flexchat.serve(Events([ACCEPTED, *events, ANSWERED]))

    _, _, steps = flexchat.type("chat", "15% of 45?", terminal=True)

    assert steps.splitlines() == [
        "✓ topic openai:gpt-4o  80 ms",
        "· rule documents",
        "~ A part of 45.",
        '→ calculate {"expression": "15% of 45"}',
        "✓ calculate  12 ms",
        "✗ calculate  30 ms, timeout",
        "! the search failed",
    ]


def test_text_of_another_model_turn_begins_on_a_new_line(flexchat: Flexchat) -> None:
    events = [
        ("delta", {"iteration": 1, "text": "Let me see."}),
        ("model_started", {"iteration": 2, "model": "gpt-4o"}),
        ("delta", {"iteration": 2, "text": "It is 6.75."}),
    ]
    flexchat.serve(Events([ACCEPTED, STARTED, *events, ANSWERED]))

    _, printed, _ = flexchat.type("chat", "15% of 45?", terminal=True)

    assert printed == f"Let me see.\nIt is 6.75.\n\n{FOOTER}"


def test_an_answer_that_differs_from_the_streamed_text_is_printed_as_well(flexchat: Flexchat) -> None:
    flexchat.serve(Events([ACCEPTED, STARTED, TEXT[0], ANSWERED]))

    _, printed, _ = flexchat.type("chat", "15% of 45?", terminal=True)

    assert printed == f"It is\nIt is 6.75.\n\n{FOOTER}"


def test_control_characters_of_a_text_do_not_reach_the_terminal(flexchat: Flexchat) -> None:
    hostile = ("delta", {"iteration": 1, "text": "a\x1b[2Jb\x07\x9b1m\r\n\tc"})
    flexchat.serve(Events([ACCEPTED, hostile, ("answer", {**ANSWER, "content": "a\x1b[2Jb\x07\x9b1m\r\n\tc"})]))

    _, printed, _ = flexchat.type("chat", "Hi", terminal=True)

    assert printed == f"a⟨U+001B⟩[2Jb⟨U+0007⟩⟨U+009B⟩1m\n\tc\n\n{FOOTER}"


@pytest.mark.parametrize(("options", "terminal"), [(["--no-stream"], True), (["--json"], True), ([], False)])
def test_no_stream_is_requested_without_a_terminal(flexchat: Flexchat, options: list[str], terminal: bool) -> None:
    service = flexchat.serve(ANSWER)

    code, printed, _ = flexchat.type("chat", "15% of 45?", *options, terminal=terminal)

    assert (code, service.requests) == (0, [SentRequest("POST", "/api/chat", QUESTION)])
    assert "--json" in options or printed == f"It is 6.75.\n\n{FOOTER}"


def test_a_service_that_does_not_stream_answers_whole(flexchat: Flexchat) -> None:
    flexchat.serve(ANSWER)

    assert flexchat.type("chat", "15% of 45?", terminal=True) == (0, f"It is 6.75.\n\n{FOOTER}", "")


def test_a_response_that_is_not_flexchats_is_an_error(flexchat: Flexchat) -> None:
    flexchat.serve(["x"])

    code, _, errors = flexchat.type("chat", "Hi", terminal=True)

    assert (code, errors) == (
        1,
        "https://chat.example sent a response that is not Flexchat's: its data is no JSON object",
    )


def test_an_error_status_is_printed_as_without_a_stream(flexchat: Flexchat) -> None:
    flexchat.serve((409, {"error": "session_busy", "message": "another request is answering", "request_id": "r-9"}))

    code, printed, errors = flexchat.type("chat", "Hi", "--session", "s1", terminal=True)

    assert (code, printed) == (1, "")
    assert errors == "HTTP 409: another request is answering\n  request id: r-9 (flexchat trace r-9)"


def test_an_error_event_ends_the_text_and_is_printed_with_its_request_id(flexchat: Flexchat) -> None:
    failed = {"error": "model_failed", "message": "the provider closed the connection", "request_id": "r-1"}
    flexchat.serve(Events([ACCEPTED, STARTED, TEXT[0], ("error", failed)]))

    code, printed, errors = flexchat.type("chat", "15% of 45?", terminal=True)

    assert (code, printed) == (1, "It is")
    assert errors == "the provider closed the connection\n  request id: r-1 (flexchat trace r-1)"


def test_a_lost_connection_continues_after_the_last_event(flexchat: Flexchat) -> None:
    service = flexchat.serve(
        Events([ACCEPTED, STARTED, TEXT[0]], lose_connection),
        (503, {"message": "unavailable"}),
        Events([TEXT[1]]),
        Events([ANSWERED]),
    )

    code, printed, notes = flexchat.type("chat", "15% of 45?", terminal=True)

    assert (code, printed) == (0, f"It is\n 6.75.\n\n{FOOTER}")
    assert notes.splitlines() == [
        "connection lost; continuing run run1 (attempt 1 of 5)",
        "connection lost; continuing run run1 (attempt 2 of 5)",
    ]
    assert service.requests == [ASKED, continued("1.2"), continued("1.2"), continued("1.0")]
    assert flexchat.sleeps == [0.5, 1.0, 0.5]


def test_a_connection_lost_before_the_service_accepted_is_an_error(flexchat: Flexchat) -> None:
    flexchat.serve(Events([], lose_connection))

    code, _, errors = flexchat.type("chat", "15% of 45?", terminal=True)

    assert (code, errors) == (1, "https://chat.example closed the connection without a complete response")


def test_a_stream_that_ends_before_the_service_accepted_is_an_error(flexchat: Flexchat) -> None:
    flexchat.serve(Events([]))

    code, _, errors = flexchat.type("chat", "15% of 45?", terminal=True)

    assert (code, errors) == (1, "https://chat.example ended the stream without an answer")


def test_after_five_failed_connections_the_run_is_polled(flexchat: Flexchat) -> None:
    lost: list[Any] = [(502, {"message": "bad gateway"})] * 5
    service = flexchat.serve(Events([ACCEPTED, STARTED, *TEXT]), *lost, run("succeeded", answer=ANSWER))

    code, printed, _ = flexchat.type("chat", "15% of 45?", terminal=True)

    assert (code, printed) == (0, f"It is 6.75.\n\n{FOOTER}")
    assert service.requests[-1] == SentRequest("GET", "/api/runs/run1")
    assert flexchat.sleeps == [0.5, 1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (run("cancelled"), "Cancelled: the service ended the run run1."),
        (
            run("succeeded"),
            "The run run1 had already ended (succeeded). Its answer: flexchat chat --follow run1",
        ),
        (
            (503, {"message": "unavailable"}),
            "The run run1 could not be cancelled: HTTP 503: unavailable\n  try again in a minute\nIts answer, if it",
        ),
    ],
)
def test_an_interrupt_cancels_the_run_and_prints_the_result(flexchat: Flexchat, answer: Any, message: str) -> None:
    service = flexchat.serve(Events([ACCEPTED, STARTED, TEXT[0]], interrupt), answer)

    code, printed, notes = flexchat.type("chat", "15% of 45?", terminal=True)

    assert (code, printed) == (130, "It is")
    assert notes.startswith(message)
    assert service.requests[1:] == [SentRequest("DELETE", "/api/runs/run1")]


def test_an_interrupt_before_the_service_accepted_cancels_nothing(flexchat: Flexchat) -> None:
    flexchat.serve(Events([], interrupt))

    code, _, notes = flexchat.type("chat", "Hi", terminal=True)

    assert code == 130
    assert notes.startswith("Interrupted before the service had named its run: it may still complete the chat.")


def test_a_background_run_is_followed_by_its_events(flexchat: Flexchat) -> None:
    service = flexchat.serve((202, run("queued")), Events([ACCEPTED, STARTED, *TEXT, ANSWERED]))

    code, printed, notes = flexchat.type("chat", "15% of 45?", "--async", terminal=True)

    assert (code, printed, notes) == (0, f"It is 6.75.\n\n{FOOTER}", "run run1")
    assert service.requests[1] == SentRequest("GET", "/api/runs/run1/events", None, {"accept": "text/event-stream"})


@pytest.mark.parametrize("refusal", [(404, {"message": "no route"}), (403, {"message": "no route"}), run("running")])
def test_a_run_of_a_service_without_events_is_polled(flexchat: Flexchat, refusal: Any) -> None:
    flexchat.serve(refusal, run("running", STEP), run("succeeded", STEP, answer=ANSWER))

    code, printed, notes = flexchat.type("chat", "--follow", "run1", terminal=True)

    assert (code, printed) == (0, f"It is 6.75.\n\n{FOOTER}")
    assert "   0.0 s ✓ model openai:gpt-4o  900 ms" in notes.splitlines()


def test_an_interrupt_of_a_followed_run_does_not_cancel_it(flexchat: Flexchat) -> None:
    flexchat.serve(Events([ACCEPTED, STARTED], interrupt))

    code, _, notes = flexchat.type("chat", "--follow", "run1", terminal=True)

    assert code == 130
    assert "The run continues. Its answer: flexchat chat --follow run1" in notes
