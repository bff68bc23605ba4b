"""How the answer to a chat gets to its caller: at once, later as a run, or again as it was the first time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from flexchat.api import ChatRequest, ChatResponse
from flexchat.api.runs import RunView
from flexchat.aws.blobs import Blobs
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.observability import logger
from flexchat.runs import WallClock
from functions.chat.aws.idempotency import Idempotency, Stored
from functions.chat.limits.admission import Admission, no_limits
from functions.chat.runs.headers import idempotency_key, run_location, wants_async
from functions.chat.runs.service import Runs
from functions.chat.runs.view import answer_text

ROUTE = "POST /api/chat"

SAVE_SECONDS = 0.5
"""Kept back from the deadline of an answer that is to be remembered, to write it down."""

SEND_SECONDS = 0.1
"""Kept back besides, to send the response: a table that hangs is waited for until then, and no longer."""

REPEATABLE_SECONDS = 25 * 3_600
"""An answer is kept a little longer than the key that leads to it."""

ASK_AGAIN_SECONDS = 2


@dataclass(frozen=True, slots=True)
class Delivered:
    """A response to be sent: its status, its body as JSON and what its headers say beyond that."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class ChatPost:
    """A posted chat. `event` is the REST API proxy event (payload v1), `function` the ARN that its run is invoked by.

    `admit` counts a request that is answered in the background against its caller's limits, by a deadline.
    """

    event: Mapping[str, Any]
    request: ChatRequest
    caller: Caller
    request_id: str
    function: str
    deadline: Deadline
    admit: Callable[[Deadline], Admission] = no_limits


class Delivery:
    """Serves the headers `Prefer: respond-async` and `Idempotency-Key` of a posted chat."""

    def __init__(
        self,
        *,
        runs: Runs,
        blobs: Blobs,
        idempotency: Idempotency,
        now: WallClock,
        new_id: Callable[[], str] = lambda: uuid4().hex,
    ) -> None:
        self._runs = runs
        self._blobs = blobs
        self._idempotency = idempotency
        self._now = now
        self._new_id = new_id

    def deliver(self, post: ChatPost, answer: Callable[[Deadline], ChatResponse]) -> Delivered:
        """The response to `post`. `answer` makes its answer by a deadline, and raises what a chat raises.

        Raises RequestError for a key that is none (400), came with another body (422) or is being answered (409), and
        UnavailableError when what the headers ask for cannot be had; nothing is done then.
        """
        key = idempotency_key(post.event)
        storing = replace(post, deadline=post.deadline.minus(SEND_SECONDS))
        if key is not None:
            return self._once(key, storing, answer)
        if wants_async(post.event):
            return _accepted(post, self._start(storing))
        return Delivered(HTTPStatus.OK, answer_text(answer(post.deadline)))

    def _once(self, key: str, post: ChatPost, answer: Callable[[Deadline], ChatResponse]) -> Delivered:
        made: list[Delivered] = []
        try:
            stored, replayed = self._idempotency.run(
                key,
                scope=f"{ROUTE}#{post.caller.principal}",
                body=post.request.model_dump(mode="json"),
                deadline=post.deadline,
                produce=partial(self._make, post, answer, made),
            )
        except FlexchatError as error:
            if not made:
                raise
            logger.error("answer cannot be repeated", reason=str(error))
            return made[0]
        return self._repeated(stored, post) if replayed else made[0]

    def _make(self, post: ChatPost, answer: Callable[[Deadline], ChatResponse], made: list[Delivered]) -> Stored:
        """Do what was posted, and where it can be found again; `made` gets the response before that is written down."""
        if wants_async(post.event):
            run = self._start(post)
            made.append(_accepted(post, run))
            return Stored(HTTPStatus.ACCEPTED, run=run.id)
        text = answer_text(answer(post.deadline.minus(SAVE_SECONDS)))
        made.append(Delivered(HTTPStatus.OK, text))
        blob = f"answer/{post.caller.principal}/{self._new_id()}"
        expires_at = int(self._now()) + REPEATABLE_SECONDS
        self._blobs.put(blob, text.encode(), expires_at=expires_at, deadline=post.deadline)
        return Stored(HTTPStatus.OK, blob=blob)

    def _repeated(self, stored: Stored, post: ChatPost) -> Delivered:
        """The response of the first time; a run is shown as it is by now."""
        if stored.run is not None:
            run = self._runs.get(stored.run, caller=post.caller, deadline=post.deadline)
            delivered = _accepted(post, run)
        else:
            delivered = Delivered(stored.status, self._text(stored, post.deadline))
        return replace(delivered, headers={**delivered.headers, "Idempotent-Replayed": "true"})

    def _text(self, stored: Stored, deadline: Deadline) -> str:
        content = self._blobs.get(stored.blob or "", now=self._now(), deadline=deadline)
        if content is None:
            raise UnavailableError(f"the answer {stored.blob!r} is not there any more")
        return content.decode()

    def _start(self, post: ChatPost) -> RunView:
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


def _accepted(post: ChatPost, run: RunView) -> Delivered:
    headers = {
        "Location": run_location(post.event, run.id),
        "Preference-Applied": "respond-async",
        "Retry-After": str(ASK_AGAIN_SECONDS),
    }
    return Delivered(HTTPStatus.ACCEPTED, run.model_dump_json(), headers)
