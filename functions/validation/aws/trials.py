"""Trials of models by synchronous invocations of the chat function."""

from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError
from pydantic import ValidationError

from flexchat.api.answer import ChatResponse
from flexchat.api.trials import TrialEvent, TrialOutcome, TrialRequest
from flexchat.aws.lambdas import PERMANENT
from flexchat.deadline import Deadline, call_with_timeout
from flexchat.json import JsonError, safe_loads
from flexchat.observability import logger
from functions.validation.aws.queues import error_reason
from functions.validation.trial_errors import TrialError

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

MAX_ANSWER_BYTES: Final = 6 * 1024 * 1024
MAX_ANSWER_DEPTH: Final = 200


class TrialInvoker:
    """Invokes `function`, the name or ARN of the chat function with its alias; no trial is retried here."""

    def __init__(self, client: "LambdaClient", function: str) -> None:
        self._client = client
        self._function = function

    def run(self, trial: TrialRequest, *, deadline: Deadline) -> ChatResponse:
        """Return the response to a trial. Raises TrialError, also for a timeout."""
        try:
            reply = TrialOutcome.model_validate(
                safe_loads(self._invoke(trial, deadline), max_bytes=MAX_ANSWER_BYTES, max_depth=MAX_ANSWER_DEPTH)
            )
        except (JsonError, ValidationError) as exc:
            raise TrialError("the response of the chat function is invalid", code="invalid_reply") from exc
        if reply.error is not None:
            raise TrialError(reply.error.message, code=reply.error.error, request_id=reply.error.request_id)
        if reply.answer is None:
            raise TrialError("the response of the chat function is empty", code="invalid_reply")
        return reply.answer

    def _invoke(self, trial: TrialRequest, deadline: Deadline) -> bytes:
        payload = TrialEvent(trial=trial).model_dump_json().encode()
        try:
            return call_with_timeout(deadline.remaining(), lambda: self._answer(payload))
        except TimeoutError as exc:
            raise TrialError("the chat function did not answer in time", code="timeout") from exc
        except (ClientError, BotoCoreError, OSError) as exc:
            reason = error_reason(exc)
            kind = "configuration" if reason in PERMANENT else "unavailable"
            raise TrialError(f"the chat function could not be invoked: {reason}", code=kind) from exc

    def _answer(self, payload: bytes) -> bytes:
        response = self._client.invoke(FunctionName=self._function, Payload=payload)
        body = response["Payload"].read()
        if "FunctionError" in response:
            logger.error("chat function failed", function_error=body[:2_000].decode(errors="replace"))
            raise TrialError("the chat function failed", code="unavailable")
        return body
