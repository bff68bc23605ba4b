"""Log of the requests of a model call: attempts, statuses, waits and the ids of the provider, plain and streamed."""

from collections.abc import Mapping, Sequence
from copy import replace

import pytest

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import user
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.request_log import FailedRequest, RequestLog
from tests.contract.wire_script import ErrorCase, Playback, Wire, WireAnswer, error_cases, exchanges, retry_policy
from tests.contract.wires import STREAMED_WIRES, WIRES

HEADERS: Mapping[ProviderType, str] = {
    "openai": "x-request-id",
    "anthropic": "request-id",
    "gemini": "x-goog-request-id",
    "bedrock": "x-amzn-requestid",
    "ollama": "x-request-id",  # of a proxy: Ollama sends none
}


def with_id(answer: WireAnswer, wire: Wire, id: str) -> WireAnswer:
    return answer.model_copy(update={"headers": {**answer.headers, HEADERS[wire.type]: id}})


def logged(wire: Wire, answers: Sequence[WireAnswer], *, retries: int = 0) -> tuple[RequestLog, ModelError | None]:
    """Return the log of one model call, and its error."""
    log, error = RequestLog(), None
    provider = wire.provider(Playback(answers), retry=retry_policy(retries, []), timeout_ms=60_000)
    try:
        provider.generate_chat([user("Hello")], wire.model, ChatOptions(Deadline.after(30), log=log))
    except ModelError as exc:
        error = exc
    return log, error


def untimed(log: RequestLog) -> list[FailedRequest]:
    return [replace(each, duration_ms=0) for each in log.failed]


def test_a_request_has_its_status_and_the_id_of_the_provider(wire: Wire) -> None:
    log, _ = logged(wire, [with_id(exchanges(wire, "plain_hello")[0].answer, wire, "req-1")])

    assert (log.sent, log.status, log.request_id, log.failed) == (1, 200, "req-1", [])


def test_a_provider_without_ids_leaves_none(wire: Wire) -> None:
    answer = exchanges(wire, "plain_hello")[0].answer.model_copy(update={"headers": {}})

    log, _ = logged(wire, [answer])

    assert (log.sent, log.status, log.request_id) == (1, 200, None)


@pytest.mark.parametrize(
    ("wire", "case"),
    [
        pytest.param(wire, case, id=f"{wire.type}-{way}-{case.name}")
        for way, wires in (("plain", WIRES), ("streamed", STREAMED_WIRES))
        for wire in wires
        for case in error_cases(wire.type)
        if case.answer.fault is None and (way == "plain" or case.is_error)
    ],
)
def test_each_error_of_a_provider_has_its_status_and_its_id(wire: Wire, case: ErrorCase) -> None:
    log, error = logged(wire, [with_id(case.answer, wire, "req-1")])

    assert error is not None
    assert (log.sent, log.status, log.request_id) == (1, case.answer.status, "req-1")
    assert untimed(log) == [
        FailedRequest(type=case.type, message=case.message, status=error.status, duration_ms=0, request_id="req-1")
    ]


def test_a_retry_has_the_reason_and_the_wait_of_the_failed_request(wire: Wire) -> None:
    failed, answered = (each.answer for each in exchanges(wire, "rate_limited_once"))

    log, _ = logged(wire, [with_id(failed, wire, "req-1"), with_id(answered, wire, "req-2")], retries=1)

    assert (log.sent, log.status, log.request_id) == (2, 200, "req-2")
    (first,) = log.failed
    assert (first.type, first.status, first.wait_ms, first.request_id) == ("rate_limit", 429, 3_000, "req-1")
    assert first.message


def test_a_request_without_a_response_has_neither_status_nor_id(wire: Wire) -> None:
    answered = exchanges(wire, "plain_hello")[0].answer
    refused = answered.model_copy(update={"fault": "no_connection", "status": 500})

    log, error = logged(wire, [with_id(answered, wire, "req-1").model_copy(update={"fault": "no_connection"})])
    again, _ = logged(wire, [refused, refused], retries=1)

    assert error is not None
    assert (log.sent, log.status, log.request_id) == (1, None, None)
    assert [(each.type, each.status, each.wait_ms) for each in again.failed] == [
        ("network", None, 500),
        ("network", None, None),
    ]


@pytest.mark.parametrize("wire", STREAMED_WIRES, ids=lambda wire: wire.type)
def test_a_stream_that_breaks_has_the_id_of_its_request(wire: Wire) -> None:
    cut = exchanges(wire, "plain_hello")[0].answer.model_copy(update={"fault": "cut"})

    log, error = logged(wire, [with_id(cut, wire, "req-1")])

    assert error is not None
    assert (log.status, log.request_id) == (200, "req-1")
    assert [(each.type, each.request_id) for each in log.failed] == [("network", "req-1")]


def test_the_id_of_a_request_is_cut(wire: Wire) -> None:
    log, _ = logged(wire, [with_id(exchanges(wire, "plain_hello")[0].answer, wire, "r" * 1_000)])

    assert log.request_id == "r" * 128
