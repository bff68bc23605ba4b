"""Traces from the command line."""

import json
import webbrowser
from collections.abc import Sequence
from typing import Any

import pytest

from flexchat.config.models.traces import TracesConfig
from tests.unit.cli.command_runner import Flexchat, SentRequest
from tests.unit.cli.trace_responses import FAILED, LINE, MODEL, NO_ROUTE, NO_TRACE, SUMMARY, TRACE

NOW = 1_795_766_400.0 + 30  # 2026-11-27T08:00:30Z
FORBIDDEN = (
    403,
    {
        "error": "forbidden",
        "message": "this needs a token with the role 'operator'; create one with `flexchat tokens create …`",
        "request_id": "q",
    },
)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: NOW)


def test_traces_are_listed_with_their_outcome_tokens_and_cost(flexchat: Flexchat) -> None:
    service = flexchat.serve({"traces": [SUMMARY, FAILED], "cursor": None})

    code, printed, _ = flexchat.type("traces", columns=160)

    assert code == 0
    assert printed.splitlines() == [
        (
            "TIME (UTC)            AGO  ID   OUTCOME           DURATION  MODEL          TOOLS      TOKENS     COST"
            "  MESSAGE"
        ),
        (
            "2026-11-27 08:00:00  29 s  r-1  ✓ answered           1.0 s  openai:gpt-4o  calculate   1,230  $0.0021"
            "  15% of 45?"
        ),
        "2026-11-27 06:59:00   1 h  r-2  ✗ model_timeout  1 min 5 s  openai:gpt-4o              1,230        ?  -",
    ]
    assert service.requests == [SentRequest("GET", "/api/traces?limit=50")]


@pytest.mark.parametrize("columns", [80, 160])
def test_a_row_is_whole_in_output_that_is_no_terminal(columns: int, flexchat: Flexchat) -> None:
    flexchat.serve({"traces": [{**SUMMARY, "id": "284b11a2-dd03-4938-819f-b5177140d149", "message": "x" * 200}]})

    row = flexchat.type("traces", columns=columns)[1].splitlines()[1]

    assert row == (
        "2026-11-27 08:00:00  29 s  284b11a2-dd03-4938-819f-b5177140d149  ✓ answered     1.0 s  openai:gpt-4o  "
        f"calculate   1,230  $0.0021  {'x' * 200}"
    )


def test_every_filter_is_sent(flexchat: Flexchat) -> None:
    service = flexchat.serve({"traces": []})
    filters = ["--failed", "--since", "2h", "--until", "2026-11-27T07:30", "--tool", "fetch", "--model", "openai:x"]
    filters += ["--rule", "r", "--caller", "c", "--session", "s", "--outcome", "error", "--rating", "up"]

    code, printed, _ = flexchat.type("traces", *filters, "--min-ms", "500", "--limit", "7")

    assert (code, printed) == (0, "no traces")
    assert service.requests == [
        SentRequest(
            "GET",
            "/api/traces?since=2026-11-27T06%3A00%3A30.000Z&until=2026-11-27T07%3A30%3A00.000Z&failed=true&min_ms=500"
            "&tool=fetch&model=openai%3Ax&rule=r&caller=c&session=s&outcome=error&rating=up&limit=7",
        )
    ]


def test_a_list_continues_up_to_its_limit(flexchat: Flexchat) -> None:
    pages = [{"traces": [{**SUMMARY, "id": f"r-{page}-{n}"} for n in range(200)], "cursor": "x"} for page in (1, 2)]
    service = flexchat.serve(*pages)

    listed = json.loads(flexchat.type("traces", "--limit", "201", "--json")[1])["traces"]

    assert [trace["id"] for trace in listed][-2:] == ["r-1-199", "r-2-0"]
    assert [request.target for request in service.requests] == [
        "/api/traces?limit=200",
        "/api/traces?limit=200&cursor=x",
    ]


