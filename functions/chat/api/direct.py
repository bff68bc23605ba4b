"""Direct invocations of the chat function: bare chats, trials, background runs, titles and smoke tests."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from flexchat.api import ApiModel, ChatRequest, ChatResponse
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.http_api.caller import DIRECT, Caller
from flexchat.http_api.deadline import invocation_deadline
from flexchat.http_api.errors import shape_error
from flexchat.observability import logger, tracing
from flexchat.trace_context import TraceContext
from functions.chat.chat_limits import ChatLimits
from functions.chat.engine import ChatEngine
from functions.chat.errors import to_http_error
from functions.chat.generation.events import Emit
from functions.chat.runs.background import BackgroundRuns
from functions.chat.runs.service import BackgroundRunEvent

if TYPE_CHECKING:
    from functions.chat.openai_api.background import BackgroundResponses, QueuedResponse
    from functions.chat.runs.approvals import Approvals

HOOK_KEY: Final = "LifecycleEventHookExecutionId"
"""Key that only the events of CodeDeploy have."""

type HandleEvent = Callable[[dict[str, Any], Any], dict[str, Any]]


class DirectInvocations:
    """Handles events whose senders IAM authorized; `trial` handles trials, `smoke_test` hooks of CodeDeploy, `title`
    requests for titles with the id of their invocation, `clock` measures deadlines."""

    def __init__(
        self,
        *,
        engine: ChatEngine,
        trial: HandleEvent,
        smoke_test: HandleEvent,
        title: Callable[[dict[str, Any], str], dict[str, Any]],
        limits: ChatLimits,
        background_runs: BackgroundRuns,
        responses: "Callable[[], BackgroundResponses]",
        approvals: "Callable[[], Approvals]",
        clock: Clock,
    ) -> None:
        self._engine = engine
        self._trial = trial
        self._smoke_test = smoke_test
        self._title = title
        self._limits = limits
        self._background_runs = background_runs
        self._responses = responses
        self._approvals = approvals
        self._clock = clock

    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Return the plain response to an event. Raises RunFailedError for a background run that has failed."""
        if "run" in event:
            return self._run(event, context)
        request_id: str = context.aws_request_id
        with logger.append_context_keys(request_id=request_id), tracing(TraceContext.of_request(request_id)):
            if HOOK_KEY in event:
                return self._smoke_test(event, context)
            if "title" in event:
                return self._title(event, request_id)
            return self._trial(event, context) if "trial" in event else self._chat(event, context)

    def _chat(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Return the answer to a bare `ChatRequest`, or the error envelope."""
        request_id: str = context.aws_request_id
        try:
            request = parse(ChatRequest, event)
            deadline = event_deadline(context, request.deadline_ms, clock=self._clock)
            response = self._engine.answer(
                request, caller=DIRECT, deadline=deadline, request_id=request_id, front_end="direct"
            )
        except FlexchatError as error:
            return to_http_error(error, request_id).body.model_dump(mode="json")
        return response.model_dump(mode="json")

    def _run(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Return the status of a run of `POST /api/chat`, `POST /v1/responses` or an approval after its chat."""
        run_event, started = BackgroundRunEvent.parse(event), False

        def run_chat(
            request: ChatRequest, caller: Caller, deadline: Deadline, request_id: str, observe: Emit
        ) -> ChatResponse:
            nonlocal started
            started = True
            return self._engine.answer(
                request,
                caller=caller,
                deadline=deadline,
                request_id=request_id,
                observe=observe,
                reservations=run_event.reservations,
                stream=True,
                restarts=True,
                run_id=run_event.id,
            )

        def run_response(
            queued: "QueuedResponse", caller: Caller, deadline: Deadline, request_id: str, observe: Emit
        ) -> ChatResponse:
            nonlocal started
            started = True
            return self._responses().run(
                queued,
                caller=caller,
                deadline=deadline,
                request_id=request_id,
                observe=observe,
                reservations=run_event.reservations,
            )

        def run_approved(
            approval: str, caller: Caller, deadline: Deadline, request_id: str, observe: Emit
        ) -> ChatResponse:
            request, state, settings = self._approvals().approved(approval, deadline=deadline)
            return self._engine.answer(
                request,
                caller=caller,
                deadline=deadline,
                request_id=request_id,
                observe=observe,
                stream=True,
                overrides=settings,
                restarts=True,
                run_id=run_event.id,
                continued=state,
            )

        runs = self._background_runs
        with tracing(run_event.trace_context):
            if run_event.kind == "chat":
                outcome = runs.execute(run_event, context, run_chat, parse=ChatRequest.model_validate_json)
            elif run_event.kind == "approval":
                outcome = runs.execute(run_event, context, run_approved, parse=bytes.decode)
            else:
                outcome = runs.execute(run_event, context, run_response, parse=self._responses().parse)
        if outcome["status"] == "cancelled" and not started and run_event.reservations:
            self._limits.release(
                run_event.caller, run_event.reservations, deadline=event_deadline(context, None, clock=self._clock)
            )
        return outcome


def parse[T: ApiModel](model: type[T], event: dict[str, Any]) -> T:
    """Return the model of an event. Raises RequestError for an event of another shape."""
    try:
        return model.model_validate(event)
    except ValidationError as exc:
        raise shape_error(exc.errors(include_url=False), model) from exc


def event_deadline(context: Any, deadline_ms: int | None, *, clock: Clock) -> Deadline:
    """Return the earlier of the caller's deadline and the end of the invocation."""
    deadline = invocation_deadline(context, clock=clock)
    return deadline if deadline_ms is None else deadline.within(deadline_ms / 1000)
