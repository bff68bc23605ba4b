"""Guardrail at an HTTP address: a moderation hook with its own contract, or in the form of OpenAI's moderations."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import httpx2

from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.error_bodies import BodyTooLargeError
from flexchat.errors import ConfigError, Problem
from flexchat.http_client import BoundedHttpClient, HttpRequestError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.retry import RETRIED_STATUS, Retry, retry_after_seconds
from functions.chat.guardrails.base import (
    GuardrailError,
    TextSource,
    TransientGuardrailError,
    Verdict,
    policy_names,
)

MAX_RESPONSE_BYTES: Final = 262_144
"""Largest response of a hook: a text of 25,000 characters, escaped, with its policies."""


class HttpGuardrail:
    """Client of one hook, whose secrets are resolved; connections are made by the rules of `egress`.

    Raises ConfigError for an address or a header that cannot be used.
    """

    def __init__(
        self,
        name: str,
        config: GuardrailConfig,
        *,
        egress: EgressPolicy = PUBLIC,
        retry: Retry | None = None,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self._url = config.url or ""
        if transport is None and (problem := egress.address_problem(self._url)) is not None:
            raise ConfigError((Problem(f"guardrails.{name}.url", problem),))
        self._name = name
        self._config = config
        self._retry = retry or Retry(max_retries=config.max_retries, base=0.2, cap=2.0)
        try:
            self._client = BoundedHttpClient(headers=config.headers, egress=egress, transport=transport)
        except HttpRequestError as exc:
            message = "must be headers of printable ASCII on one line"
            raise ConfigError((Problem(f"guardrails.{name}.headers", message),)) from exc

    def check(self, text: str, source: TextSource, *, deadline: Deadline) -> Verdict:
        """Return the verdict of the hook. Raises GuardrailError."""
        body = dumps(self._request(text, source)).encode(errors="replace")
        return self._retry.run(
            lambda: self._attempt(body, deadline),
            transient=TransientGuardrailError,
            deadline=deadline,
            service=f"guardrail {self._name}",
        )

    def _request(self, text: str, source: TextSource) -> dict[str, Json]:
        if self._config.format == "flexchat":
            return {"text": text, "source": source}
        model = self._config.model
        return {"input": text, **({} if model is None else {"model": model})}

    def _attempt(self, body: bytes, due: Deadline) -> Verdict:
        if due.expired:
            raise GuardrailError("timeout")
        try:
            response = self._client.send(
                "POST", self._url, body, seconds=due.remaining(), due=due, max_bytes=MAX_RESPONSE_BYTES
            )
        except HttpRequestError as exc:
            raise _unanswered(exc) from exc
        except BodyTooLargeError as exc:
            raise GuardrailError("invalid_response") from exc
        if not response.is_success:
            raise _refused(response.status, response.headers)
        try:
            answer = safe_loads(response.body, max_bytes=MAX_RESPONSE_BYTES)
        except JsonError as exc:
            raise GuardrailError("invalid_response") from exc
        read = _own_verdict if self._config.format == "flexchat" else _moderation_verdict
        verdict = read(answer) if isinstance(answer, dict) else None
        if verdict is None:
            raise GuardrailError("invalid_response")
        return verdict


def _unanswered(exc: HttpRequestError) -> GuardrailError:
    match exc.failure:
        case "timeout":
            return TransientGuardrailError("timeout")
        case "unreachable" | "broken":
            return TransientGuardrailError("unavailable")
        case "undecodable" | "compressed":
            return GuardrailError("invalid_response")
        case "refused" | "invalid_address":
            return GuardrailError("refused")


def _refused(status: int, headers: Mapping[str, str]) -> GuardrailError:
    """Return the error of a response without success."""
    if status not in RETRIED_STATUS:
        return GuardrailError("refused", status=status)
    is_throttled = status == HTTPStatus.TOO_MANY_REQUESTS
    error = TransientGuardrailError("throttled" if is_throttled else "unavailable", status=status)
    error.retry_after = retry_after_seconds(headers.get("retry-after"))
    return error


def _own_verdict(answer: Mapping[str, Json]) -> Verdict | None:
    """Return the verdict of `{action, text, policies, message}`; None for another form."""
    named = answer.get("policies", [])
    text, message = answer.get("text"), answer.get("message", "")
    if not isinstance(named, list) or not isinstance(message, str):
        return None
    policies = policy_names(named)
    match answer.get("action"):
        case "allow":
            return Verdict(action="allowed")
        case "block":
            return Verdict(action="blocked", policies=policies, message=message)
        case "replace" if isinstance(text, str):
            return Verdict(action="masked", text=text, policies=policies)
        case _:
            return None


def _moderation_verdict(answer: Mapping[str, Json]) -> Verdict | None:
    """Return the verdict of `{results: [{flagged, categories}]}`; None for another form."""
    results = answer.get("results")
    if not isinstance(results, list) or not results:
        return None
    flagged = False
    names: list[str] = []
    for result in results:
        if not isinstance(result, dict) or not isinstance(result.get("flagged"), bool):
            return None
        categories = result.get("categories")
        if result["flagged"]:
            flagged = True
            found = categories.items() if isinstance(categories, dict) else ()
            names += [name for name, is_flagged in found if is_flagged is True]
    return Verdict(action="blocked", policies=policy_names(names)) if flagged else Verdict(action="allowed")
