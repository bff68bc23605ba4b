"""Handlers of the events of an operation: one response for every event, within the time of its request."""

import time
from collections.abc import Callable
from typing import Any, Final, Literal, Protocol, Self

from pydantic import BaseModel, ValidationError

from flexchat.deadline import Clock, call_with_timeout
from flexchat.errors import RetrievalError
from flexchat.messages import Json
from flexchat.observability import logger, stack_of
from flexchat.tool_runtime import MARGIN_MS, InvocationContext

type OperationHandler = Callable[[object, InvocationContext | None], dict[str, Json]]

_LABELS: Final = {"search": "search", "embed": "embedding", "read": "reading of the file"}


class OperationRequest(Protocol):
    """Event of an operation."""

    @property
    def request_id(self) -> str: ...

    @property
    def timeout_ms(self) -> int: ...

    def model_copy(self, *, update: dict[str, Any]) -> Self: ...

    @classmethod
    def model_validate(cls, obj: Any) -> Self: ...


def operation_handler[Q: OperationRequest, R: BaseModel](
    name: Literal["search", "embed", "read"],
    request_type: type[Q],
    run: Callable[[Q], R],
    *,
    fail: Callable[[RetrievalError], R],
    report: Callable[[Q, R, int], None],
    clock: Clock = time.monotonic,
) -> OperationHandler:
    """Return the Lambda handler of one operation.

    It raises nothing: a failure, a timeout and an event outside the contract are responses of `fail`. `report` receives
    each request, its response and its duration in milliseconds.
    """
    label = _LABELS[name]

    def handler(event: object, context: InvocationContext | None = None) -> dict[str, Json]:
        started = clock()
        try:
            request = request_type.model_validate(event)
        except ValidationError as exc:
            logger.remove_keys(["request_id"])
            fields = sorted({".".join(map(str, error["loc"])) for error in exc.errors(include_input=False)})
            logger.error("event refused", operation=name, fields=fields)
            message = f"Not {'an' if label[0] in 'aeiou' else 'a'} {label} request: {', '.join(fields)} invalid"
            return _reply(fail(RetrievalError(message, code="configuration")))
        logger.append_keys(request_id=request.request_id)
        if context is not None:
            left_ms = context.get_remaining_time_in_millis() - MARGIN_MS
            request = request.model_copy(update={"timeout_ms": min(request.timeout_ms, left_ms)})
        response = attempt(request)
        report(request, response, round((clock() - started) * 1000))
        return _reply(response)

    def attempt(request: Q) -> R:
        if request.timeout_ms <= 0:
            return timed_out(request)
        try:
            return call_with_timeout(request.timeout_ms / 1000, lambda: run(request))
        except RetrievalError as exc:
            return fail(exc)
        except TimeoutError:
            return timed_out(request)
        except Exception as exc:  # noqa: BLE001 # a failed operation is a response, whatever its cause
            logger.error("operation crashed", operation=name, error=type(exc).__name__, stack=stack_of(exc))
            return fail(RetrievalError(f"the {label} failed unexpectedly", code="damaged"))

    def timed_out(request: Q) -> R:
        message = f"the {label} timed out after {max(0, request.timeout_ms)} ms"
        return fail(RetrievalError(message, code="unavailable"))

    return handler


def _reply(response: BaseModel) -> dict[str, Json]:
    return response.model_dump(mode="json", exclude_none=True)
