"""Lambda authorizer of a REST API, invoked and cached as API Gateway does."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


class Lambda(Protocol):
    """Operation of Lambda's client that is used."""

    def invoke(self, **request: Any) -> Mapping[str, Any]: ...


@dataclass(slots=True)
class Authorizer:
    """Authorizer of the type TOKEN or REQUEST with the header `header`; `seconds` is the time of its cache.

    Without a cache, a request without the header reaches an authorizer of the type REQUEST.
    """

    client: Lambda
    function: str
    kind: str
    header: str
    seconds: float
    clock: Callable[[], float] = time.monotonic
    _cached: dict[str, tuple[float, Mapping[str, Any]]] = field(default_factory=dict[str, Any])

    async def context(self, event: Mapping[str, Any], method_arn: str) -> dict[str, str] | None:
        """Return the authorizer's context for a request; None if it is refused or the authorizer fails."""
        token = str(event["headers"].get(self.header, ""))
        if not token and (self.seconds or self.kind == "TOKEN"):
            return None
        expires, answer = self._cached.get(token, (0.0, {}))
        if expires <= self.clock():
            answer = await asyncio.to_thread(self._ask, event, token, method_arn)
            if self.seconds:
                self._cached[token] = (self.clock() + self.seconds, answer)
        if not allows(answer.get("policyDocument", {}), method_arn):
            return None
        context: Mapping[str, Any] = answer.get("context") or {}
        return {
            **{name: _text(value) for name, value in context.items() if value is not None},
            "principalId": str(answer.get("principalId", "")),
        }

    def _ask(self, event: Mapping[str, Any], token: str, method_arn: str) -> Mapping[str, Any]:
        own: Mapping[str, Any] = (
            {"type": "TOKEN", "authorizationToken": token, "methodArn": method_arn}
            if self.kind == "TOKEN"
            else {**event, "type": "REQUEST", "methodArn": method_arn}
        )
        done = self.client.invoke(FunctionName=self.function, Payload=json.dumps(own).encode())
        answer: Mapping[str, Any] | None = json.loads(done["Payload"].read())
        return {} if "FunctionError" in done or answer is None else answer


def allows(policy: Mapping[str, Any], method_arn: str) -> bool:
    """Return true when a policy allows the method and no statement denies it."""
    effects = {
        statement["Effect"]
        for statement in policy.get("Statement", [])
        if any(_matches(pattern, method_arn) for pattern in _listed(statement["Resource"]))
    }
    return effects == {"Allow"}


def _matches(pattern: str, arn: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), arn) is not None


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _text(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)
