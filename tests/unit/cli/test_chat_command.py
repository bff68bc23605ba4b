"""Requests and output of `flexchat chat`."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.pictures import data_url, png
from tests.unit.cli.command_runner import OPTIONS, Flexchat, SentRequest

ANSWER: dict[str, Any] = {
    "content": "It is 6.75.",
    "service": "openai",
    "model": "gpt-4o",
    "finish_reason": "stop",
    "request_id": "r-1",
    "usage": {"input_tokens": 20, "output_tokens": 9, "total_tokens": 29},
    "timings": {"total_ms": 140, "steps": []},
}
FOOTER = "gpt-4o · 20 + 9 tokens · 140 ms, of which 0 ms the model"
STEP = {"step": "model", "name": "openai:gpt-4o", "iteration": 1, "start_ms": 0, "duration_ms": 900, "ok": True}
TOOL = {"step": "tool", "name": "calculate", "iteration": 1, "start_ms": 900, "duration_ms": 12, "ok": False}
RUN: dict[str, Any] = {"id": "run1", "status": "queued", "created_at": "2026-11-22T10:00:00Z"}


def run(status: str, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**RUN, "status": status, "steps": list(steps), **more}


def test_the_options_become_the_fields_of_the_request(flexchat: Flexchat, tmp_path: Path) -> None:
    history = tmp_path / "history.json"
    history.write_text('[{"role": "user", "content": "Hi"}]')
    service = flexchat.serve(ANSWER)

    arguments = ["chat", "What is 15% of 45?", "--deadline-ms", "9000", "--topic", "sums", "--explain"]
    arguments += ["--profile", "plan=member", "--profile", "a=b=c", "--collection", "docs/faq", "--collection", "news"]
    code, printed, _ = flexchat.type(*arguments, "--history", str(history))

    assert (code, printed) == (0, f"It is 6.75.\n\n{FOOTER}")
    assert service.requests == [
        SentRequest(
            "POST",
            "/api/chat",
            {
                "message": "What is 15% of 45?",
                "history": [{"role": "user", "content": "Hi"}],
                "profile": {"plan": "member", "a": "b=c"},
                "topic": "sums",
                "selected_collections": ["docs/faq", "news"],
                "explain": True,
                "deadline_ms": 9000,
            },
        )
    ]


def test_a_session_and_an_idempotency_key_are_sent(flexchat: Flexchat) -> None:
    service = flexchat.serve({**ANSWER, "session": {"id": "s1", "title": "Sums", "saved": True}})

    code, printed, _ = flexchat.type("chat", "15% of 45?", "--session", "s1", "--idempotency-key", "k-1")

    assert (code, printed) == (0, f"It is 6.75.\n\n{FOOTER}\nsession s1: Sums")
    assert service.requests == [
        SentRequest("POST", "/api/chat", {"message": "15% of 45?", "session_id": "s1"}, {"idempotency-key": "k-1"})
    ]


def test_a_session_that_was_not_saved_is_reported(flexchat: Flexchat) -> None:
    unsaved = {"id": "s1", "title": "Sums", "saved": False, "problem": "the table does not answer"}
    flexchat.serve({**ANSWER, "session": unsaved})

    _, printed, _ = flexchat.type("chat", "15% of 45?", "--session", "s1")

    assert printed.endswith("not all of it was saved: the table does not answer\nsession s1: Sums")


def test_the_command_of_a_partial_answer_resumes_it(flexchat: Flexchat) -> None:
    partial = {**ANSWER, "status": "partial", "finish_reason": "error", "resume_token": "tok.en"}
    service = flexchat.serve(partial, {**ANSWER, "deadline_reached": True})

    _, first, _ = flexchat.type("chat", "15% of 45?")
    last_line = first.splitlines()[-1]
    _, second, _ = flexchat.type(*last_line.partition("flexchat ")[2].split())

    assert last_line == "not finished; continue with flexchat chat --resume tok.en"
    assert "gpt-4o · partial (error) ·" in first
    assert "answered early, for want of time" in second
    assert service.requests[1] == SentRequest("POST", "/api/chat", {"resume_token": "tok.en"})


def test_json_is_the_unchanged_response(flexchat: Flexchat) -> None:
    flexchat.serve({**ANSWER, "key_of_a_newer_service": 1})

    _, printed, _ = flexchat.type("chat", "Hi", "--json")

    assert json.loads(printed) == {**ANSWER, "key_of_a_newer_service": 1}


def test_trace_prints_each_step_with_its_times_and_the_request_id(flexchat: Flexchat) -> None:
    steps = [{**STEP, "total_tokens": 29, "finish_reason": "tool_calls"}, TOOL]
    service = flexchat.serve({**ANSWER, "timings": {"total_ms": 912, "steps": steps}})

    code, printed, _ = flexchat.type("chat", "15% of 45?", "--trace")

    assert (code, service.requests) == (
        0,
        [SentRequest("POST", "/api/chat", {"message": "15% of 45?", "explain": True})],
    )
    assert printed.splitlines()[-5:] == [
        "steps (start, duration)",
        "  0 ms  900 ms  ━━━━━━━━━━━━━━━━━━━━━━━━  ✓  model openai:gpt-4o  iteration 1, 29 tokens, tool_calls",
        "900 ms   12 ms                         ━  ✗  tool calculate       iteration 1",
        "request id r-1 (flexchat trace r-1)",
        "log flexchat logs r-1 --stage STAGE",
    ]


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_collection_that_is_not_searched_exits_1_after_the_answer(flexchat: Flexchat, options: list[str]) -> None:
    reason = "no service has a collection 'new'; the configured collections are: 'kb/news', 'kb/faq'"
    rag = {"result": "none", "documents": [], "skipped": [{"collection": "new", "reason": reason}]}
    flexchat.serve({**ANSWER, "rag": rag})

    code, printed, errors = flexchat.type("chat", "Hi", "--collection", "new", *options)

    assert (code, errors) == (1, f"collection 'new' was not searched: {reason}")
    assert "It is 6.75." in printed


@pytest.mark.parametrize(
    ("arguments", "error_output"),
    [
        ([], "pass a message, --resume TOKEN or --follow RUN"),
        (["Hi", "--resume", "t"], "pass only one of a message, --resume and --follow"),
        (["--follow", "r", "--resume", "t"], "pass only one of a message, --resume and --follow"),
    ],
)
def test_message_resume_and_follow_exclude_each_other(
    arguments: list[str], error_output: str, flexchat: Flexchat
) -> None:
    service = flexchat.serve()

    code, _, printed = flexchat.type("chat", *arguments)

    assert code == 2
    assert error_output in " ".join(printed.replace("│", " ").split())
    assert service.requests == []


def test_an_error_response_is_printed_with_its_message_and_request_id(flexchat: Flexchat) -> None:
    refusal = {"error": "session_busy", "message": "another request is answering", "request_id": "r-9"}
    flexchat.serve((409, refusal))

    code, printed, errors = flexchat.type("chat", "Hi", "--session", "s1")

    assert (code, printed) == (1, "")
    assert errors == "HTTP 409: another request is answering\n  request id: r-9 (flexchat trace r-9)"


def test_a_background_run_is_followed_until_it_has_an_answer(flexchat: Flexchat) -> None:
    service = flexchat.serve(
        (202, RUN),
        run("queued"),
        run("running", STEP),
        run("running", STEP),
        run("succeeded", STEP, TOOL, answer=ANSWER),
    )

    code, printed, progress = flexchat.type("chat", "15% of 45?", "--async", "--idempotency-key", "k")

    assert (code, printed) == (0, f"It is 6.75.\n\n{FOOTER}")
    assert progress == "run run1\n   0.0 s ✓ model openai:gpt-4o  900 ms\n   0.9 s ✗ tool calculate  12 ms"
    requests = [
        SentRequest("POST", "/api/chat", {"message": "15% of 45?"}, {"prefer": "respond-async", "idempotency-key": "k"})
    ]
    assert service.requests == [*requests, *[SentRequest("GET", "/api/runs/run1")] * 4]
    assert flexchat.sleeps == pytest.approx([0.3, 0.45, 0.675])


def test_the_polling_interval_of_a_run_is_at_most_three_seconds(flexchat: Flexchat) -> None:
    flexchat.serve(*[run("running")] * 30, run("succeeded", answer=ANSWER))

    flexchat.type("chat", "--follow", "run1")

    assert flexchat.sleeps[-10:] == [3.0] * 10


def test_an_earlier_run_is_followed_by_its_id_and_json_has_no_progress(flexchat: Flexchat) -> None:
    service = flexchat.serve(run("succeeded", STEP, answer=ANSWER))

    code, printed, progress = flexchat.type("chat", "--follow", "run/1", "--json")

    assert (code, json.loads(printed), progress) == (0, ANSWER, "")
    assert service.requests == [SentRequest("GET", "/api/runs/run%2F1")]


@pytest.mark.parametrize(
    ("state", "error_output"),
    [
        (
            run("failed", error={"error": "internal", "message": "it was lost", "request_id": "r-3"}),
            "the run run1 failed: it was lost\n  request id: r-3 (flexchat trace r-3)",
        ),
        (run("failed"), "the run run1 failed: no reason was recorded"),
        (run("cancelled"), "the run run1 was cancelled"),
        (run("succeeded"), "the run run1 succeeded, but its answer has expired"),
    ],
)
def test_a_run_without_an_answer_is_an_error_with_the_reason(
    state: dict[str, Any], error_output: str, flexchat: Flexchat
) -> None:
    flexchat.serve(state)

    code, printed, errors = flexchat.type("chat", "--follow", "run1")

    assert (code, printed) == (1, "")
    assert errors == f"run run1\n{error_output}"


def test_a_service_without_background_runs_is_an_error(flexchat: Flexchat) -> None:
    flexchat.serve(ANSWER)

    code, _, errors = flexchat.type("chat", "Hi", "--async")

    assert (code, errors) == (1, "https://chat.example answered at once; it does not support runs in the background")


def test_an_interrupt_prints_the_command_that_continues_to_follow_the_run(
    flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch
) -> None:
    flexchat.serve(run("running", STEP))

    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", interrupt)
    code, _, errors = flexchat.type("chat", "--follow", "run1")

    assert code == 130
    assert "The run continues. Its answer: flexchat chat --follow run1" in errors


def test_without_a_token_no_request_is_sent(flexchat: Flexchat) -> None:
    service = flexchat.serve()

    code, _, errors = flexchat.type("chat", "Hi", options=OPTIONS[:2])

    assert code == 1
    assert errors.startswith("no token for https://chat.example")
    assert service.requests == []


def test_small_pictures_and_files_are_in_the_request(flexchat: Flexchat, tmp_path: Path) -> None:
    (tmp_path / "red.png").write_bytes(png())
    (tmp_path / "notes.md").write_text("# Notes")
    service = flexchat.serve(ANSWER)

    code, _, _ = flexchat.type(
        "chat", "What is it?", "--image", str(tmp_path / "red.png"), "--file", str(tmp_path / "notes.md")
    )

    assert code == 0
    (request,) = service.requests
    assert request.body == {
        "message": "What is it?",
        "attachments": [
            {"url": data_url(png()), "name": "red.png"},
            {"url": data_url(b"# Notes", "text/markdown"), "name": "notes.md"},
        ],
    }


def test_a_large_file_is_uploaded_without_the_token(flexchat: Flexchat, tmp_path: Path) -> None:
    (tmp_path / "large.png").write_bytes(png(padding=3_000_000))
    form = {
        "id": "file-1",
        "url": "https://bucket.test/",
        "fields": {"key": "files/k", "policy": "p"},
        "expires_at": "",
    }
    service = flexchat.serve(form, {}, ANSWER)

    code, _, _ = flexchat.type("chat", "What is it?", "--image", str(tmp_path / "large.png"))

    assert code == 0
    created, sent, asked = service.requests
    assert (sent.method, sent.target, "authorization" in sent.headers) == ("POST", "/", False)
    assert (created.target, created.body) == ("/api/files", {"name": "large.png", "size": len(png(padding=3_000_000))})
    assert asked.body == {"message": "What is it?", "attachments": [{"file_id": "file-1", "name": "large.png"}]}


def test_a_file_that_no_model_reads_is_named(flexchat: Flexchat, tmp_path: Path) -> None:
    path = tmp_path / "drawing.svg"
    path.write_text("<svg/>")
    flexchat.serve()

    code, _, error = flexchat.type("chat", "What is it?", "--image", str(path))

    assert code != 0
    assert "is an SVG drawing, which no model reads; send it as PNG, JPEG, WebP or GIF" in " ".join(error.split())


def test_a_chosen_model_and_rule_are_sent(flexchat: Flexchat) -> None:
    service = flexchat.serve(ANSWER)

    code, _, _ = flexchat.type("chat", "Hi", "--model", "openai:gpt-4o", "--rule", "weather")

    assert code == 0
    assert service.requests == [
        SentRequest("POST", "/api/chat", {"message": "Hi", "model": "openai:gpt-4o", "rule": "weather"})
    ]


def test_a_model_that_is_not_offered_is_an_error_with_those_that_are(flexchat: Flexchat) -> None:
    message = "the model 'openai:gpt-4' is not offered, only 'openai:gpt-4o'; did you mean 'openai:gpt-4o'?"
    flexchat.serve((400, {"error": "choice_not_offered", "message": message, "request_id": "r"}))

    code, printed, errors = flexchat.type("chat", "Hi", "--model", "openai:gpt-4")

    assert (code, printed) == (1, "")
    assert errors.startswith(f"HTTP 400: {message}")
