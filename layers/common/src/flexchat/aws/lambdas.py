"""Carries tool calls to their Lambdas, and work to one that does it in the background; each invoke is sent once."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError
from pydantic import ValidationError

from flexchat.cutoff import run_within
from flexchat.deadline import Deadline
from flexchat.errors import ToolError, UnavailableError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.tools import CallTool, ToolReply

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

MAX_PAYLOAD_BYTES = 6 * 1024 * 1024
"""Lambda's limit for a synchronous request and for its answer."""

MAX_RESULT_DEPTH = 128

_UNAVAILABLE = "The tool is unavailable at the moment"
_TRY_LATER = "The service is unavailable at the moment. Please try again later."


class LambdaInvoker:
    """The function of each tool type; `functions` maps a type to its function's name or ARN."""

    def __init__(self, *, client: "LambdaClient", functions: Mapping[str, str]) -> None:
        self._client = client
        self._functions = functions

    @property
    def types(self) -> Collection[str]:
        return self._functions.keys()

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        """Invoke the tool's function and wait for its reply.

        Raises ToolError: `unavailable` when it cannot be reached or is throttled, `timeout` when it does not answer,
        `execution_failed` when it died, `result_too_large` for arguments beyond Lambda's payload.
        """
        payload = call.model_dump_json().encode()
        if len(payload) > MAX_PAYLOAD_BYTES:
            raise ToolError("The arguments are too large to send; send less text", type="result_too_large")
        try:
            response = self._client.invoke(FunctionName=self._functions[tool_type], Payload=payload)
            body = response["Payload"].read()
        except ReadTimeoutError as exc:
            raise ToolError("The tool did not answer in time", type="timeout", user_message=_TRY_LATER) from exc
        except ClientError as exc:
            code = exc.response.get("Error", {}).get("Code", "")
            logger.error("tool function refused the call", tool=call.tool, code=code)
            raise ToolError(_UNAVAILABLE, type="unavailable", user_message=_TRY_LATER) from exc
        except (BotoCoreError, OSError) as exc:
            logger.error("tool function unreachable", tool=call.tool, cause=type(exc).__name__)
            raise ToolError(_UNAVAILABLE, type="unavailable", user_message=_TRY_LATER) from exc
        if "FunctionError" in response:
            raise _crashed(call, body)
        try:
            value = safe_loads(body, max_bytes=MAX_PAYLOAD_BYTES, max_depth=MAX_RESULT_DEPTH)
            return ToolReply.model_validate(value)
        except (JsonError, ValidationError) as exc:
            logger.error("tool function answered outside the contract", tool=call.tool, cause=type(exc).__name__)
            raise ToolError("The tool answered in a form that is not understood", type="execution_failed") from exc


def _crashed(call: CallTool, body: bytes) -> ToolError:
    """Lambda's own account of a function that died or ran into its own limit; only the log gets its text."""
    text = body[:2_000].decode(errors="replace")
    logger.error("tool function failed", tool=call.tool, function_error=text)
    if "timed out" in text.lower():
        return ToolError("The tool did not answer in time", type="timeout", user_message=_TRY_LATER)
    return ToolError("The tool failed unexpectedly", type="execution_failed", user_message=_TRY_LATER)


class BackgroundInvoker:
    """Hands work to Lambda, which sees to it later and by itself."""

    def __init__(self, client: "LambdaClient") -> None:
        self._client = client

    def invoke(self, function: str, payload: Mapping[str, Json], *, deadline: Deadline) -> None:
        """Have `function`, a name or ARN with its alias, invoked with `payload`.

        Raises UnavailableError when Lambda does not accept it before the deadline. It may have accepted it even so.
        """
        body = dumps(payload).encode()
        try:
            run_within(
                deadline.remaining(),
                lambda: self._client.invoke(FunctionName=function, InvocationType="Event", Payload=body),
            )
        except ClientError as exc:
            code = exc.response.get("Error", {}).get("Code", "unknown")
            raise UnavailableError(f"could not invoke {function!r} in the background: Lambda answered {code}") from exc
        except (BotoCoreError, TimeoutError) as exc:
            cause = type(exc).__name__
            raise UnavailableError(f"could not invoke {function!r} in the background ({cause})") from exc
