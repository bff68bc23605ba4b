"""Responses to posted chats: synchronous, as a background run, or repeated for an idempotency key."""

from collections.abc import Callable, Mapping
from copy import replace
from http import HTTPStatus
from typing import Any, Protocol
from uuid import uuid4

from msgspec import Struct, field
from msgspec.structs import asdict

from flexchat.api import ChatRequest, ChatResponse
from flexchat.api.runs import RunView
from flexchat.aws.blobs import Blobs
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.limits.admission import Admission, no_limits
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.runs import WallClock
from functions.chat.response import answer_text
from functions.chat.runs.service import Runs

ROUTE = "POST /api/chat"

SAVE_SECONDS = 0.5
"""Reserved before the deadline of an answer with an idempotency key, to store it."""

SEND_SECONDS = 0.1
"""Reserved in addition, to send the response: the longest timeout of the table ends there."""

REPEATABLE_SECONDS = 25 * 3_600
"""Lifetime of an answer, a little longer than that of its idempotency key."""

POLL_SECONDS = 2


class ChatHttpResponse(Struct, frozen=True):
    """HTTP response with its body as JSON and its headers besides the content type."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class ChatHttpRequest(Struct, frozen=True):
    """A posted chat.

    `event` is the REST API proxy event (payload v1), `function` the ARN for the invocation of its run. `admit` counts a
    background request against its caller's limits, by a deadline.
    """

    event: Mapping[str, Any]
    in_background: bool
    idempotency_key: str | None
    request: ChatRequest
    caller: Caller
    request_id: str
    function: str
    deadline: Deadline
    admit: Callable[[Deadline], Admission] = no_limits


class StoredOutcome(Struct, frozen=True):
    """The outcome of a request with an idempotency key: its HTTP status, and the blob of its answer or its run.

    `events` is the run of a streamed chat.
    """

    status: int
    blob: str | None = None
    run: str | None = None
    events: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the stored form; versions without streamed chats read it where there is no `events`."""
        return {name: value for name, value in asdict(self).items() if name != "events" or value is not None}


class Idempotency(Protocol):
    """Outcomes of requests by key, such as an `IdempotencyStore`."""

    def run(
        self,
        key: str,
        *,
        scope: str,
        body: Mapping[str, Json],
        deadline: Deadline,
        produce: Callable[[], dict[str, Any]],
    ) -> tuple[dict[str, Any], bool]: ...


