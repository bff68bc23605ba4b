"""Guardrail of Amazon Bedrock, by its operation ApplyGuardrail.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ApplyGuardrail.html
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from botocore.exceptions import BotoCoreError, ClientError, NoRegionError

from flexchat.aws.clients import create_client
from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.deadline import Deadline, call_with_timeout
from flexchat.errors import ConfigError, Problem
from flexchat.retry import Retry
from functions.chat.guardrails.base import (
    GuardrailError,
    TextSource,
    TransientGuardrailError,
    Verdict,
    policy_names,
)

_TRANSIENT: Final = frozenset({"InternalServerException", "ServiceUnavailableException", "RequestTimeoutException"})
_THROTTLED: Final = frozenset({"ThrottlingException", "TooManyRequestsException"})

_CHARGED: Final = (
    "topicPolicyUnits",
    "contentPolicyUnits",
    "sensitiveInformationPolicyUnits",
    "contextualGroundingPolicyUnits",
    "automatedReasoningPolicyUnits",
)
"""Text units of the policies that are charged; words and regular expressions are free."""

_POLICIES: Final = (
    ("topicPolicy", "topics", "topic", "name"),
    ("contentPolicy", "filters", "content", "type"),
    ("wordPolicy", "customWords", "word", None),
    ("wordPolicy", "managedWordLists", "word", "type"),
    ("sensitiveInformationPolicy", "piiEntities", "pii", "type"),
    ("sensitiveInformationPolicy", "regexes", "regex", "name"),
    ("contextualGroundingPolicy", "filters", "grounding", "type"),
)
"""Policy, list of its findings, and kind and field of their name. The field `match` has a part of the text."""


class BedrockGuardrail:
    """Client of one guardrail; `client` takes the place of the one of its region.

    Raises ConfigError without a region.
    """

    def __init__(self, name: str, config: GuardrailConfig, *, retry: Retry | None = None, client: Any = None) -> None:
        self._name = name
        self._config = config
        self._retry = retry or Retry(max_retries=config.max_retries, base=0.2, cap=2.0)
        self._client = client or _client(name, config)

    def check(self, text: str, source: TextSource, *, deadline: Deadline) -> Verdict:
        """Return the verdict of the guardrail. Raises GuardrailError."""
        request: dict[str, Any] = {
            "guardrailIdentifier": self._config.guardrail_id,
            "guardrailVersion": self._config.guardrail_version,
            "source": source.upper(),
            "content": [{"text": {"text": text.encode(errors="replace").decode()}}],
        }
        return self._retry.run(
            lambda: self._attempt(request, deadline),
            transient=TransientGuardrailError,
            deadline=deadline,
            service=f"guardrail {self._name}",
        )

    def _attempt(self, request: Mapping[str, Any], due: Deadline) -> Verdict:
        try:
            answer = call_with_timeout(due.remaining(), lambda: self._client.apply_guardrail(**request))
        except TimeoutError as exc:
            raise GuardrailError("timeout") from exc
        except ClientError as exc:
            raise _refused(exc) from exc
        except BotoCoreError as exc:
            raise TransientGuardrailError("unavailable") from exc
        return _verdict(answer)


def _client(name: str, config: GuardrailConfig) -> Any:
    try:
        return create_client(
            "bedrock-runtime",
            connect_timeout=2,
            read_timeout=config.timeout_ms / 1000,
            attempts=1,
            region_name=_region(config),
        )
    except NoRegionError as exc:
        message = "is required: the environment names no AWS region"
        raise ConfigError((Problem(f"guardrails.{name}.region", message),)) from exc


def _region(config: GuardrailConfig) -> str | None:
    """Return the region of a guardrail: its own, that of its ARN, or None for the environment's."""
    if config.region is None and (config.guardrail_id or "").startswith("arn:"):
        return str(config.guardrail_id).split(":")[3]
    return config.region


def _refused(exc: ClientError) -> GuardrailError:
    response = cast("Mapping[str, Any]", exc.response)
    code = response.get("Error", {}).get("Code", "")
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    if code in _THROTTLED:
        return TransientGuardrailError("throttled", status=status)
    if code in _TRANSIENT or (isinstance(status, int) and status >= 500):
        return TransientGuardrailError("unavailable", status=status)
    return GuardrailError("refused", status=status)


def _verdict(answer: Mapping[str, Any]) -> Verdict:
    """Return the verdict of a response: an intervention that blocked nothing has masked the text.

    Raises GuardrailError for a response without an action, or without the masked text.
    """
    units = _units(answer.get("usage"))
    action = answer.get("action")
    if action == "NONE":
        return Verdict(action="allowed", units=units)
    if action != "GUARDRAIL_INTERVENED":
        raise GuardrailError("invalid_response")
    findings = list(_findings(answer.get("assessments")))
    policies = policy_names(name for name, effect in findings if effect not in ("NONE", None))
    text = "".join(output["text"] for output in answer.get("outputs") or () if isinstance(output.get("text"), str))
    effects = {effect for _, effect in findings} - {"NONE", None}
    if effects == {"ANONYMIZED"}:
        if not text:
            raise GuardrailError("invalid_response")
        return Verdict(action="masked", text=text, policies=policies, units=units)
    return Verdict(action="blocked", policies=policies, units=units, message=text)


def _findings(assessments: Any) -> Iterator[tuple[str, str | None]]:
    """Yield the name of each policy that found something, with its action."""
    for assessment in cast("Sequence[Mapping[str, Any]]", assessments or ()):
        for policy, listed, kind, field in _POLICIES:
            section = cast("Mapping[str, Any]", assessment.get(policy) or {})
            for found in cast("Sequence[Mapping[str, Any]]", section.get(listed) or ()):
                name = found.get(field) if field else None
                yield (f"{kind}:{name}" if name else kind), found.get("action")


def _units(usage: Any) -> int:
    units = cast("Mapping[str, Any]", usage or {})
    return sum(value for name in _CHARGED if isinstance(value := units.get(name), int))
