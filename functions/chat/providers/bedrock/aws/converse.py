"""Client of Bedrock's Converse API with a serialized body, on botocore.

botocore provides credentials, signatures and connections. Its validation, serialization and parsing of a conversation
grow with every iteration (measured with 20 tools: 1 ms for 5 iterations, 4.3 ms for 80) and are bypassed: the body
passes through botocore's events.
"""

import json
import struct
from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, Final, NoReturn, Protocol, cast

from boto3.session import Session
from botocore.client import BaseClient
from botocore.config import Config
from botocore.eventstream import EventStreamBuffer, EventStreamMessage, ParserError
from botocore.exceptions import BotoCoreError, ClientError, NoRegionError
from urllib3.exceptions import HTTPError, ReadTimeoutError

from flexchat.aws.clients import new_session
from flexchat.deadline import Deadline
from flexchat.error_bodies import bounded_chunks, bounded_error
from flexchat.errors import ConfigError, FlexchatError, Problem
from flexchat.json import JsonError, safe_loads
from flexchat.redacted_struct import RedactedStruct
from functions.chat.providers.request_log import OnResponse, ignore_response


class ConverseError(FlexchatError):
    """Request without a response.

    `code` is the service's own name for the error, as `ThrottlingException`, or botocore's without a response, as
    `ReadTimeoutError`. `message` is the service's own, empty without a response: botocore's would name hosts.
    `retry_after` is the header's text.
    """

    def __init__(self, code: str, message: str = "", *, status: int | None = None, retry_after: str | None = None):
        super().__init__(f"{code}: {message}" if message else code)
        self.code = code
        self.message = message
        self.status = status
        self.retry_after = retry_after


_STATUS = {
    "validationException": 400,
    "modelStreamErrorException": 424,
    "throttlingException": 429,
    "internalServerException": 500,
    "serviceUnavailableException": 503,
}
"""Statuses of the exceptions in a stream, as the service documents them."""


class RawBody(Protocol):
    """Body of a response that botocore has not read."""

    def stream(self) -> Iterator[bytes]: ...

    def close(self) -> None: ...


@contextmanager
def open_events(body: RawBody, *, max_bytes: int, due: Deadline) -> Generator[Iterator[bytes]]:
    """Return the events of `body`, which is closed at the end."""
    try:
        yield _events(body, max_bytes=max_bytes, due=due)
    finally:
        body.close()


def _events(body: RawBody, *, max_bytes: int, due: Deadline) -> Iterator[bytes]:
    """Yield each event as a JSON object of its name and its payload.

    Raises ConverseError for an exception in the stream and for a broken connection, and BodyTooLargeError.
    """
    frames = EventStreamBuffer()
    try:
        for chunk in bounded_chunks(body.stream(), max_bytes=max_bytes, due=due):
            frames.add_data(chunk)
            for frame in frames:
                yield _event(frame)
    except (ReadTimeoutError, TimeoutError) as exc:
        raise ConverseError("ReadTimeoutError") from exc
    except (HTTPError, OSError) as exc:
        raise ConverseError("ConnectionClosedError") from exc
    except (ParserError, LookupError, ValueError, struct.error) as exc:
        raise ConverseError("InvalidEventStreamError") from exc


def _event(frame: EventStreamMessage) -> bytes:
    headers = cast("dict[str, Any]", frame.headers)  # the stubs have another type
    match headers.get(":message-type"):
        case "exception":
            name = str(headers.get(":exception-type"))
            raise ConverseError(name[:1].upper() + name[1:], _message(frame.payload), status=_STATUS.get(name, 500))
        case "error":
            raise ConverseError(str(headers.get(":error-code")), str(headers.get(":error-message", "")), status=500)
        case _:
            name = json.dumps(str(headers.get(":event-type"))).encode()
            return b"{%b:%b}" % (name, frame.payload or b"{}")


def _message(payload: bytes) -> str:
    try:
        value = safe_loads(payload)
    except JsonError:
        return ""
    message = value.get("message") if isinstance(value, dict) else None
    return message if isinstance(message, str) else ""


CONNECT_SECONDS = 5

NO_HEADERS: Final[Mapping[str, str]] = {}

_LENGTH_DIGITS = 20
"""Maximum digits of the length of a body; `int` raises ValueError for thousands."""

_ASIDE = "flexchat_request"
_ANSWER = "flexchat_answer"


class ConverseClient(Protocol):
    """Client of Bedrock's Converse API."""

    def converse(
        self,
        model: str,
        body: bytes,
        *,
        seconds: float,
        headers: Mapping[str, str] = NO_HEADERS,
        received: OnResponse = ignore_response,
    ) -> bytes:
        """Return the body of the response of `model` (an id or an ARN) to the JSON `body`, sent once.

        `seconds` bounds each pause of the connection. `headers` are those of this request, unless the client has others
        of the same name. `received` is called with the response, also that of an error. Raises ConverseError.
        """
        ...

    def converse_stream(
        self,
        model: str,
        body: bytes,
        *,
        seconds: float,
        due: Deadline,
        max_bytes: int,
        headers: Mapping[str, str] = NO_HEADERS,
        received: OnResponse = ignore_response,
    ) -> AbstractContextManager[Iterator[bytes]]:
        """Open the streamed response to `body`, sent once: its events as JSON objects of their name and payload.

        `due` and `max_bytes` bound the whole stream. Both the call and the iterator raise ConverseError, the iterator
        also BodyTooLargeError.
        """
        ...


class _Request(RedactedStruct, frozen=True):
    redacted: ClassVar = ("body",)

    body: bytes
    seconds: float
    headers: Mapping[str, str]


