"""Rules that require validated models."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from botocore.exceptions import ClientError

from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.errors import ConfigError, ModelError, Problem
from flexchat.validation.records import ItemKey, Provenance, ValidationRecord
from tests.functional.chat.harness import (
    CALCULATE,
    Answer,
    Chat,
    InProcessLambdas,
    builtin_handler,
    configuration,
    serve,
)
from tests.functional.chat.scripted_provider import ScriptedProvider, Step, text_completion
from tests.unit.sessions.clients import Counting, FailingClient
from tests.unit.validation.harness import TABLE, Tracking, empty_table

pytestmark = pytest.mark.slow

OWN, SPARE, LAST = "openai:gpt-4o", "local:qwen3:8b", "claude:sonnet"


@pytest.fixture
def tracking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tracking]:
    with empty_table(monkeypatch) as client:
        yield Tracking(client)


def try_out(
    tracking: Tracking, model: str, *, passed: int = 0, failed: int = 0, provenance: Provenance = "real"
) -> None:
    for case in range(passed + failed):
        key = ItemKey("run", model, f"case-{case}")
        result = "passed" if case < passed else "failed"
        tracking.record(
            ValidationRecord(
                key, "default", "single", result, (), at=tracking.now, latency_ms=10, provenance=provenance
            )
        )


class Service:
    """Deployed service with one rule that requires validated models; an llm without a script cannot be created."""

    def __init__(
        self,
        dynamodb: Any,
        scripts: Mapping[str, Sequence[Step]],
        *,
        rule: Mapping[str, Any] | None = None,
        table: str = TABLE,
    ) -> None:
        wanted = {"fallbacks": [SPARE, LAST], "require_validated": True, **(rule or {})}
        config = configuration(tools=[CALCULATE], rule=wanted)
        config["llms"] = {"openai": {"type": "openai"}, "local": {"type": "ollama"}, "claude": {"type": "anthropic"}}
        catalog = Catalog(Configuration.model_validate(config), (), "1")
        self.now = 0.0
        self.models = {
            name: ScriptedProvider(list(script), name, catalog.configuration.llms[name].type)
            for name, script in scripts.items()
        }
        lambdas = InProcessLambdas({"builtin": builtin_handler})
        function = serve(
            lambdas,
            catalog=lambda: catalog,
            provider=self._provider,
            dynamodb=dynamodb,
            validation_table=table,
            clock=lambda: self.now,
        )
        self.chat = Chat(function, ScriptedProvider([]), lambdas)

    def _provider(self, name: str, config: LlmConfig) -> ScriptedProvider:
        if name not in self.models:
            raise ConfigError((Problem(f"llms.{name}.type", f"no adapter for {config.type!r}"),))
        return self.models[name]

    def send_chat(self) -> Answer:
        return self.chat.post({"message": "What is 2 + 3?"})


def answered_by(answer: Answer) -> tuple[int, str, Mapping[str, str] | None]:
    assert answer.status == 200, answer.body
    return answer.status, f"{answer.body['service']}:{answer.body['model']}", answer.body.get("fallback")


def throttled(tracking: Tracking, **when: int) -> FailingClient:
    error = ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "Query")
    return FailingClient(tracking.client, "query", error, **when)


def model_error(kind: Any = "overloaded") -> ModelError:
    return ModelError("because", type=kind, provider="any")


def instead(reason: str = "not_validated") -> dict[str, str]:
    return {"instead_of": OWN, "reason": reason}


def test_validated_primary_model_answers(tracking: Tracking) -> None:
    try_out(tracking, OWN, passed=4, failed=1)
    try_out(tracking, SPARE, passed=5)

    assert answered_by(Service(tracking.client, {"openai": [text_completion("5")]}).send_chat()) == (200, OWN, None)


@pytest.mark.parametrize(("passed", "failed"), [(0, 0), (3, 1), (0, 5)])
def test_first_validated_fallback_answers_and_is_reported(tracking: Tracking, passed: int, failed: int) -> None:
    try_out(tracking, OWN, passed=passed, failed=failed)
    try_out(tracking, SPARE, failed=1)
    try_out(tracking, LAST, passed=1)
    service = Service(tracking.client, {"openai": [], "local": [], "claude": [text_completion("5")]})

    assert answered_by(service.send_chat()) == (200, LAST, instead())


def test_failing_model_is_replaced_by_validated_fallbacks_only(tracking: Tracking) -> None:
    for model in (OWN, LAST):
        try_out(tracking, model, passed=1)
    service = Service(tracking.client, {"openai": [model_error()], "local": [], "claude": [text_completion("5")]})

    assert answered_by(service.send_chat()) == (200, LAST, instead("overloaded"))


def test_first_reason_is_reported(tracking: Tracking) -> None:
    for model in (SPARE, LAST):
        try_out(tracking, model, passed=1)
    service = Service(tracking.client, {"local": [model_error("rate_limit")], "claude": [text_completion("5")]})

    assert answered_by(service.send_chat()) == (200, LAST, instead())


def test_unusable_validated_fallback_is_skipped(tracking: Tracking, caplog: pytest.LogCaptureFixture) -> None:
    for model in (SPARE, LAST):
        try_out(tracking, model, passed=1)

    assert answered_by(Service(tracking.client, {"claude": [text_completion("5")]}).send_chat()) == (
        200,
        LAST,
        instead(),
    )
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING] == [
        "fallback rejected"
    ]


@pytest.mark.parametrize(("validated", "llm"), [((SPARE,), "local"), ((OWN, SPARE), "openai")])
def test_error_names_an_unusable_validated_model(tracking: Tracking, validated: tuple[str, ...], llm: str) -> None:
    for model in validated:
        try_out(tracking, model, passed=1)

    answer = Service(tracking.client, {}).send_chat()

    assert (answer.status, answer.body["error"]) == (500, "configuration")
    assert f"llms.{llm}.type: no adapter" in answer.body["message"]


def test_error_without_validated_models_has_the_command_to_validate(tracking: Tracking) -> None:
    try_out(tracking, SPARE, passed=3, failed=7)
    service = Service(tracking.client, {"openai": [], "local": []}, rule={"name": "sums", "fallbacks": [SPARE]})

    answer = service.send_chat()

    assert (answer.status, answer.body["error"]) == (500, "configuration")
    assert answer.body["message"] == (
        "the service is not configured to answer this: responses['sums'].require_validated: no model of this rule is "
        f"validated: {OWN} (untested), {SPARE} (passed 3 of 10); "
        f"run `flexchat validate run --model {OWN} --model {SPARE}`"
    )


def test_rule_rejects_chats_in_a_deployment_without_validation(tracking: Tracking) -> None:
    try_out(tracking, OWN, passed=5)

    answer = Service(tracking.client, {"openai": []}, table="").send_chat()

    assert (answer.status, answer.body["error"]) == (500, "configuration")
    assert f"{OWN} (untested)" in answer.body["message"]


def test_unread_validation_status_rejects_the_chat(tracking: Tracking) -> None:
    try_out(tracking, OWN, passed=5)
    service = Service(throttled(tracking, times=1), {"openai": [text_completion("5")]})

    refused = service.send_chat()

    assert (refused.status, refused.body["error"], refused.headers["retry-after"]) == (503, "unavailable", "2")
    assert answered_by(service.send_chat()) == (200, OWN, None), "the next chat tries again"


def test_validation_status_is_used_for_fifteen_minutes(tracking: Tracking) -> None:
    try_out(tracking, OWN, passed=5)
    service = Service(throttled(tracking, after=1), {"openai": [text_completion("5")] * 3})

    for now in (0, 60, 899):
        service.now = now
        assert answered_by(service.send_chat()) == (200, OWN, None)
    service.now = 900
    assert service.send_chat().status == 503


def test_model_that_lost_its_validation_is_not_called_a_minute_later(tracking: Tracking) -> None:
    try_out(tracking, OWN, passed=1)
    try_out(tracking, SPARE, passed=1)
    service = Service(tracking.client, {"openai": [text_completion("5")] * 2, "local": [text_completion("5")]})
    service.send_chat()
    tracking.record(ValidationRecord(ItemKey("later", OWN, "c"), "", None, "failed", (), tracking.now, 10))

    service.now = 59
    assert answered_by(service.send_chat()) == (200, OWN, None)
    service.now = 60
    assert answered_by(service.send_chat()) == (200, SPARE, instead())


def test_rule_without_the_requirement_reads_no_status(tracking: Tracking) -> None:
    counting = Counting(tracking.client, "query")
    service = Service(counting, {"openai": [text_completion("5")]}, rule={"require_validated": False})

    assert answered_by(service.send_chat()) == (200, OWN, None)
    assert counting.calls == 0


def test_match_names_the_validated_model(tracking: Tracking) -> None:
    try_out(tracking, SPARE, passed=5)
    service = Service(tracking.client, {"openai": [], "local": []})

    body = service.chat.post({"profile": {}}, path="/api/config/match", roles="operator").body

    assert (f"{body['llm']}:{body['model']}", body["fallback"]) == (SPARE, instead())


def test_tests_of_the_demo_model_validate_no_real_model(tracking: Tracking) -> None:
    try_out(tracking, OWN, passed=20, provenance="demo")
    service = Service(tracking.client, {"openai": []})

    body = service.chat.post({"profile": {}}, path="/api/config/match", roles="operator").body

    assert f"no model of this rule is validated: {OWN} (untested)" in body["problem"]


def test_match_reports_that_no_model_is_validated(tracking: Tracking) -> None:
    service = Service(tracking.client, {"openai": []})

    body = service.chat.post({"profile": {}}, path="/api/config/match", roles="operator").body

    assert "no model of this rule is validated" in body["problem"]
    assert (f"{body['llm']}:{body['model']}", "fallback" in body) == (OWN, False)


def test_match_fails_like_the_chat_without_a_readable_status(tracking: Tracking) -> None:
    service = Service(throttled(tracking), {"openai": []})

    answer = service.chat.post({"profile": {}}, path="/api/config/match", roles="operator")

    assert (answer.status, answer.body["error"]) == (503, "unavailable")