class ChatResponder:
    """Implements the headers `Prefer: respond-async` and `Idempotency-Key` of a posted chat.

    `idempotency` is called for requests with a key only, since its import takes a tenth of a second.
    """

    def __init__(
        self,
        *,
        runs: Runs,
        blobs: Blobs,
        idempotency: Callable[[], Idempotency],
        now: WallClock,
        new_id: Callable[[], str] = lambda: uuid4().hex,
    ) -> None:
        self._runs = runs
        self._blobs = blobs
        self._idempotency = idempotency
        self._now = now
        self._new_id = new_id

    def respond(self, post: ChatHttpRequest, answer: Callable[[Deadline], ChatResponse]) -> ChatHttpResponse:
        """Return the response to `post`. `answer` runs the chat before a deadline, and raises the errors of a chat.

        Raises RequestError for an idempotency key that was sent with another body (422) or is being answered (409), and
        UnavailableError when a table or Lambda cannot be used; the chat is not run then.
        """
        storing = replace(post, deadline=post.deadline.minus(SEND_SECONDS))
        if post.idempotency_key is not None:
            return self._respond_once(post.idempotency_key, storing, answer)
        if post.in_background:
            return _accepted(post, self._start(storing))
        return ChatHttpResponse(HTTPStatus.OK, answer_text(answer(post.deadline)))

    def run_once(
        self,
        key: str,
        *,
        request: ChatRequest,
        caller: Caller,
        deadline: Deadline,
        produce: Callable[[], dict[str, Any]],
    ) -> StoredOutcome | None:
        """Run `produce`, which returns a stored outcome; return that of an earlier request instead, if there is one.

        Raises the error of `produce`, and RequestError as `respond` does.
        """
        outcome, replayed = self._idempotency().run(
            key,
            scope=f"{ROUTE}#{caller.principal}",
            body=request.model_dump(mode="json"),
            deadline=deadline,
            produce=produce,
        )
        return StoredOutcome(**outcome) if replayed else None

    def answer_of(self, stored: StoredOutcome, deadline: Deadline) -> str:
        """Return the stored answer as JSON. Raises UnavailableError when it has expired."""
        return self._text(stored, deadline)

    def _respond_once(
        self, key: str, post: ChatHttpRequest, answer: Callable[[Deadline], ChatResponse]
    ) -> ChatHttpResponse:
        made: list[ChatHttpResponse] = []
        try:
            outcome, replayed = self._idempotency().run(
                key,
                scope=f"{ROUTE}#{post.caller.principal}",
                body=post.request.model_dump(mode="json"),
                deadline=post.deadline,
                produce=lambda: self._produce(post, answer, made).as_json(),
            )
        except FlexchatError as error:
            if not made:
                raise
            logger.error("answer not stored", reason=str(error))
            return made[0]
        return self._replay(StoredOutcome(**outcome), post) if replayed else made[0]

    def _produce(
        self, post: ChatHttpRequest, answer: Callable[[Deadline], ChatResponse], made: list[ChatHttpResponse]
    ) -> StoredOutcome:
        """Run the chat or start its run, and return its record; `made` receives the response before that is stored."""
        if post.in_background:
            run = self._start(post)
            made.append(_accepted(post, run))
            return StoredOutcome(HTTPStatus.ACCEPTED, run=run.id)
        text = answer_text(answer(post.deadline.minus(SAVE_SECONDS)))
        made.append(ChatHttpResponse(HTTPStatus.OK, text))
        blob = f"answer/{post.caller.principal}/{self._new_id()}"
        expires_at = int(self._now()) + REPEATABLE_SECONDS
        self._blobs.put(blob, text.encode(), expires_at=expires_at, deadline=post.deadline)
        return StoredOutcome(HTTPStatus.OK, blob=blob)

    def _replay(self, stored: StoredOutcome, post: ChatHttpRequest) -> ChatHttpResponse:
        """Return the response of the first request; a run has its current status."""
        if stored.run is not None:
            run = self._runs.get(stored.run, caller=post.caller, deadline=post.deadline)
            response = _accepted(post, run)
        else:
            response = ChatHttpResponse(stored.status, self._text(stored, post.deadline))
        return replace(response, headers={**response.headers, "Idempotent-Replayed": "true"})

    def _text(self, stored: StoredOutcome, deadline: Deadline) -> str:
        content = self._blobs.get(stored.blob or "", now=self._now(), deadline=deadline)
        if content is None:
            raise UnavailableError(f"the stored answer {stored.blob!r} has expired")
        return content.decode()

    def _start(self, post: ChatHttpRequest) -> RunView:
        admission = post.admit(post.deadline)
        try:
            return self._runs.start(
                post.request,
                caller=post.caller,
                request_id=post.request_id,
                function=post.function,
                deadline=post.deadline,
                reservations=admission.reservations,
            )
        except FlexchatError:
            admission.cancel(deadline=post.deadline)
            raise


def _accepted(post: ChatHttpRequest, run: RunView) -> ChatHttpResponse:
    headers = {
        "Location": run_location(post.event, run.id),
        "Preference-Applied": "respond-async",
        "Retry-After": str(POLL_SECONDS),
    }
    return ChatHttpResponse(HTTPStatus.ACCEPTED, run.model_dump_json(), headers)


def run_location(event: Mapping[str, Any], id: str) -> str:
    """Return the path of the run `id` from the root.

    The path in a request's context begins with the prefix of API Gateway: the stage, or the base path of a custom
    domain.
    """
    whole: str = event["requestContext"].get("path") or event["path"]
    prefix, _, _ = whole.partition("/api/")
    return f"{prefix}/api/runs/{id}"