def test_a_followed_list_prints_new_traces_below_the_old_ones(
    flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = {"traces": [{**SUMMARY, "id": "r-3"}, SUMMARY, FAILED]}
    service = flexchat.serve({"traces": [SUMMARY, FAILED]}, newer, newer)
    _interrupt_third_sleep(monkeypatch)

    code, printed, _ = flexchat.type("traces", "--follow", "--tool", "calculate", columns=160)

    assert code == 0
    assert [line.split()[:5] for line in printed.splitlines()] == [
        ["TIME", "(UTC)", "AGO", "ID", "OUTCOME"],
        ["2026-11-27", "06:59:00", "1", "h", "r-2"],
        ["2026-11-27", "08:00:00", "29", "s", "r-1"],
        ["2026-11-27", "08:00:00", "29", "s", "r-3"],
    ]
    assert service.requests[1].target == "/api/traces?tool=calculate&since=2026-11-27T07%3A45%3A30.000Z&limit=200"


def _interrupt_third_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", sleep)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["traces", "--since", "yesterday"], "must be a time ago such as 30m, 2h or 7d, or ISO 8601"),
        (["traces", "--since", "999999w"], "must be a time ago such as 30m, 2h or 7d, or ISO 8601"),
        (["traces", "--follow", "--json"], "pass only one of --follow and --json"),
        (["traces", "--follow", "--until", "1h"], "pass only one of --follow and --until"),
        (["traces", "--rating", "good"], "'good' is not one of 'up', 'down'"),
        (["trace", "r-1", "--comment", "why"], "--comment belongs to --feedback"),
    ],
)
def test_wrong_options_are_usage_errors(arguments: Sequence[str], problem: str, flexchat: Flexchat) -> None:
    service = flexchat.serve()

    code, _, errors = flexchat.type(*arguments)

    assert code == 2
    assert problem in " ".join(errors.split())
    assert service.requests == []


def test_a_trace_is_a_waterfall_below_its_facts(flexchat: Flexchat) -> None:
    service = flexchat.serve(TRACE)

    code, printed, _ = flexchat.type("trace", "r-1", columns=160)

    assert code == 0
    assert printed.splitlines() == [
        "✓ answered  r-1",
        "time           2026-11-27 08:00:00 UTC, 29 s ago",
        "duration       1.0 s, first token after 310 ms",
        "caller         tok1 by chat, streamed, session s1, turn 3",
        "model          openai:gpt-4o instead of ollama:qwen3",
        "rule           fallback",
        "configuration  9f2c",
        "tokens         1,200 + 30 tokens (1,000 cached) · $0.0021 · 2 model calls, 1 tool call",
        "rated down     by tok1 on 2026-11-27 08:05:00: too late",
        "message        15% of",
        "               45?",
        "",
        (
            "  0 ms  500 ms  ━━━━━━━━━━━━              ✓  model openai:gpt-4o  "
            "iteration 1, 600 + 20 tokens (5 reasoning), $0.001, tool_calls, 1 retry"
        ),
        (
            "500 ms  250 ms              ━━━━━━        ✗  tool fetch           "
            "execution_failed, HTTP 503, iteration 1, 2 retries, 240 ms in its function"
        ),
        (
            "750 ms  250 ms                    ━━━━━━  ✓  model openai:gpt-4o  "
            "iteration 2, 600 + 20 tokens (5 reasoning), ?, stop, instead of ollama:qwen3"
        ),
        (
            "! model openai:gpt-4o: an attempt failed: overloaded, HTTP 503, after 120 ms, repeated 500 ms later, "
            "request req-1, the server is busy"
        ),
        "✗ tool fetch: The API answered with HTTP 503",
        "! the schema of fetch was changed",
    ]
    assert service.requests == [SentRequest("GET", "/api/traces/r-1")]


def test_the_error_of_a_chat_has_its_type_status_and_text(flexchat: Flexchat) -> None:
    flexchat.serve({**TRACE, **FAILED, "spans": [], "limits": ["tokens per hour"], "demo": True})

    printed = flexchat.type("trace", "r-2")[1]

    assert printed.startswith("✗ ended with an error demo model  r-2\n")
    assert "error          model_timeout (HTTP 504): the provider did not answer in time\n" in printed
    assert "! limit reached: tokens per hour" in printed


@pytest.mark.parametrize(
    ("message", "attributes", "lines"),
    [
        ("the server is down", {}, ["✗ model openai:gpt-4o: the server is down"]),
        (
            "the server is down",
            {"provider_request_id": "req-9"},
            ["✗ model openai:gpt-4o: the server is down (request req-9 of the provider)"],
        ),
        (
            None,
            {"provider_request_id": "req-9"},
            ["✗ model openai:gpt-4o: server_error (request req-9 of the provider)"],
        ),
        (
            "the server is down",
            {"failed_attempts": [{"error": "network"}, {"error": "server_error", "status": 500}]},
            [
                "! model openai:gpt-4o: an attempt failed: network",
                "✗ model openai:gpt-4o: the server is down",
            ],
        ),
        ("down", {"failed_attempts": "many"}, ["✗ model openai:gpt-4o: down"]),
    ],
)
def test_a_failed_model_call_has_its_attempts_and_the_id_of_the_provider(
    flexchat: Flexchat, message: str | None, attributes: dict[str, Any], lines: list[str]
) -> None:
    failed = {**MODEL, "error": "server_error", "message": message, "attributes": {"http_status": 500, **attributes}}
    flexchat.serve({**TRACE, "spans": [failed], "warnings": []})

    printed = flexchat.type("trace", "r-1", columns=160)[1]

    assert printed.splitlines()[-len(lines) :] == lines
    assert "server_error, HTTP 500, iteration 1" in printed


