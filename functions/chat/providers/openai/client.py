"""Requests to one llm with the openai package, and its errors as ModelError.

The package writes requests, reads streams and classifies errors. It gets bodies as bytes and returns responses unread:
its typed calls convert the whole conversation in every call. Retries, times and sizes are those of all providers.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Annotated, cast, override

import httpx2
from openai import APIConnectionError, APIError, APIStatusError, AzureOpenAI, Omit, RequestOptions, Stream
from pydantic import AliasChoices, BeforeValidator, Field, ValidationError
from pydantic_core import from_json

from flexchat.deadline import Deadline, time_limit
from flexchat.egress.client import GuardedTransport, guarded_client
from flexchat.egress.errors import EgressError
from flexchat.egress.urls import parse_address
from flexchat.error_bodies import BodyTooLargeError, read_bounded
from flexchat.errors import ModelErrorType
from flexchat.http_client import BoundedErrors, HttpRequestError, HttpStream, request_error
from flexchat.messages import Completion, Json
from flexchat.openai_client import openai_endpoint, sdk_client
from flexchat.retry import RETRIED_STATUS
from functions.chat.providers.base import (
    MAX_ANSWER_BYTES,
    MAX_STREAM_BYTES,
    Delta,
    OnDelta,
    report_completion,
    too_large,
)
from functions.chat.providers.client import NO_HEADERS, LlmEndpoint, ModelClient, unusable_address
from functions.chat.providers.errors import ERROR_IN_SUCCESS, WireError, error_type_of_status
from functions.chat.providers.openai.stream import EventBody, OpenAIStreamReader
from functions.chat.providers.request_log import OnResponse, RequestLog, ignore_response
from functions.chat.providers.streams import END_SECONDS, PLAIN_ENCODING, plain_response
from functions.chat.providers.wire_format import WireModel, to_json

_TYPE_OF_CODE: dict[str, ModelErrorType] = {
    "context_length_exceeded": "context_length",
    "string_above_max_length": "context_length",
    "content_filter": "content_filter",
    "tool_use_failed": "malformed_tool_call",
    "content_policy_violation": "content_filter",
    "invalid_api_key": "authentication",
    "model_not_found": "not_found",
    "rate_limit_exceeded": "rate_limit",
    "insufficient_quota": "rate_limit",
    "billing_hard_limit_reached": "rate_limit",
}

_PERMANENT_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
"""Codes with status 429 that no retry resolves."""


class _Metadata(WireModel):
    """Words of a gateway about the server behind it; `raw` is the error of that server, often JSON as text."""

    raw: Json = None


def _as_text(value: Json) -> str | None:
    return value if value is None or isinstance(value, str) else to_json(value).decode()


type _Words = Annotated[str | None, BeforeValidator(_as_text)]
"""Text of an error, or anything else as JSON: Mistral has lists of problems in its `message`."""


class OpenAIErrorDetail(WireModel):
    """Error of a response; the fields of compatible servers are mapped to it: a text `error`, a `status_code`."""

    message: _Words = None
    type: _Words = None
    code: _Words = Field(default=None, validation_alias=AliasChoices("code", "status_code"))
    param: _Words = None
    detail: _Words = None
    error: _Words = None
    metadata: _Metadata | None = None
    failed_generation: Json = None


def read_error(status: int, error: object) -> WireError | None:
    """Return an error in the body of a response: the value of its `error`, else the body itself.

    The forms of compatible servers are read too: a list, a plain text, or an object with a `message`, a `detail` or a
    text `error`. `None` without any of them. Gateways that hide the server behind them put its status into `code` and
    its error into `metadata.raw`.
    """
    if isinstance(error, list):
        return next(
            (found for each in cast("list[object]", error) if (found := read_error(status, error_of(each)))), None
        )
    detail = _detail(error)
    if detail is None:
        return None
    code = str(detail.code)
    if status == ERROR_IN_SUCCESS and re.fullmatch(r"[45]\d\d", code):
        status = int(code)
    message = detail.message or ""
    words = {code, str(detail.type)}
    return WireError(
        message=message,
        status=status,
        type=_error_type(status, words),
        transient=status in RETRIED_STATUS and words.isdisjoint(_PERMANENT_CODES),
        parameter=detail.param,
        rejected_call=detail.failed_generation if isinstance(detail.failed_generation, str) else "",
    )


def error_of_status(exc: APIStatusError) -> object:
    """Return the error in the body of a response with an error status, `None` for a body that is no JSON."""
    if exc.body == exc.response.text.strip():
        return None
    try:
        whole = from_json(exc.response.content)
    except ValueError:
        return exc.body
    return cast("object", whole) if isinstance(exc.body, str) and isinstance(whole, dict) else exc.body


def error_in_success(body: object) -> object:
    """Return the error in the body of a response with status 200, which may be the body; `None` without one.

    The `code` of a body with an answer is not read: servers send it beside answers too.
    """
    if not isinstance(body, dict):
        return None
    fields = cast("dict[str, Json]", body)
    if (error := fields.get("error")) is not None:
        return error
    if fields.get("object") == "error" or fields.get("type") == "error":
        return fields
    if not fields.get("choices") and any(fields.get(name) is not None for name in ("message", "detail")):
        return fields
    return None


def _detail(error: object) -> OpenAIErrorDetail | None:
    if isinstance(error, str):
        return OpenAIErrorDetail(message=error) if error else None
    try:
        found = OpenAIErrorDetail.model_validate(error)
    except ValidationError:
        return None
    if found.metadata is not None and found.metadata.raw:
        inner = _detail(error_of(_parsed(found.metadata.raw)))
        if inner is not None and inner.message:
            return found.model_copy(update={"message": f"{found.message}: {inner.message}", "param": inner.param})
    if found.message is None and found.detail is not None:
        return found.model_copy(update={"message": found.detail})
    return found if found.message or found.error is None else found.model_copy(update={"message": found.error})


def error_of(body: object) -> object:
    """Return the value of `error` in a body, where it is an object, else the body."""
    inner = cast("dict[str, object]", body).get("error") if isinstance(body, dict) else None
    return cast("object", inner) if isinstance(inner, dict) else cast("object", body)


def _parsed(raw: Json) -> Json:
    """Return JSON that is written as a text, any other value as it is."""
    if not isinstance(raw, str):
        return raw
    try:
        return from_json(raw)
    except ValueError:
        return raw


def _error_type(status: int, words: set[str]) -> ModelErrorType:
    for code, error_type in _TYPE_OF_CODE.items():
        if code in words:
            return error_type
    return error_type_of_status(status)


type Headers = Mapping[str, str | Omit]


class OpenAIClient(ModelClient):
    """Client of an llm of type `openai`."""

    def __init__(self, llm: LlmEndpoint) -> None:
        super().__init__(llm)
        endpoint = openai_endpoint(llm.config)
        network = BoundedErrors(llm.transport or GuardedTransport(llm.egress))
        try:
            parse_address(llm.base_url)
            self._client = sdk_client(endpoint, guarded_client(llm.egress, transport=network))
        except (EgressError, httpx2.InvalidURL) as exc:
            raise unusable_address(llm.name) from exc
        self._request = httpx2.Request("POST", self._client.base_url)  # of the errors in streams
        self._headers: Headers = {name: Omit() if value is None else value for name, value in endpoint.headers.items()}
        self._stream_headers: Headers = {**self._headers, **PLAIN_ENCODING}

    def stream(
        self,
        path: str,
        body: bytes,
        *,
        deadline: Deadline,
        on_delta: OnDelta,
        read: Callable[[bytes], Completion],
        headers: Mapping[str, str] = NO_HEADERS,
        log: RequestLog | None = None,
    ) -> Completion:
        """Return the completion of a streamed response, with its deltas in `on_delta`.

        `read` parses the plain response, as of `post`. A response in one piece, of a server that does not stream, is
        accepted. Raises ModelError.
        """
        own = self._unconfigured(headers)
        received = ignore_response if log is None else log.received

        def attempt(seconds: float, report: OnDelta) -> Completion:
            with self._opened(path, body, seconds, deadline, headers=own, streams=True, received=received) as response:
                events = EventBody(response.chunks(MAX_STREAM_BYTES))
                if not events.has_events:
                    answer = read_bounded(events.plain(), is_success=True, max_bytes=MAX_ANSWER_BYTES, due=deadline)
                    return report_completion(self._parsed(answer, read), report)
                answer = self._streamed(events, report)
            return self._parsed(answer, read)

        return self._retry.stream(
            attempt, on_delta, deadline=deadline, timeout=self._timeout, provider=self._name, log=log
        )

    def _streamed(self, events: EventBody, report: OnDelta) -> bytes:
        """Return the plain response in `events`, whose deltas are reported as they are read."""
        reader = OpenAIStreamReader()
        received = httpx2.Response(200, content=events, request=self._request)
        try:
            for event in self._events(Stream(cast_to=object, response=received, client=self._client)):
                for delta in self._deltas(event, reader):
                    report(delta)
        except (APIConnectionError, HttpRequestError):
            if not reader.is_finished:
                raise
            return plain_response(reader.response(), provider=self._name)
        if not events.is_ended:  # by `[DONE]`
            for delta in reader.end():
                report(delta)
            with suppress(HttpRequestError, BodyTooLargeError), time_limit(END_SECONDS):
                events.drain()
        return plain_response(reader.response(), provider=self._name)

    def _deltas(self, event: Json, reader: OpenAIStreamReader) -> Sequence[Delta]:
        try:
            return reader.read(event)
        except ValueError as exc:
            raise self._unreadable(to_json(event), exc) from exc

    def _events(self, stream: Stream[object]) -> Iterator[Json]:
        """Yield the events of a stream. Raises ModelError for an unreadable one and for an error."""
        try:
            yield from cast("Iterator[Json]", stream)
        except APIError as exc:
            error = read_error(ERROR_IN_SUCCESS, exc.body) or WireError()
            raise self._described(error, ERROR_IN_SUCCESS, {}) from exc
        except (ValueError, RecursionError) as exc:
            raise self._invalid(exc) from exc

    @override
    @contextmanager
    def _opened(
        self,
        path: str,
        body: bytes | None,
        seconds: float,
        due: Deadline,
        *,
        headers: Mapping[str, str],
        streams: bool = False,
        received: OnResponse = ignore_response,
    ) -> Generator[HttpStream]:
        sent: Headers = {**(self._stream_headers if streams else self._headers), **headers}
        try:
            with time_limit(due.remaining()), closing(self._sent(path, body, seconds, sent)) as response:
                received(response.status_code, response.headers)
                yield HttpStream(response, due)
        except APIStatusError as exc:
            received(exc.status_code, exc.response.headers)
            error = read_error(exc.status_code, error_of_status(exc)) or WireError()
            raise self._described(error, exc.status_code, exc.response.headers, body) from exc
        except BodyTooLargeError as exc:
            raise too_large(self._name) from exc
        except (APIConnectionError, HttpRequestError, EgressError, TimeoutError) as exc:
            failed = request_error(exc.__cause__ if isinstance(exc, APIConnectionError) else exc)
            raise self._unsent(failed, seconds) from exc

    def _sent(self, path: str, body: bytes | None, seconds: float, headers: Headers) -> httpx2.Response:
        """Return the response to a request before its body.

        The package itself writes a request to Azure, since it puts the model into the path.
        """
        options: RequestOptions = {"headers": headers, "timeout": seconds}
        if body is None:
            response = self._client.get(path, cast_to=httpx2.Response, options=options, stream=True)
        elif isinstance(self._client, AzureOpenAI):
            response = self._client.post(
                path, cast_to=httpx2.Response, body=from_json(body), options=options, stream=True
            )
        else:
            response = self._client.post(path, cast_to=httpx2.Response, content=body, options=options, stream=True)
        return response

    @override
    def _error_in(self, answer: bytes) -> WireError | None:
        try:
            return read_error(ERROR_IN_SUCCESS, error_in_success(from_json(answer)))
        except ValueError:
            return None
