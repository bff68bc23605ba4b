"""Lambda invocations: synchronous ones of tools, asynchronous ones of background work.

An invocation that may have run is never sent again (decision C26). One that Lambda refused before it ran is: by the
caller of `LambdaInvoker`, which knows the deadline, and by `BackgroundInvoker` itself.
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError
from pydantic import ValidationError

from flexchat.deadline import Deadline
from flexchat.errors import ToolError, ToolNotStartedError, UnavailableError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.retry import UnstartedRetry
from flexchat.timeouts import call_with_timeout
from flexchat.tools import START_SECONDS, CallTool, ToolReply

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

MAX_PAYLOAD_BYTES = 6 * 1024 * 1024
"""Lambda's limit for a synchronous request and for its answer."""

MAX_RESULT_DEPTH = 128

NEVER_RAN = frozenset(
    {
        "CodeArtifactUserPendingException",
        "EC2ThrottledException",
        "ENILimitReachedException",
        "ENINotReadyException",
        "ResourceConflictException",
        "ResourceNotReadyException",
        "SnapStartNotReadyException",
        "SubnetIPAddressLimitReachedException",
        "ThrottlingException",
        "TooManyRequestsException",
    }
)
"""Lambda's error codes for an invocation that it did not begin and that it may accept a little later."""

PERMANENT = frozenset(
    {
        "AccessDeniedException",
        "CodeArtifactUserDeletedException",
        "CodeArtifactUserFailedException",
        "EC2AccessDeniedException",
        "EFSMountFailureException",
        "ExpiredTokenException",
        "IncompleteSignatureException",
        "InvalidClientTokenId",
        "InvalidParameterValueException",
        "InvalidRequestContentException",
        "InvalidRuntimeException",
        "InvalidSecurityGroupIDException",
        "InvalidSignatureException",
        "InvalidSubnetIDException",
        "InvalidZipFileException",
        "KMSAccessDeniedException",
        "KMSDisabledException",
        "KMSInvalidStateException",
        "KMSNotFoundException",
        "MissingAuthenticationTokenException",
        "ModeNotSupportedException",
        "NoPublishedVersionException",
        "NotAuthorized",
        "OptInRequired",
        "RecursiveInvocationException",
        "ResourceNotFoundException",
        "RuntimeAliasDeletedException",
        "RuntimeVersionDeletedException",
        "S3FilesMountFailureException",
        "SnapStartException",
        "UnrecognizedClientException",
        "UnsupportedMediaTypeException",
    }
)
"""Lambda's error codes that only the operator can correct; the same invocation never succeeds before."""