def test_a_failed_tool_call_is_named_beside_the_outcome(flexchat: Flexchat) -> None:
    flexchat.serve({"traces": [{**SUMMARY, "failed": True}]}, {**TRACE, "failed": True})

    assert "✗ answered, a tool failed  " in flexchat.type("traces", columns=160)[1]
    assert flexchat.type("trace", "r-1")[1].startswith("✗ answered, a tool failed  r-1\n")


def test_content_has_each_message_once(flexchat: Flexchat) -> None:
    flexchat.serve(TRACE)

    printed = flexchat.type("trace", "r-1", "--content")[1]

    assert printed.partition("was changed\n")[2].splitlines() == [
        *("", "model openai:gpt-4o", "  system", "    Be brief.", "  user", "    15% of 45?"),
        *("  answer", "    ~ A percentage.", "    I compute.", '    → fetch {"expression": "15% of 45"}'),
        *("", "tool fetch", "  arguments", "    {", '      "expression": "15% of 45"', "    }"),
        *("  result", "    unavailable"),
        *("", "model openai:gpt-4o", "  2 messages as above", "  tool", "    unavailable", "    {"),
        *(
            '      "type": "image",',
            '      "size": 3',
            "    }",
            "  answer",
            "    6.75",
            "",
            "answer",
            "    It is 6.75.",
        ),
    ]


def test_a_trace_without_content_names_the_setting(flexchat: Flexchat) -> None:
    flexchat.serve({**TRACE, "has_content": False, "answer": "", "messages": []})

    printed = flexchat.type("trace", "r-1", "--content")[1]

    assert printed.endswith("no content is stored: `traces.content` of the configuration decides which chats have it")


def test_the_last_trace_is_that_of_the_newest_chat(flexchat: Flexchat) -> None:
    service = flexchat.serve({"traces": [SUMMARY], "cursor": "x"}, TRACE)

    assert flexchat.type("trace", "last")[0] == 0
    assert [request.target for request in service.requests] == ["/api/traces?limit=5", "/api/traces/r-1"]


def test_without_a_trace_the_last_one_is_an_error(flexchat: Flexchat) -> None:
    flexchat.serve({"traces": []})

    code, _, errors = flexchat.type("trace", "last")

    assert (code, errors) == (
        1,
        "https://chat.example has no traces for this token; start a chat: flexchat chat Hello",
    )


def test_json_is_the_unchanged_response_with_the_log_lines(flexchat: Flexchat) -> None:
    flexchat.serve(TRACE, {"lines": [LINE]})

    printed = flexchat.type("trace", "r-1", "--json", "--logs")[1]

    assert json.loads(printed) == {**TRACE, "lines": [LINE]}


def test_log_lines_are_printed_below_the_trace(flexchat: Flexchat) -> None:
    service = flexchat.serve(TRACE, {"lines": [LINE]})

    printed = flexchat.type("trace", "r-1", "--logs")[1]

    assert printed.endswith("\n\nlog\n2026-11-27T08:00:00.300Z INFO    chat-stream tool executed  tool=fetch success=0")
    assert service.requests[1] == SentRequest("GET", "/api/traces/r-1/logs")


def test_an_incomplete_search_of_log_lines_is_reported(flexchat: Flexchat) -> None:
    flexchat.serve(TRACE, {"lines": [LINE], "complete": False})

    printed = flexchat.type("trace", "r-1", "--logs")[1]

    assert printed.endswith("\nthe search was not complete; all lines: flexchat logs r-1 --stage STAGE")


def test_a_user_cannot_read_log_lines(flexchat: Flexchat) -> None:
    flexchat.serve(TRACE, FORBIDDEN)

    code, _, errors = flexchat.type("trace", "r-1", "--logs")

    assert code == 1
    assert errors.startswith("HTTP 403: this needs a token with the role 'operator'; create one with `flexchat tokens")


def test_an_unknown_id_is_an_error_with_its_causes(flexchat: Flexchat) -> None:
    service = flexchat.serve(NO_TRACE, {"traces": []})

    code, _, errors = flexchat.type("trace", "r/9")

    assert code == 1
    assert errors.splitlines() == [
        "https://chat.example has no trace 'r/9' for this token. Traces are stored at the end of chats, for the",
        "share in `traces.sample` of the configuration, and kept for `traces.days` days (7 by default).",
        "  list the stored ones: flexchat traces",
        "  its log lines: flexchat logs r/9 --stage STAGE",
    ]
    assert service.requests[0] == SentRequest("GET", "/api/traces/r%2F9")


