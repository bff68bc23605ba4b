"""Moderation hooks over guarded sockets: verdicts, and servers that misbehave."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.errors import ConfigError
from flexchat.retry import Retry
from functions.chat.guardrails.base import GuardrailError, Verdict
from functions.chat.guardrails.http import MAX_RESPONSE_BYTES, HttpGuardrail
from tests.contract.http_wire.hostile_server import Exchange, HostileServer
from tests.contract.http_wire.misbehaviours import PATHS

JSON = "Content-Type: application/json"


NO_VERDICTS: list[Any] = [
    b"",
    b"{",
    b"[" * 10_000,
    [],
    "allow",
    {},
    {"action": "ALLOW"},
    {"action": "replace"},
    {"action": "allow", "policies": "all"},
    {"results": []},
    {"results": [{}]},
    {"results": [{"flagged": "no"}]},
    {"results": [{"flagged": False}, 1]},
]
"""Answers of neither form."""


class Hook:
    """Server of answers in turn, the last of which repeats."""

    def __init__(self, *answers: tuple[int, object]) -> None:
        self._answers = list(answers)

    def __call__(self, exchange: Exchange) -> None:
        status, body = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        exchange.answer(content, JSON, status=f"{status} Status")


@pytest.fixture
def server() -> Iterator[HostileServer]:
    with closing(HostileServer({**PATHS})) as server:
        yield server


def guardrail(server: HostileServer, path: str, **fields: Any) -> HttpGuardrail:
    config = GuardrailConfig.model_validate({"type": "http", "url": server.url(path), **fields})
    retry = Retry(max_retries=config.max_retries, sleep=lambda _seconds: None)
    return HttpGuardrail("hook", config, egress=EgressPolicy(local=True), retry=retry)


def verdict_of(server: HostileServer, answer: object, *, status: int = 200, **fields: Any) -> Verdict:
    server.paths["/hook"] = Hook((status, answer))
    return guardrail(server, "/hook", **fields).check("some text", "input", deadline=Deadline.after(10))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"action": "allow"}, Verdict(action="allowed")),
        (
            {"action": "block", "policies": ["hate", "hate", 3], "message": "Not here."},
            Verdict(action="blocked", policies=("hate",), message="Not here."),
        ),
        (
            {"action": "replace", "text": "some ***", "policies": ["pii"]},
            Verdict(action="masked", text="some ***", policies=("pii",)),
        ),
    ],
)
def test_the_own_contract_has_three_verdicts(server: HostileServer, answer: object, expected: Verdict) -> None:
    assert verdict_of(server, answer) == expected
    (request,) = server.requests
    assert (request.method, json.loads(request.body)) == ("POST", {"text": "some text", "source": "input"})


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([{"flagged": False, "categories": {"hate": False}}], Verdict(action="allowed")),
        (
            [{"flagged": True, "categories": {"hate": True, "violence": False, "self-harm": True}}],
            Verdict(action="blocked", policies=("hate", "self-harm")),
        ),
        ([{"flagged": False}, {"flagged": True}], Verdict(action="blocked")),
    ],
)
def test_moderations_of_openai_block_a_flagged_text(
    server: HostileServer, results: list[Any], expected: Verdict
) -> None:
    verdict = verdict_of(server, {"results": results}, format="openai_moderation", model="omni-moderation-latest")

    assert verdict == expected
    assert json.loads(server.requests[0].body) == {"input": "some text", "model": "omni-moderation-latest"}


@pytest.mark.parametrize("format", ["flexchat", "openai_moderation"])
@pytest.mark.parametrize("answer", NO_VERDICTS)
def test_another_answer_is_no_verdict(server: HostileServer, answer: object, format: str) -> None:
    with pytest.raises(GuardrailError, match="invalid_response"):
        verdict_of(server, answer, format=format)
    assert len(server.requests) == 1


def test_headers_have_the_secrets_of_the_entry(server: HostileServer) -> None:
    verdict_of(server, {"action": "allow"}, headers={"Authorization": "Bearer hook-key"})

    assert server.requests[0].headers["authorization"] == "Bearer hook-key"


@pytest.mark.parametrize(("status", "type"), [(500, "unavailable"), (503, "unavailable"), (429, "throttled")])
def test_a_transient_failure_is_retried(server: HostileServer, status: int, type: str) -> None:
    server.paths["/hook"] = Hook((status, {}), (200, {"action": "block"}))
    assert guardrail(server, "/hook").check("x", "output", deadline=Deadline.after(10)).action == "blocked"

    with pytest.raises(GuardrailError) as failure:
        verdict_of(server, {"secret": "in the body"}, status=status, max_retries=1)
    assert (failure.value.type, failure.value.status, len(server.requests)) == (type, status, 4)
    assert "secret" not in str(failure.value)


@pytest.mark.parametrize("status", [301, 400, 401, 404])
def test_a_refusal_is_not_retried(server: HostileServer, status: int) -> None:
    with pytest.raises(GuardrailError, match=f"refused \\(HTTP {status}\\)"):
        verdict_of(server, {}, status=status)
    assert len(server.requests) == 1


@pytest.mark.parametrize("path", ["/endless", "/gzip_bomb", "/broken_gzip", "/other_coding"])
def test_a_body_that_cannot_be_read_is_no_verdict(server: HostileServer, path: str) -> None:
    with pytest.raises(GuardrailError, match="invalid_response"):
        guardrail(server, path).check("x", "input", deadline=Deadline.after(20))
    assert len(server.requests) == 1


@pytest.mark.parametrize("path", ["/slow_body", "/slow_headers"])
def test_a_slow_answer_ends_at_the_deadline(server: HostileServer, path: str) -> None:
    with pytest.raises(GuardrailError, match="timeout"):
        guardrail(server, path, max_retries=0).check("x", "input", deadline=Deadline.after(0.3))


def test_an_answer_of_the_largest_size_is_read(server: HostileServer) -> None:
    text = "x" * (MAX_RESPONSE_BYTES - 100)

    assert verdict_of(server, {"action": "replace", "text": text}).text == text
    with pytest.raises(GuardrailError, match="invalid_response"):
        verdict_of(server, {"action": "replace", "text": text + "x" * 200})


def test_a_text_with_an_unpaired_surrogate_is_sent(server: HostileServer) -> None:
    server.paths["/hook"] = Hook((200, {"action": "allow"}))
    guardrail(server, "/hook").check("a \ud83d b", "input", deadline=Deadline.after(10))

    assert json.loads(server.requests[0].body)["text"] == "a ? b"


def test_a_server_that_is_gone_is_unavailable(server: HostileServer) -> None:
    hook = guardrail(server, "/hook", max_retries=0)
    server.close()

    with pytest.raises(GuardrailError, match="unavailable"):
        hook.check("x", "input", deadline=Deadline.after(5))


@pytest.mark.parametrize(
    ("url", "policy", "problem"),
    [
        ("https://127.0.0.1/hook", PUBLIC, "is an address of this machine"),
        ("http://hook.example.com", PUBLIC, "must begin with 'https://'"),
        ("https://169.254.169.254/latest", PUBLIC, "public IP address"),
        ("https://hook.example.com", EgressPolicy(allowed_hosts=frozenset({"other.example.com"})), "allowed hosts"),
    ],
)
def test_an_address_outside_of_the_rules_is_refused(url: str, policy: EgressPolicy, problem: str) -> None:
    config = GuardrailConfig.model_validate({"type": "http", "url": url})

    with pytest.raises(ConfigError, match=problem):
        HttpGuardrail("hook", config, egress=policy)


def test_a_header_that_cannot_be_sent_is_refused() -> None:
    config = GuardrailConfig.model_validate(
        {"type": "http", "url": "https://hook.example.com", "headers": {"X-Key": "a\nb"}}
    )

    with pytest.raises(ConfigError, match=r"guardrails\.hook\.headers"):
        HttpGuardrail("hook", config)
