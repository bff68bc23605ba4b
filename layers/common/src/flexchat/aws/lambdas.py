"""Lambda invocations: synchronous ones of tools and searches, asynchronous ones of background work.

An invocation that may have run is never sent again (decision C26). One that Lambda refused before it ran is sent again
by the caller of `LambdaInvoker`, which has the deadline, and by `BackgroundInvoker` itself.
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Literal

from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError
from msgspec import Struct
from pydantic import BaseModel, ValidationError

from flexchat.aws.credentials import error_code
from flexchat.deadline import Deadline, call_with_timeout
from flexchat.errors import ToolError, ToolNotStartedError, UnavailableError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.retry import Retry
from flexchat.search import SearchRequest, SearchResponse
from flexchat.tools import START_SECONDS, CallTool, ToolReply

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

    from flexchat.embeddings import EmbeddingRequest, EmbeddingResponse
    from flexchat.file_text import ReadFileRequest, ReadFileResponse

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

_NOT_SET_UP = "The tool is not available. Its operator has to correct its setup."
_TRY_LATER = "The service is unavailable at the moment. Please try again later."


class LambdaInvoker:
    """Synchronous invocations of the tool functions and of the retrieval function.

    `functions` maps a tool type to its function's name or ARN; without `retrieval` no collection can be searched.
    """

    def __init__(self, *, client: "LambdaClient", functions: Mapping[str, str], retrieval: str | None = None) -> None:
        self._client = client
        self._functions = functions
        self.types: Collection[str] = functions.keys()
        self._retrieval = retrieval

    @property
    def can_search(self) -> bool:
        return self._retrieval is not None

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        """Invoke the tool's function and wait for its reply.

        Raises ToolError: `unavailable` when it cannot be reached, `configuration` when only the operator can correct
        the cause, `timeout` when it does not answer, `execution_failed` when it crashed, `result_too_large` for
        arguments beyond Lambda's payload. Raises ToolNotStartedError when Lambda did not begin the invocation.
        """
        invocation = _Invocation("tool", {"tool": call.tool, "call_id": call.call_id, "request_id": call.request_id})
        return self._invoke(self._functions[tool_type], call.as_json(), ToolReply, invocation)

    def search(self, request: SearchRequest) -> SearchResponse:
        """Invoke the retrieval function and wait for its response. Raises the errors of `invoke`."""
        if self._retrieval is None:
            raise ToolError("No function of this deployment searches collections", type="configuration")
        invocation = _Invocation("search", {"collection": request.collection, "request_id": request.request_id})
        return self._invoke(self._retrieval, request.model_dump_json().encode(), SearchResponse, invocation)

    def embed(self, request: "EmbeddingRequest") -> "EmbeddingResponse":
        """Invoke the retrieval function for embeddings and wait for its response. Raises the errors of `invoke`."""
        from flexchat.embeddings import EmbeddingResponse  # no chat needs it

        if self._retrieval is None:
            raise ToolError("No function of this deployment embeds texts", type="configuration")
        invocation = _Invocation("embedding", {"model": request.model, "request_id": request.request_id})
        return self._invoke(self._retrieval, request.model_dump_json().encode(), EmbeddingResponse, invocation)

    def read_file(self, request: "ReadFileRequest") -> "ReadFileResponse":
        """Invoke the retrieval function for the text of a file and wait for its response.

        Raises the errors of `invoke`.
        """
        from flexchat.file_text import ReadFileResponse  # most chats have no files

        if self._retrieval is None:
            raise ToolError("No function of this deployment reads files", type="configuration")
        invocation = _Invocation("file", {"request_id": request.request_id})
        return self._invoke(self._retrieval, request.model_dump_json().encode(), ReadFileResponse, invocation)

    def _invoke[R: BaseModel](self, function: str, payload: bytes, reply: type[R], invocation: "_Invocation") -> R:
        if len(payload) > MAX_PAYLOAD_BYTES:
            raise ToolError("The arguments are too large to send; send less text", type="result_too_large")
        try:
            response = self._client.invoke(FunctionName=function, Payload=payload)
            body = response["Payload"].read()
        except ReadTimeoutError as exc:
            raise invocation.timed_out() from exc
        except ClientError as exc:
            raise invocation.refused(function, error_code(exc)) from exc
        except (BotoCoreError, OSError) as exc:
            raise invocation.unreachable(type(exc).__name__) from exc
        if "FunctionError" in response:
            raise invocation.crashed(body)
        try:
            return reply.model_validate(safe_loads(body, max_bytes=MAX_PAYLOAD_BYTES, max_depth=MAX_RESULT_DEPTH))
        except (JsonError, ValidationError) as exc:
            raise invocation.unreadable(type(exc).__name__) from exc


class _Invocation(Struct, frozen=True):
    """Log lines and errors of one invocation of `subject`; `facts` identify it in the log."""

    subject: Literal["tool", "search", "embedding", "file"]
    facts: Mapping[str, Any]

    def timed_out(self) -> ToolError:
        return ToolError(f"The {self.subject} did not answer in time", type="timeout", user_message=_TRY_LATER)

    def unreachable(self, cause: str) -> ToolError:
        logger.error("function not reached", cause=cause, target=self.subject, **self.facts)
        return self._unavailable(ToolError)

    def refused(self, function: str, code: str) -> ToolError:
        """Return the error of an invocation that Lambda refused with `code`."""
        if code in NEVER_RAN:
            logger.warning("function throttled", function=function, code=code, target=self.subject, **self.facts)
            return self._unavailable(ToolNotStartedError)
        logger.error(
            "invocation refused",
            function=function,
            code=code,
            permanent=code in PERMANENT,
            target=self.subject,
            **self.facts,
        )
        if code in PERMANENT:
            message = f"The {self.subject} is not set up correctly in this deployment; calling it again does not help"
            return ToolError(message, type="configuration", user_message=_NOT_SET_UP)
        return self._unavailable(ToolError)

    def crashed(self, body: bytes) -> ToolError:
        """Return the error of a function that crashed or reached its own limit; only the log has Lambda's text."""
        text = body[:2_000].decode(errors="replace")
        logger.error("function failed", function_error=text, target=self.subject, **self.facts)
        if "timed out" in text.lower():
            return self.timed_out()
        message = f"The {self.subject} failed unexpectedly"
        return ToolError(message, type="execution_failed", user_message=_TRY_LATER)

    def unreadable(self, cause: str) -> ToolError:
        """Return the error of a reply that does not follow the contract."""
        logger.error("function reply rejected", cause=cause, target=self.subject, **self.facts)
        return ToolError(f"The {self.subject} returned a response that cannot be parsed", type="execution_failed")

    def _unavailable[E: ToolError](self, error: type[E]) -> E:
        return error(f"The {self.subject} is unavailable at the moment", type="unavailable", user_message=_TRY_LATER)