@pytest.mark.parametrize(
    ("arguments", "answers"),
    [
        (["traces"], [NO_ROUTE]),
        (["usage"], [NO_ROUTE]),
        (["trace", "last"], [NO_ROUTE]),
        (["trace", "r-1"], [NO_ROUTE, NO_ROUTE]),
        (["trace", "r-1", "--feedback", "up"], [NO_ROUTE, NO_ROUTE]),
    ],
)
def test_a_service_without_the_routes_is_an_older_stage(
    arguments: Sequence[str], answers: list[Any], flexchat: Flexchat
) -> None:
    service = flexchat.serve(*answers)

    code, _, errors = flexchat.type(*arguments)

    assert (code, service.answers) == (1, [])
    assert errors.startswith("https://chat.example stores no traces: the stage is older than this command. `make ")


def test_the_named_default_is_that_of_the_configuration() -> None:
    assert TracesConfig().days == 7


def test_another_error_of_a_trace_is_printed_as_it_is(flexchat: Flexchat) -> None:
    flexchat.serve((503, {"error": "unavailable", "message": "the table does not answer", "request_id": "q"}))

    code, _, errors = flexchat.type("trace", "r-1")

    assert (code, errors) == (1, "HTTP 503: the table does not answer\n  request id: q (flexchat trace q)")


def test_a_rating_is_stored_with_its_comment(flexchat: Flexchat) -> None:
    service = flexchat.serve((201, {"rating": "down"}), (201, {"rating": "up"}))

    assert flexchat.type("trace", "r-1", "--feedback", "down", "--comment", "wrong")[:2] == (0, "r-1 is rated down")
    flexchat.type("trace", "r-1", "--feedback", "up")

    assert service.requests == [
        SentRequest("POST", "/api/runs/r-1/feedback", {"rating": "down", "comment": "wrong"}),
        SentRequest("POST", "/api/runs/r-1/feedback", {"rating": "up", "comment": ""}),
    ]


@pytest.mark.parametrize(("display", "opened"), [("", []), (":0", ["https://chat.example/runs/r-1"])])
def test_the_page_is_printed_and_opened_where_there_is_a_display(
    display: str, opened: list[str], flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = flexchat.serve()
    addresses: list[str] = []
    monkeypatch.setattr(webbrowser, "open", addresses.append)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    if display:
        monkeypatch.setenv("DISPLAY", display)

    code, printed, _ = flexchat.type("trace", "r-1", "--open")

    assert (code, printed, service.requests) == (0, "https://chat.example/runs/r-1", [])
    assert addresses == opened


FAILURE: dict[str, Any] = {
    "code": "execution_failed",
    "title": "The tool failed",
    "message": "The API answered with HTTP 503",
    "span_id": "b" * 16,
    "advice": "`flexchat tools try fetch` calls it without a model and shows its requests and responses. " * 2,
}


def test_a_failure_has_its_step_its_message_and_what_to_do(flexchat: Flexchat) -> None:
    flexchat.serve({**TRACE, "failed": True, "failures": [FAILURE]})

    printed = flexchat.type("trace", "r-1", columns=80)[1]

    assert printed.partition("\n\n")[2].partition("\n\n")[0].splitlines() == [
        "failed tool calls",
        "✗ The tool failed (execution_failed)",
        "  in tool fetch, iteration 1",
        "  The API answered with HTTP 503",
        f"  {FAILURE['advice'].strip()}",
    ]
    assert "✗ tool fetch:" not in printed


def test_the_waterfall_fits_a_terminal_of_80_columns_with_its_bars(flexchat: Flexchat) -> None:
    flexchat.serve(TRACE)

    printed = flexchat.type("trace", "r-1", columns=80, terminal=True)[1]

    rows = printed.partition("\n\n")[2].splitlines()
    assert rows[:4] == [
        "  0 ms  500 ms  ━━━━━━━━━━            ✓  model openai:gpt-4o",
        "                                         iteration 1, 600 + 20 tokens (5",
        "                                         reasoning), $0.001, tool_calls, 1 retry",
        "500 ms  250 ms            ━━━━━       ✗  tool fetch",
    ]
    assert max(len(row) for row in rows if not row.startswith(("!", "✗"))) <= 80  # messages are for copying


def test_a_pipe_gets_the_steps_and_facts_in_whole_lines(flexchat: Flexchat) -> None:
    flexchat.serve(TRACE)
    whole = flexchat.type("trace", "r-1", columns=200)[1]
    flexchat.serve(TRACE)

    assert flexchat.type("trace", "r-1", columns=40)[1] == whole