_UNAVAILABLE = "The tool is unavailable at the moment"
_MISCONFIGURED = "The tool is not set up correctly in this deployment; calling it again does not help"
_NOT_SET_UP = "The tool is not available. Its operator has to correct its setup."
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

        Raises ToolError: `unavailable` when it cannot be reached, `configuration` when only the operator can correct
        why, `timeout` when it does not answer, `execution_failed` when it died, `result_too_large` for arguments beyond
        Lambda's payload. Raises ToolNotStartedError when Lambda did not begin the invocation, such as a throttled one.
        """
        payload = call.model_dump_json().encode()
        if len(payload) > MAX_PAYLOAD_BYTES:
            raise ToolError("The arguments are too large to send; send less text", type="result_too_large")
        function = self._functions[tool_type]
        try:
            response = self._client.invoke(FunctionName=function, Payload=payload)
            body = response["Payload"].read()
        except ReadTimeoutError as exc:
            raise ToolError("The tool did not answer in time", type="timeout", user_message=_TRY_LATER) from exc
        except ClientError as exc:
            raise _refused(call, function, _code_of(exc)) from exc
        except (BotoCoreError, OSError) as exc:
            logger.error(
                "tool function unreachable",
                tool=call.tool,
                call_id=call.call_id,
                request_id=call.request_id,
                cause=type(exc).__name__,
            )
            raise ToolError(_UNAVAILABLE, type="unavailable", user_message=_TRY_LATER) from exc
        if "FunctionError" in response:
            raise _crashed(call, body)
        try:
            value = safe_loads(body, max_bytes=MAX_PAYLOAD_BYTES, max_depth=MAX_RESULT_DEPTH)
            return ToolReply.model_validate(value)
        except (JsonError, ValidationError) as exc:
            logger.error(
                "tool function answered outside the contract",
                tool=call.tool,
                call_id=call.call_id,
                request_id=call.request_id,
                cause=type(exc).__name__,
            )
            raise ToolError("The tool answered in a form that is not understood", type="execution_failed") from exc


def _code_of(exc: ClientError) -> str:
    return exc.response.get("Error", {}).get("Code", "unknown")


def _refused(call: CallTool, function: str, code: str) -> ToolError:
    """The error of an invocation that Lambda refused with `code`."""
    if code in NEVER_RAN:
        logger.warning(
            "tool function throttled",
            tool=call.tool,
            call_id=call.call_id,
            request_id=call.request_id,
            function=function,
            code=code,
        )
        return ToolNotStartedError(_UNAVAILABLE, type="unavailable", user_message=_TRY_LATER)
    logger.error(
        "tool invocation refused",
        tool=call.tool,
        call_id=call.call_id,
        request_id=call.request_id,
        function=function,
        code=code,
        permanent=code in PERMANENT,
    )
    if code in PERMANENT:
        return ToolError(_MISCONFIGURED, type="configuration", user_message=_NOT_SET_UP)
    return ToolError(_UNAVAILABLE, type="unavailable", user_message=_TRY_LATER)


def _crashed(call: CallTool, body: bytes) -> ToolError:
    """Lambda's own account of a function that died or ran into its own limit; only the log gets its text."""
    text = body[:2_000].decode(errors="replace")
    logger.error(
        "tool function failed", tool=call.tool, call_id=call.call_id, request_id=call.request_id, function_error=text
    )
    if "timed out" in text.lower():
        return ToolError("The tool did not answer in time", type="timeout", user_message=_TRY_LATER)
    return ToolError("The tool failed unexpectedly", type="execution_failed", user_message=_TRY_LATER)


class BackgroundInvoker:
    """Asynchronous invocations, which Lambda queues and runs by itself."""

    def __init__(self, client: "LambdaClient", *, retry: UnstartedRetry | None = None) -> None:
        self._client = client
        self._retry = retry or UnstartedRetry()

    def invoke(self, function: str, payload: Mapping[str, Json], *, deadline: Deadline) -> None:
        """Have `function`, a name or ARN with its alias, invoked with `payload`; throttled, it is sent again.

        Raises UnavailableError when Lambda does not accept it before the deadline, or has throttled it for
        `START_SECONDS`. It may have accepted it even so.
        """
        body = dumps(payload).encode()
        end = deadline.within(START_SECONDS)
        self._retry.run(lambda: self._send(function, body, deadline), never_ran=_NotQueuedError, end=end)

    def _send(self, function: str, body: bytes, deadline: Deadline) -> None:
        try:
            call_with_timeout(
                deadline.remaining(),
                lambda: self._client.invoke(FunctionName=function, InvocationType="Event", Payload=body),
            )
        except ClientError as exc:
            code = _code_of(exc)
            if code not in NEVER_RAN:
                logger.error("background invocation refused", function=function, code=code, permanent=code in PERMANENT)
            error = _NotQueuedError if code in NEVER_RAN else UnavailableError
            raise error(f"could not invoke {function!r} in the background: Lambda answered {code}") from exc
        except (BotoCoreError, TimeoutError) as exc:
            cause = type(exc).__name__
            raise UnavailableError(f"could not invoke {function!r} in the background ({cause})") from exc


class _NotQueuedError(UnavailableError):
    """An invocation that Lambda did not accept."""