class BackgroundInvoker:
    """Asynchronous invocations, which Lambda queues and runs by itself."""

    def __init__(self, client: "LambdaClient", *, retry: Retry | None = None) -> None:
        self._client = client
        self._retry = retry or Retry.until_started()

    def invoke(self, function: str, payload: Mapping[str, Json], *, deadline: Deadline) -> None:
        """Invoke `function`, a name or ARN with its alias, with `payload`; repeat the request while it is throttled.

        Raises UnavailableError when Lambda does not accept it before the deadline, or has throttled it for
        `START_SECONDS`. It may have accepted it even so.
        """
        self.invoke_bytes(function, dumps(payload).encode(), deadline=deadline)

    def invoke_bytes(self, function: str, body: bytes, *, deadline: Deadline) -> None:
        """Invoke `function` with an event as JSON, as `invoke` does."""
        end = deadline.within(START_SECONDS)
        self._retry.run(lambda: self._send(function, body, deadline), transient=_NotQueuedError, deadline=end)

    def _send(self, function: str, body: bytes, deadline: Deadline) -> None:
        try:
            call_with_timeout(
                deadline.remaining(),
                lambda: self._client.invoke(FunctionName=function, InvocationType="Event", Payload=body),
            )
        except ClientError as exc:
            code = error_code(exc)
            if code not in NEVER_RAN:
                logger.error("background invocation refused", function=function, code=code, permanent=code in PERMANENT)
            error = _NotQueuedError if code in NEVER_RAN else UnavailableError
            raise error(f"could not invoke {function!r} in the background: Lambda answered {code}") from exc
        except (BotoCoreError, TimeoutError) as exc:
            cause = type(exc).__name__
            raise UnavailableError(f"could not invoke {function!r} in the background ({cause})") from exc


class _NotQueuedError(UnavailableError):
    """An invocation that Lambda did not accept."""