class BedrockRuntime:
    """`ConverseClient` on one botocore client, whose events it handles."""

    def __init__(self, client: BaseClient, *, headers: Mapping[str, str]) -> None:
        self._headers = {"Content-Type": "application/json", **headers}
        self._configured = frozenset(name.lower() for name in headers)
        self._client = cast("Any", client)  # botocore creates a client's methods at run time
        for operation in ("Converse", "ConverseStream"):
            name = f"bedrock-runtime.{operation}"
            client.meta.events.register(f"before-parameter-build.{name}", _set_aside)
            client.meta.events.register(f"before-call.{name}", self._write)
            client.meta.events.register(f"before-parse.{name}", _keep_answer)

    def converse(
        self,
        model: str,
        body: bytes,
        *,
        seconds: float,
        headers: Mapping[str, str] = NO_HEADERS,
        received: OnResponse = ignore_response,
    ) -> bytes:
        request = _Request(body, seconds, self._unconfigured(headers))
        answer = self._send(self._client.converse, model, request, received)
        content: bytes = answer[_ANSWER]
        length = answer["ResponseMetadata"]["HTTPHeaders"].get("content-length", "")
        if length.isdecimal() and (len(length) > _LENGTH_DIGITS or len(content) < int(length)):
            # botocore accepts a truncated body as complete
            raise ConverseError("ConnectionClosedError")
        return content

    def converse_stream(
        self,
        model: str,
        body: bytes,
        *,
        seconds: float,
        due: Deadline,
        max_bytes: int,
        headers: Mapping[str, str] = NO_HEADERS,
        received: OnResponse = ignore_response,
    ) -> AbstractContextManager[Iterator[bytes]]:
        request = _Request(body, seconds, self._unconfigured(headers))
        answer = self._send(self._client.converse_stream, model, request, received)
        return open_events(answer[_ANSWER], max_bytes=max_bytes, due=due)

    def _unconfigured(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {name: value for name, value in headers.items() if name not in self._configured}

    def _send(self, operation: Any, model: str, request: _Request, received: OnResponse) -> dict[str, Any]:
        try:
            answer = operation(modelId=model, **{_ASIDE: request})
        except ClientError as exc:
            _report(exc.response, received)
            raise _told(exc.response) from exc
        except BotoCoreError as exc:
            raise ConverseError(type(exc).__name__) from exc
        _report(answer, received)
        return answer

    def _write(self, *, params: dict[str, Any], context: dict[str, Any], **_: object) -> None:
        """Set the body and the read timeout of the request, before it is signed."""
        request: _Request = context.pop(_ASIDE)
        params["body"] = request.body
        params["headers"].update({**self._headers, **request.headers})
        context["read_timeout"] = request.seconds


def _report(response: Mapping[str, Any], received: OnResponse) -> None:
    """Pass the status and the headers of a response on; botocore raises some errors without one."""
    metadata = response.get("ResponseMetadata", {})
    if "HTTPStatusCode" in metadata:
        received(metadata["HTTPStatusCode"], metadata.get("HTTPHeaders", {}))


def _set_aside(*, params: dict[str, Any], context: dict[str, Any], **_: object) -> None:
    context[_ASIDE] = params.pop(_ASIDE)


def _keep_answer(*, response_dict: dict[str, Any], customized_response_dict: dict[str, Any], **_: object) -> None:
    """Store the raw body, unread for a stream, and hide it from botocore, whose parser fails on unexpected ones."""
    customized_response_dict[_ANSWER] = response_dict["body"]
    response_dict["body"] = b""


def bedrock_runtime(
    path: str,
    *,
    region: str | None,
    endpoint_url: str | None,
    timeout_seconds: float,
    headers: Mapping[str, str],
    session: Session | None = None,
) -> BedrockRuntime:
    """Return the client of one llm at `path` of the configuration; create it once.

    Without `region` it is the environment's. `headers` are sent with every request. It never sends a request twice. A
    botocore without read timeouts of single requests uses `timeout_seconds`. Raises ConfigError without a region.
    """
    config = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=timeout_seconds,
        max_pool_connections=64,
        retries={"mode": "standard", "total_max_attempts": 1},
        tcp_keepalive=True,
    )
    try:
        client = cast("Any", session or new_session()).client(
            "bedrock-runtime", region_name=region, endpoint_url=endpoint_url, config=config
        )
    except NoRegionError as exc:
        _refuse(f"{path}.region", "is required: the environment names no AWS region", exc)
    except BotoCoreError as exc:
        _refuse(path, f"cannot be used ({type(exc).__name__})", exc)
    return BedrockRuntime(client, headers=headers)


def _refuse(path: str, message: str, cause: Exception) -> NoReturn:
    raise ConfigError((Problem(path, message),)) from cause


def _told(response: Mapping[str, Any]) -> ConverseError:
    """Return the error in a response's header or body."""
    metadata = response["ResponseMetadata"]
    headers: Mapping[str, str] = metadata["HTTPHeaders"]
    try:
        value = safe_loads(bounded_error(response[_ANSWER]))
    except JsonError:
        value = None
    body = value if isinstance(value, dict) else {}
    code = headers.get("x-amzn-errortype") or body.get("__type") or body.get("code") or metadata["HTTPStatusCode"]
    return ConverseError(
        # "com.amazonaws#ValidationException:http://internal.amazon.com/..."
        str(code).partition(":")[0].rpartition("#")[2],
        next((text for name in ("message", "Message") if isinstance(text := body.get(name), str)), ""),
        status=metadata["HTTPStatusCode"],
        retry_after=headers.get("retry-after"),
    )
