"""Guardrails of Amazon Bedrock: requests and responses of ApplyGuardrail at botocore's socket."""

from collections.abc import Mapping
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.deadline import Deadline
from flexchat.retry import Retry
from functions.chat.guardrails.aws.bedrock import BedrockGuardrail
from functions.chat.guardrails.base import GuardrailError, Verdict
from tests.contract.aws_answers import AwsAnswer, AwsRequest, answering, in_turn, refusal

CANARY = "canary-4f1d"
USAGE = {
    "topicPolicyUnits": 1,
    "contentPolicyUnits": 1,
    "wordPolicyUnits": 1,
    "sensitiveInformationPolicyUnits": 1,
    "sensitiveInformationPolicyFreeUnits": 1,
    "contextualGroundingPolicyUnits": 0,
}
TOPIC = {"topicPolicy": {"topics": [{"name": "Investment advice", "type": "DENY", "action": "BLOCKED"}]}}
CONTENT = {"contentPolicy": {"filters": [{"type": "HATE", "confidence": "HIGH", "action": "BLOCKED"}]}}
WORD = {
    "wordPolicy": {
        "customWords": [{"match": CANARY, "action": "BLOCKED"}],
        "managedWordLists": [{"match": CANARY, "type": "PROFANITY", "action": "BLOCKED"}],
    }
}
PII = {
    "sensitiveInformationPolicy": {
        "piiEntities": [{"match": f"{CANARY}@example.com", "type": "EMAIL", "action": "ANONYMIZED"}],
        "regexes": [{"name": "ticket", "match": CANARY, "regex": "x", "action": "ANONYMIZED"}],
    }
}
BLOCKED_PII = {"sensitiveInformationPolicy": {"piiEntities": [{"match": CANARY, "type": "PIN", "action": "BLOCKED"}]}}
DETECTED = {"contentPolicy": {"filters": [{"type": "INSULTS", "confidence": "LOW", "action": "NONE"}]}}


def intervened(*assessments: Mapping[str, Any], text: str = "Sorry.") -> AwsAnswer:
    outputs: list[dict[str, str]] = [{"text": text}] if text else []
    body: dict[str, object] = {
        "usage": USAGE,
        "action": "GUARDRAIL_INTERVENED",
        "outputs": outputs,
        "assessments": [*assessments],
    }
    return AwsAnswer(body)


NO_FINDINGS: dict[str, Any] = {"usage": USAGE, "action": "NONE", "outputs": [], "assessments": [{}]}
PASSED = AwsAnswer(NO_FINDINGS)


def guardrail(*answers: AwsAnswer, retries: int = 2, **fields: Any) -> tuple[BedrockGuardrail, list[AwsRequest]]:
    config = GuardrailConfig.model_validate(
        {"type": "bedrock", "guardrail_id": "abc123", "guardrail_version": "2", **fields}
    )
    answer, received = in_turn(*answers)
    session: Any = answering("bedrock-runtime.ApplyGuardrail", answer)
    client = session.client("bedrock-runtime")
    retry = Retry(max_retries=retries, sleep=lambda _seconds: None)
    # botocore's own retries are off in the client of the function
    client.meta.events.unregister("needs-retry.bedrock-runtime", unique_id="retry-config-bedrock-runtime")
    return BedrockGuardrail("pii", config, retry=retry, client=client), received


def check(client: BedrockGuardrail, text: str = "hello") -> Verdict:
    return client.check(text, "output", deadline=Deadline.after(30))


def test_the_request_names_the_guardrail_its_version_and_the_source() -> None:
    client, (received) = guardrail(PASSED)

    assert check(client, "a \ud83d b") == Verdict(action="allowed", units=3)
    assert received[0].url.endswith("/guardrail/abc123/version/2/apply")
    assert received[0].body == {"source": "OUTPUT", "content": [{"text": {"text": "a ? b"}}]}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            intervened(TOPIC),
            Verdict(action="blocked", policies=("topic:Investment advice",), units=3, message="Sorry."),
        ),
        (intervened(CONTENT), Verdict(action="blocked", policies=("content:HATE",), units=3, message="Sorry.")),
        (intervened(WORD), Verdict(action="blocked", policies=("word", "word:PROFANITY"), units=3, message="Sorry.")),
        (
            intervened(PII, text="Mail {EMAIL}."),
            Verdict(action="masked", text="Mail {EMAIL}.", policies=("pii:EMAIL", "regex:ticket"), units=3),
        ),
        (
            intervened({**PII, **TOPIC}),
            Verdict(
                action="blocked",
                policies=("topic:Investment advice", "pii:EMAIL", "regex:ticket"),
                units=3,
                message="Sorry.",
            ),
        ),
        (intervened(BLOCKED_PII), Verdict(action="blocked", policies=("pii:PIN",), units=3, message="Sorry.")),
        (intervened(DETECTED), Verdict(action="blocked", units=3, message="Sorry.")),
        (intervened(), Verdict(action="blocked", units=3, message="Sorry.")),
        (intervened(TOPIC, text=""), Verdict(action="blocked", policies=("topic:Investment advice",), units=3)),
    ],
)
def test_an_intervention_masks_or_blocks_and_names_its_policies(answer: AwsAnswer, expected: Verdict) -> None:
    verdict = check(guardrail(answer)[0])

    assert verdict == expected
    assert CANARY not in repr(verdict)


@pytest.mark.parametrize(
    "body",
    [{}, {"action": "OTHER", "outputs": []}, {"action": "GUARDRAIL_INTERVENED", "outputs": [], "assessments": [PII]}],
)
def test_a_response_without_a_verdict_is_invalid(body: dict[str, Any]) -> None:
    with pytest.raises(GuardrailError, match="invalid_response"):
        check(guardrail(AwsAnswer(body))[0])


@pytest.mark.parametrize(
    ("code", "status", "type"),
    [
        ("ThrottlingException", 429, "throttled"),
        ("ServiceUnavailableException", 503, "unavailable"),
        ("InternalServerException", 500, "unavailable"),
    ],
)
def test_a_transient_refusal_is_retried(code: str, status: int, type: str) -> None:
    client, received = guardrail(refusal(code, status=status), PASSED)
    assert (check(client).action, len(received)) == ("allowed", 2)

    client, received = guardrail(*[refusal(code, CANARY, status=status)] * 3)
    with pytest.raises(GuardrailError) as failure:
        check(client)
    assert (failure.value.type, failure.value.status, len(received)) == (type, status, 3)
    assert CANARY not in str(failure.value)


@pytest.mark.parametrize(
    ("code", "status"),
    [("AccessDeniedException", 403), ("ResourceNotFoundException", 404), ("ValidationException", 400)],
)
def test_another_refusal_is_not_retried(code: str, status: int) -> None:
    client, received = guardrail(refusal(code, status=status))

    with pytest.raises(GuardrailError, match="refused"):
        check(client)
    assert len(received) == 1


def test_a_socket_without_an_answer_is_unavailable() -> None:
    fault = ReadTimeoutError(endpoint_url=f"https://{CANARY}.example")
    client, _ = guardrail(*[AwsAnswer(fault=fault)] * 2, retries=1)

    with pytest.raises(GuardrailError, match=r"^unavailable$"):
        check(client)


def test_no_request_is_sent_after_the_deadline() -> None:
    client, received = guardrail(PASSED)

    with pytest.raises(GuardrailError, match="timeout"):
        client.check("x", "input", deadline=Deadline.after(-1))
    assert received == []
