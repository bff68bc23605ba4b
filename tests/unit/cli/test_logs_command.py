"""Log lines of a stage from CloudWatch Logs."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError, NoCredentialsError

from cli.aws.logs import LogSelection, StageLogs, function_names
from cli.errors import DeploymentError
from cli.layout import Layout
from flexchat.api.traces import LogLine
from tests.unit.cli.command_runner import Flexchat

BEGUN = datetime(2026, 11, 27, 8, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def event(text: str, at: datetime = BEGUN, **fields: Any) -> dict[str, Any]:
    return {"timestamp": int(at.timestamp() * 1000), "message": text, **fields}


def line(message: str, at: datetime = BEGUN, *, level: str = "INFO", **facts: Any) -> dict[str, Any]:
    facts = {"level": level, "message": message, "timestamp": at.isoformat(), "request_id": "r-1", **facts}
    return event(json.dumps({"service": "chat", "location": "handler:1", **facts}), at)


def refused(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "no"}}, "FilterLogEvents")


class FakeLogs:
    """Log groups of a stage by function, one event a page; a group with an error raises it."""

    def __init__(self, **groups: list[dict[str, Any]] | Exception) -> None:
        self.groups = {name.replace("_", "-"): group for name, group in groups.items()}
        self.requests: list[dict[str, Any]] = []

    def filter_log_events(self, **request: Any) -> dict[str, Any]:
        self.requests.append(request)
        group = self.groups.get(request["logGroupName"].removeprefix("/aws/lambda/flexchat-dev-"))
        if group is None:
            raise refused("ResourceNotFoundException")
        if isinstance(group, Exception):
            raise group
        found = [each for each in group if each["timestamp"] >= request["startTime"]]
        place = int(request.get("nextToken", "0"))
        following = {"nextToken": str(place + 1)} if place + 1 < len(found) else {}
        return {"events": found[place : place + 1], **following}


def reader(logs: FakeLogs, *functions: str, **selection: Any) -> StageLogs:
    return StageLogs("dev", LogSelection(functions or tuple(logs.groups), **selection), logs=logs)


def test_the_functions_are_those_with_a_log_group_in_the_template() -> None:
    assert {"chat", "chat-stream", "tool-http", "authorizer"} < set(function_names(Layout.here().template))


def test_lines_of_a_request_are_sorted_by_time_across_functions() -> None:
    logs = FakeLogs(
        chat_stream=[
            event("START RequestId: 1"),
            line("chat answered", BEGUN + 2 * SECOND, tools=["a"]),
            line("other", request_id="r-2", see="r-1"),
        ],
        tool_mock=[line("tool called", BEGUN + SECOND, level="WARN")],
    )

    assert reader(logs, request_id="r-1").read(BEGUN - SECOND) == [
        LogLine(
            at=BEGUN + SECOND,
            function="tool-mock",
            level="WARNING",
            message="tool called",
            fields={"request_id": "r-1"},
        ),
        LogLine(
            at=BEGUN + 2 * SECOND,
            function="chat-stream",
            level="INFO",
            message="chat answered",
            fields={"request_id": "r-1", "tools": ["a"]},
        ),
    ]
    assert {request["filterPattern"] for request in logs.requests} == {'"r-1"'}
    assert {request["startTime"] for request in logs.requests} == {int(BEGUN.timestamp() * 1000) - 1000}


def test_the_time_is_that_of_the_line_and_else_that_of_its_event() -> None:
    late = line("written", BEGUN) | {"timestamp": int((BEGUN + SECOND).timestamp() * 1000)}
    logs = FakeLogs(chat=[late, event("text of a library\n", BEGUN + 2 * SECOND)])

    assert [(each.at, each.message, each.level) for each in reader(logs).read(BEGUN)] == [
        (BEGUN, "written", "INFO"),
        (BEGUN + 2 * SECOND, "text of a library", "INFO"),
    ]


def test_metrics_and_lines_about_invocations_are_left_out_but_failed_ones_are_errors() -> None:
    report = {"type": "platform.report", "record": {"requestId": "1", "status": "success"}}
    timeout = {"type": "platform.report", "record": {"requestId": "2", "status": "timeout"}}
    texts = [
        json.dumps({"_aws": {}, "Chats": 1}),
        json.dumps({"type": "platform.start", "record": {"requestId": "1"}}),
        json.dumps(report),
        json.dumps(timeout),
        "REPORT RequestId: 1\tDuration: 3 ms",
        "END RequestId: 1",
        "[]",
    ]
    logs = FakeLogs(chat=[event(text) for text in texts])

    assert [(each.level, each.message, each.fields) for each in reader(logs).read(BEGUN)] == [
        ("ERROR", "platform.report", {"requestId": "2", "status": "timeout"}),
        ("INFO", "[]", {}),
    ]


def test_only_lines_of_the_level_and_above_are_read() -> None:
    logs = FakeLogs(
        chat=[line("a", level="INFO"), line("b", level="ERROR"), line("c", level="FATAL"), line("d", level="x")]
    )

    assert [each.message for each in reader(logs, level="WARNING").read(BEGUN)] == ["b", "c"]


def test_a_function_that_the_stage_lacks_has_no_lines() -> None:
    logs = FakeLogs(chat=[line("a")])

    assert [each.message for each in reader(logs, "chat-stream", "chat").read(BEGUN)] == ["a"]


def test_a_stage_without_any_group_is_an_error() -> None:
    with pytest.raises(DeploymentError) as raised:
        reader(FakeLogs(), "chat", "page").read(BEGUN)

    assert isinstance(raised.value.__cause__, ClientError)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (refused("AccessDeniedException"), "these credentials lack logs:FilterLogEvents (AccessDeniedException)"),
        (refused("ThrottlingException"), "AWS limits the rate of FilterLogEvents (ThrottlingException): try again"),
        (NoCredentialsError(), "no AWS credentials were found"),
    ],
)
def test_a_refused_request_is_an_error_with_the_remedy(error: Exception, message: str) -> None:
    with pytest.raises(DeploymentError) as raised:
        reader(FakeLogs(chat=error)).read(BEGUN)

    assert str(raised.value).startswith(message)


def test_followed_lines_are_printed_once_and_late_ones_too() -> None:
    first, second = line("first", BEGUN), line("second", BEGUN + 20 * SECOND)
    late = line("late", BEGUN + 10 * SECOND)
    group = [first]
    logs = FakeLogs(chat=group)
    added = [[second], [late], []]

    def sleep(_: float) -> None:
        if not added:
            raise KeyboardInterrupt
        group[:] = sorted([*group, *added.pop(0)], key=lambda each: each["timestamp"])

    printed: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        printed.extend(each.message for each in reader(logs).follow(BEGUN, sleep=sleep))

    assert printed == ["first", "second", "late"]
    starts = list(dict.fromkeys(request["startTime"] for request in logs.requests))
    begun = int(BEGUN.timestamp() * 1000)
    assert starts == [begun, begun + 5_000]


@pytest.fixture
def fake_logs(monkeypatch: pytest.MonkeyPatch) -> FakeLogs:
    """Logs of the stage `dev`, which answer the AWS clients of this process."""
    logs = FakeLogs(chat=[line("chat answered", model="m")], authorizer=[line("token refused", request_id="r-2")])

    def call(_client: object, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        assert operation == "FilterLogEvents"
        return logs.filter_log_events(**request)

    monkeypatch.setattr("botocore.client.BaseClient._make_api_call", call)
    monkeypatch.setattr("time.time", lambda: (BEGUN + 60 * SECOND).timestamp())
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    return logs


def test_lines_of_all_functions_have_one_form(flexchat: Flexchat, fake_logs: FakeLogs) -> None:
    code, printed, errors = flexchat.type("logs", "--stage", "dev", options=())

    assert (code, errors) == (0, "")
    assert printed.splitlines() == [
        "2026-11-27T08:00:00.000Z INFO    chat chat answered  request_id=r-1 model=m",
        "2026-11-27T08:00:00.000Z INFO    authorizer token refused  request_id=r-2",
    ]


def test_the_id_of_the_request_is_left_out_of_its_own_lines(flexchat: Flexchat, fake_logs: FakeLogs) -> None:
    printed = flexchat.type("logs", "r-1", "--function", "chat", "--stage", "dev", options=())[1]

    assert printed == "2026-11-27T08:00:00.000Z INFO    chat chat answered  model=m"
    assert {request["logGroupName"] for request in fake_logs.requests} == {"/aws/lambda/flexchat-dev-chat"}


def test_no_lines_are_reported_with_the_command_for_a_longer_time(flexchat: Flexchat, fake_logs: FakeLogs) -> None:
    code, printed, errors = flexchat.type("logs", "r-9", "--stage", "dev", options=())

    assert (code, printed) == (0, "")
    assert errors == (
        "no log lines of the request r-9 since 2026-11-26 08:01:00 UTC; "
        "search a longer time: flexchat logs r-9 --stage dev --since 7d"
    )


def test_an_interrupt_ends_following(flexchat: Flexchat, fake_logs: FakeLogs, monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", sleep)

    code, printed, _ = flexchat.type("logs", "--follow", "--level", "info", "--stage", "dev", options=())

    assert (code, len(printed.splitlines())) == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["--level", "LOUD"], 2, "must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL, not 'LOUD'"),
        (["--since", "soon"], 2, "must be a time ago such as 30m, 2h or 7d"),
        (["--function", "chta"], 1, "template.yaml has no function 'chta'; it has: 'chat'"),
        (["--stage", "Dev"], 2, "must be 1 to 25 of a-z, 0-9 and -"),
    ],
)
def test_wrong_options_are_errors(arguments: list[str], code: int, problem: str, flexchat: Flexchat) -> None:
    found, _, errors = flexchat.type("logs", "--stage", "dev", *arguments, options=())

    assert found == code
    assert problem in " ".join(errors.split())
