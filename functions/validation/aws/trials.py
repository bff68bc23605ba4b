"""Has the chat function try a model, and waits for what it did."""

from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError
from pydantic import ValidationError

from flexchat.api.answer import ChatResponse
from flexchat.api.trials import TrialEvent, TrialOutcome, TrialRequest
from flexchat.aws.lambdas import PERMANENT
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.json import JsonError, safe_loads
from flexchat.observability import logger
from flexchat.timeouts import call_with_timeout

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

MAX_ANSWER_BYTES: Final = 6 * 1024 * 1024
MAX_ANSWER_DEPTH: Final = 200

_PASSING_CODES: Final = frozenset(
    {
        "unavailable",
        "timeout",
        "internal_error",
        *(
            f"model_{kind}"
            for kind in ("network", "server_error", "rate_limit", "overloaded", "timeout", "invalid_response")
        ),
    }
)
"""Errors that the same trial may survive a little later; the others say what somebody must mend first."""


def is_passing(code: str) -> bool:
    """Whether an error of this stable name may be over a little later."""
    return code in _PASSING_CODES


class TrialError(FlexchatError):
    """The model was not asked, or did not answer. `code` is the stable name of the reason."""

    def __init__(self, message: str, *, code: str, request_id: str = "") -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.request_id = request_id

    @property
    def is_passing(self) -> bool:
        return is_passing(self.code)


class TrialInvoker:
    """`function` is the chat function's name or ARN, with its alias. Nothing is ever sent twice."""

    def __init__(self, client: "LambdaClient", function: str) -> None:
        self._client = client
        self._function = function

    def ask(self, trial: TrialRequest, *, deadline: Deadline) -> ChatResponse:
        """What came of one trial. Raises TrialError, also when there is no answer before the deadline."""
        try:
            reply = TrialOutcome.model_validate(
                safe_loads(self._invoke(trial, deadline), max_bytes=MAX_ANSWER_BYTES, max_depth=MAX_ANSWER_DEPTH)
            )
        except (JsonError, ValidationError) as exc:
            raise TrialError("the chat function answered outside the contract", code="invalid_reply") from exc
        if reply.error is not None:
            raise TrialError(reply.error.message, code=reply.error.error, request_id=reply.error.request_id)
        if reply.answer is None:
            raise TrialError("the chat function answered nothing", code="invalid_reply")
        return reply.answer

    def _invoke(self, trial: TrialRequest, deadline: Deadline) -> bytes:
        payload = TrialEvent(trial=trial).model_dump_json().encode()
        try:
            return call_with_timeout(deadline.remaining(), lambda: self._answer(payload))
        except TimeoutError as exc:
            raise TrialError("the chat function did not answer in time", code="timeout") from exc
        except ClientError as exc:
            code = exc.response.get("Error", {}).get("Code", "unknown")
            kind = "configuration" if code in PERMANENT else "unavailable"
            raise TrialError(f"Lambda did not invoke the chat function: {code}", code=kind) from exc
        except (BotoCoreError, OSError) as exc:
            raise TrialError(f"the chat function is out of reach ({type(exc).__name__})", code="unavailable") from exc

    def _answer(self, payload: bytes) -> bytes:
        response = self._client.invoke(FunctionName=self._function, Payload=payload)
        body = response["Payload"].read()
        if "FunctionError" in response:
            logger.error("chat function failed", function_error=body[:2_000].decode(errors="replace"))
            raise TrialError("the chat function failed", code="unavailable")
        return body
