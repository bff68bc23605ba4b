"""No command prints a text of another party in a form that controls the terminal."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any, cast

import pytest

from cli.console import Console
from cli.render.collections import show_answer, show_collection, show_list
from cli.render.logs import show_log
from flexchat.api.traces import LogLine
from flexchat.retrieval import CollectionInfo, CollectionMetadata, Hit, Passage
from functions.retrieval.explanation import Explanation, Misspelling, QueryResult
from functions.retrieval.thresholds import Thresholds
from tests.unit.cli.command_runner import Events, Flexchat
from tests.unit.cli.hostile import HOSTILE, SEEN_AS, spoiled, verify_printed
from tests.unit.cli.test_approvals_commands import APPROVAL, DECIDED
from tests.unit.cli.test_chat_command import ANSWER, RUN, STEP, TOOL
from tests.unit.cli.test_explain import EXPLAINED
from tests.unit.cli.test_mcp_commands import FAILED, SERVERS, TRIAL
from tests.unit.cli.test_sessions_commands import CALL, QUESTION, REPLY, SESSION
from tests.unit.cli.test_tools_try import OUTCOME
from tests.unit.cli.trace_responses import FAILED as FAILED_TRACE_BODY
from tests.unit.cli.trace_responses import LINE, SUMMARY, TRACE
from tests.unit.cli.validations import GOOD, of_model, rate, run, status, verdict

SPOKEN = frozenset(
    {
        *("answer", "arguments", "collection", "content", "description", "display_name", "error", "hints", "llm"),
        *("message", "model", "name", "notes", "params", "path", "plan", "problem", "problems", "profile", "reason"),
        *("reasons", "request_body", "request_id", "response_body", "response_headers", "result", "rule", "server"),
        *("service", "source", "suite", "system_prompt", "target", "text", "title", "tool", "topic", "topic_summary"),
        *("diff", "definition", "url", "protocol_version", "version", "expected"),
    }
)
"""Keys of texts of users, models, tools, documents, servers and operators."""

BEGUN = datetime(2026, 11, 26, 8, tzinfo=UTC)
KEEPS = {"success": True, "tool_name": "calculate", "execution_time_ms": 3}
SEARCHED: dict[str, Any] = {
    "result": "match",
    "collection": None,
    "documents": [
        {"title": "t", "source": "s", "text": "x", "distance": 0.2, "service": "docs", "collection": "faq", "score": 1}
    ],
    "skipped": [],
}
FULL: dict[str, Any] = {
    **ANSWER,
    "rule": "r",
    "tool_calls": [{**CALL, "params": {"a": "b"}, "result": {**KEEPS, "result": "r"}}],
    "session": {"id": "s1", "title": "Sums", "saved": False, "problem": "p"},
    "explain": EXPLAINED,
    "timings": {"total_ms": 140, "steps": [STEP, TOOL]},
}
MODELS: dict[str, Any] = {
    "models": [
        {
            "id": f"openai:{HOSTILE}",
            "llm": HOSTILE,
            "name": HOSTILE,
            "configured": True,
            "provider": "openai",
            "capabilities": [],
            "validation": {"model_id": "x", "tested": False, "validated": False},
        },
    ],
    "errors": [{"llm": "broken", "error": "no key"}],
}
TOOLS = {
    "tools": [{"name": "a", "description": "d", "parameters": {}, "implementation": {"type": "mock"}}],
    "disabled": [{"kind": "tool", "name": "b", "problems": ["p"]}],
}
REFUSED: dict[str, Any] = {
    "error": "invalid",
    "message": "m",
    "request_id": "r",
    "details": [{"path": "p", "message": "m"}],
}
VERDICTS = [verdict(HOSTILE, "failed", model=HOSTILE, reasons=[HOSTILE], request_id=HOSTILE)]
RUNS = [
    run(status, suite=HOSTILE, models=[of_model(HOSTILE)], failed=1, verdicts=VERDICTS)
    for status in ("running", "finished")
]


def hostile(*answers: Any) -> list[Any]:
    """Return the responses with hostile texts; `success`, `state` and the like keep their form."""
    return [spoiled(answer, SPOKEN) for answer in answers]


CHAT: dict[str, Any] = spoiled(FULL, SPOKEN)
CHAT["explain"]["intent"]["source"] = "model"
CHAT["explain"]["topic"]["topic_status"] = "new_topic"


TRACED, FAILED_TRACE = ({**each, "id": HOSTILE, "outcome": HOSTILE} for each in (SUMMARY, FAILED_TRACE_BODY))
SPOILED_TRACE: dict[str, Any] = spoiled(
    TRACE, SPOKEN | {"answer", "caller", "configuration", "comment", "messages", "session_id", "warnings"}
)
USED = {"day": "2026-11-27", "name": HOSTILE, "chats": 1}

COMMANDS: list[tuple[Sequence[str], list[Any]]] = [
    (["chat", "Hi", "--trace"], [CHAT]),
    (["chat", "Hi", "--explain", "--no-stream"], [CHAT]),
    (["chat", "Hi", "--json"], [CHAT]),
    (["chat", "Hi"], [(400, spoiled(REFUSED, SPOKEN))]),
    (["chat", "--follow", "run1"], [{**RUN, "status": "succeeded", "steps": CHAT["timings"]["steps"], "answer": CHAT}]),
    (
        ["chat", "--follow", "run1"],
        hostile({**RUN, "status": "failed", "error": {"error": "e", "message": "m", "request_id": "r"}}),
    ),
    (["approvals", "list"], hostile({"approvals": [APPROVAL]})),
    (["approvals", "show", "r1"], hostile(APPROVAL)),
    (["approvals", "deny", "r1", "--yes", "--reason", HOSTILE], hostile(APPROVAL, DECIDED)),
    (["sessions", "list"], hostile({"sessions": [SESSION]})),
    (["sessions", "list", "--json"], hostile({"sessions": [SESSION]})),
    (["sessions", "show", "s1"], hostile(SESSION, {"messages": [QUESTION, {**REPLY, "tool_calls": [CALL]}]})),
    (["sessions", "rename", "s1", "x"], hostile(SESSION)),
    (["sessions", "delete", f"s{HOSTILE}", "--yes"], [None]),
    (["models"], hostile(MODELS)),
    (["tools", "list"], hostile(TOOLS)),
    (["tools", "try", "create_ticket"], [{**spoiled(OUTCOME, SPOKEN), "type": "http"}]),
    (["tools", "try", "create_ticket", "--json"], [{**spoiled(OUTCOME, SPOKEN), "type": "http"}]),
    (["validate", "status"], hostile({"validations": [status(HOSTILE)]})),
    (["validate", "status", GOOD], [{"status": status(HOSTILE, categories={"single": rate(1, 2)}), "records": []}]),
    (["validate", "history", GOOD], [{"status": status(), "records": VERDICTS, "cursor": None}]),
    (["validate", "compare", GOOD, "b"], [{"status": status(HOSTILE), "records": []}] * 2),
    (["validate", "runs"], [{"runs": RUNS}]),
    (["validate", "watch", "r1"], [RUNS[0], RUNS[0], RUNS[1], RUNS[1]]),
    (["mcp", "list"], hostile(SERVERS)),
    (["mcp", "tools"], hostile(SERVERS)),
    (["mcp", "tools", "--json"], hostile(SERVERS)),
    (["mcp", "refresh", "tracker"], [SERVERS, {**FAILED, "error": HOSTILE, "hints": [HOSTILE]}]),
    (["mcp", "add", "files", "--address", "https://mcp.example.com"], hostile(TRIAL)),
    (["traces"], hostile({"traces": [TRACED, FAILED_TRACE]})),
    (["traces", "--json"], hostile({"traces": [TRACED]})),
    (["trace", "r-1", "--content", "--logs"], [SPOILED_TRACE, {"lines": [spoiled(LINE, SPOKEN | {"fields"})]}]),
    (["trace", f"r{HOSTILE}"], [(404, REFUSED), {"traces": []}]),
    (["usage", "--by", "model"], hostile({"group": "model", "since": "s", "until": "u", "rows": [USED]})),
    ([f"x{HOSTILE}"], []),
    (["chat", f"--{HOSTILE}"], []),
    (["mcp", "tools", f"x{HOSTILE}"], [SERVERS]),
]


@pytest.mark.parametrize("styled", [False, True], ids=["piped", "coloured"])
@pytest.mark.parametrize(
    ("arguments", "answers"), COMMANDS, ids=[" ".join(words).replace(HOSTILE, "HOSTILE") for words, _ in COMMANDS]
)
def test_no_text_of_a_response_controls_the_terminal(
    arguments: Sequence[str], answers: list[Any], styled: bool, flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch
) -> None:
    if styled:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
    service = flexchat.serve(*answers)

    _, out, err = flexchat.run(*arguments, columns=5000)

    assert (service.answers, "cannot read" in err, "does not look like" in err) == ([], False, False), err
    verify_printed(out, styled=styled)
    verify_printed(err, styled=styled)
    assert "evil.example" in out + err
    if "--json" in arguments:
        assert any(HOSTILE in text for text in texts_of(json.loads(out)))


def texts_of(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return texts_of([*cast("dict[str, Any]", value).values()])
    parts = cast("list[Any]", value) if isinstance(value, list) else []
    return [text for part in parts for text in texts_of(part)]


def test_hostile_characters_are_printed_as_their_numbers(flexchat: Flexchat) -> None:
    flexchat.serve({**ANSWER, "content": HOSTILE})

    _, out, _ = flexchat.run("chat", "Hi", columns=2000)

    assert [form for form in SEEN_AS if form not in out] == []
    assert "[link=https://evil.example]x[/link][bold]b[/bold][/]:skull:" in out


def test_a_streamed_answer_controls_no_terminal(flexchat: Flexchat) -> None:
    texts = [HOSTILE[:place] for place in (5,)] + [HOSTILE[5:]]
    deltas = [("delta", {"iteration": 1, "text": text}) for text in texts]
    steps = [
        ("rule", {"rule": HOSTILE}),
        ("phase", {"phase": HOSTILE, "name": HOSTILE, "duration_ms": 1}),
        ("tool_started", {"tool": HOSTILE, "arguments": {"a": HOSTILE}}),
        ("tool_finished", {"tool": HOSTILE, "ok": False, "error": HOSTILE, "duration_ms": 1}),
        ("warning", {"message": HOSTILE}),
    ]
    accepted = ("accepted", {"id": "run1", "request_id": "r-1"})
    flexchat.serve(Events([accepted, *steps, *deltas, ("answer", {**ANSWER, "content": HOSTILE})]))

    code, out, err = flexchat.run("chat", "Hi", terminal=True)

    assert code == 0
    verify_printed(out, styled=True)
    verify_printed(err, styled=True)
    assert out.count("click") == 1  # the streamed text is not printed again


def test_emoji_and_joined_letters_of_an_answer_are_left(flexchat: Flexchat) -> None:
    text = "👩\u200d💻 ❤\ufe0f मस्\u200cते é e\u0301 — “ok” \u00a0…"
    flexchat.serve({**ANSWER, "content": text})

    _, out, _ = flexchat.run("chat", "Hi")

    assert out.startswith(text)


def test_json_has_escapes_that_a_parser_reads_as_the_same_text(flexchat: Flexchat) -> None:
    flexchat.serve({**ANSWER, "content": HOSTILE})

    _, out, _ = flexchat.run("chat", "Hi", "--json")

    assert out.isascii()
    assert json.loads(out)["content"] == HOSTILE


def test_problems_of_a_configuration_control_no_terminal(flexchat: Flexchat, tmp_path: Path) -> None:
    file = tmp_path / "flexchat.json"
    file.write_text(json.dumps({HOSTILE: 1, "tools": {"registry": [{"name": HOSTILE}]}}))

    for options in ((), ("--json",)):
        code, out, err = flexchat.run("config", "check", "--file", str(file), *options, options=())
        assert code == 1
        verify_printed(out)
        verify_printed(err)
        assert "evil.example" in out + err


def test_imported_documents_control_no_terminal(flexchat: Flexchat, tmp_path: Path) -> None:
    operation: dict[str, Any] = {"operationId": "a", "summary": HOSTILE, "description": HOSTILE, "responses": {}}
    document: dict[str, Any] = {
        "openapi": "3.0.3",
        "info": {"title": HOSTILE, "version": HOSTILE},
        "servers": [{"url": "https://api.example.com"}],
        "paths": {"/a": {"get": operation}, f"/{HOSTILE}": {"get": {**operation, "operationId": HOSTILE}}},
    }
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(document))

    _, out, err = flexchat.run("tools", "import", "openapi", str(file), options=())

    verify_printed(out)
    verify_printed(err)
    assert "evil.example" in out + err


def test_a_traceback_controls_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    import traceback

    from cli.terminal import guard_streams

    guard_streams()
    traceback.print_exception(ValueError(HOSTILE))

    verify_printed(capsys.readouterr().err)


def test_passages_and_collections_control_no_terminal() -> None:
    metadata = CollectionMetadata(display_name=HOSTILE, description=HOSTILE, title_field=HOSTILE, source_field=HOSTILE)
    info = CollectionInfo(name="docs", metadata=metadata, created_at=HOSTILE, updated_at=HOSTILE)
    passage = Passage(
        id="1", document_id="1", text=HOSTILE, title=HOSTILE, source=HOSTILE, offset=0, hash="h", metadata={}
    )
    explanation = Explanation("partial", HOSTILE, (Misspelling(HOSTILE, (HOSTILE,)),), (Hit(passage, 0.9),))
    found = QueryResult("match", (Hit(passage, 0.1),), Thresholds(0.3, 0.5), explanation)
    output = StringIO()
    console = Console(file=output, width=4000)

    show_answer(console, found)
    show_list(console, [info])
    show_collection(console, info)

    verify_printed(output.getvalue())
    assert output.getvalue().count("evil.example") > 8


def test_log_lines_control_no_terminal() -> None:
    output = StringIO()
    line = LogLine(at=BEGUN, function=HOSTILE, level="INFO", message=HOSTILE, fields={HOSTILE: HOSTILE})

    show_log(Console(file=output), [line])

    verify_printed(output.getvalue())
    assert output.getvalue().count("[bold]b[/bold]") == 4
