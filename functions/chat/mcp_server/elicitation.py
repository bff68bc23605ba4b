"""Approvals of tool calls by the person at an MCP client: elicitation in several requests, since 2026-07-28.

The call that needs an approval is answered with the question, and a signed state that stands for it. The client asks
its person, and repeats the call with the answer and the state; nothing is stored meanwhile.
https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import uuid4

from msgspec import Struct, field

from flexchat.deadline import Clock, Deadline
from flexchat.http_api.caller import Caller
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.text import truncate_middle
from functions.chat.mcp_server.protocol import CAPABILITIES_KEY, CallResult, RpcRequest, failed_result
from functions.chat.resumption.approvals import may_decide
from functions.chat.resumption.tokens import Leases, sign, verified
from functions.chat.tools.approvals import CallDecision, RequestedCall, denied

APPROVAL: Final = "approval"
"""Key of the question among the requests for input."""

MAX_SHOWN_CHARACTERS: Final = 4_000
"""Longest arguments in a question; a call with longer ones is not asked about, as nobody would see what it does."""

_PURPOSE: Final = "approval at /mcp"
_KEPT_SECONDS: Final = 3_600

_SCHEMA: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {
        "approve": {"type": "boolean", "title": "Run it", "description": "Whether the tool runs with these arguments"}
    },
    "required": ["approve"],
}


class Elicitation(Struct, frozen=True):
    """What a request says: whether its client asks its person in a form, and the answer to an earlier question."""

    is_supported: bool = False
    responses: Mapping[str, Any] = field(default_factory=dict[str, Any])
    state: str = ""

    @classmethod
    def of(cls, request: RpcRequest) -> "Elicitation":
        """Return that of a request; one of the handshake era has none, as its client is not reached again."""
        capabilities = (request.meta or {}).get(CAPABILITIES_KEY)
        modes = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
        responses, state = request.params.get("inputResponses"), request.params.get("requestState")
        return cls(
            isinstance(modes, dict) and (not modes or "form" in modes),
            responses if isinstance(responses, dict) else {},
            state if isinstance(state, str) else "",
        )


NO_ELICITATION: Final = Elicitation()


class Grants:
    """Questions to the people at MCP clients, and their answers, each of which counts once.

    `key` returns the signing key before a deadline, `leases` is called for the first answer. `clock` returns seconds
    since the epoch.
    """

    def __init__(self, *, key: Callable[[Deadline], bytes], leases: Callable[[], Leases], clock: Clock) -> None:
        self._key = key
        self._leases = leases
        self._clock = clock

    def refusal(
        self, call: RequestedCall, elicitation: Elicitation, *, caller: Caller, seconds: int, deadline: Deadline
    ) -> CallResult | None:
        """Return None for an approved call, else the result of the request: the question, or a failed call.

        Raises UnavailableError and ConfigError when the key or the table cannot be read.
        """
        shown = dumps(call.arguments)
        if not (elicitation.is_supported and may_decide(caller, call, caller.principal)):
            return _refused(call, "which this client cannot ask for")
        if len(shown) > MAX_SHOWN_CHARACTERS:
            return _refused(call, "and its arguments are too long to be shown")
        if not elicitation.state:
            return self._question(call, shown, caller, seconds, deadline)
        if not self._is_valid(call, elicitation.state, caller, deadline):
            return _refused(call, "and the state is not that of this call, expired, or used: call again without it")
        if _approves(elicitation.responses.get(APPROVAL)):
            return None
        decision = CallDecision(approved=False, by=caller.principal, at=self._clock())
        return failed_result(denied(call.tool, decision).message)

    def _question(
        self, call: RequestedCall, shown: str, caller: Caller, seconds: int, deadline: Deadline
    ) -> CallResult:
        payload = {"digest": call.digest, "until": int(self._clock()) + seconds, "id": uuid4().hex}
        state = sign(json.dumps(payload).encode(), key=self._key(deadline), bound_to=(_PURPOSE, caller.principal))
        question: Json = {
            "method": "elicitation/create",
            "params": {
                "mode": "form",
                "message": f"Run the tool {call.tool} with {truncate_middle(shown, MAX_SHOWN_CHARACTERS)}?",
                "requestedSchema": _SCHEMA,
            },
        }
        return {"resultType": "input_required", "inputRequests": {APPROVAL: question}, "requestState": state}

    def _is_valid(self, call: RequestedCall, state: str, caller: Caller, deadline: Deadline) -> bool:
        """Return whether a state is that of a question about this call, not expired, and used for the first time."""
        payload = verified(state, key=self._key(deadline), bound_to=(_PURPOSE, caller.principal))
        asked: Any = None if payload is None else json.loads(payload)
        now = self._clock()
        if asked is None or asked["digest"] != call.digest or asked["until"] <= now:
            return False
        used = self._leases().take(
            f"P#{caller.principal}#{asked['id']}",
            by=uuid4().hex,
            now=now,
            lease_until=asked["until"],
            expires_at=asked["until"] + _KEPT_SECONDS,
            deadline=deadline,
        )
        return used is None


def _approves(answer: Any) -> bool:
    """Return whether an answer to the question, an `ElicitResult`, approves the call."""
    match answer:
        case {"action": "accept", "content": {"approve": True}}:
            return True
        case _:
            return False


def _refused(call: RequestedCall, reason: str) -> CallResult:
    return failed_result(f"Not run: '{call.tool}' runs only after the approval of a person, {reason}")
