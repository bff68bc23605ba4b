"""The door of the queue: each message by itself, and those that failed back to SQS."""

from typing import Any, Final

from pydantic import ValidationError

from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, UnavailableError
from flexchat.messages import Json
from flexchat.observability import logger
from functions.validation.aws.queues import WorkQueue
from functions.validation.case_worker import CaseWorker
from functions.validation.queue_messages import QueueMessage, SqsRecord, deliveries
from functions.validation.run_planner import RunPlanner

PAUSE_SECONDS: Final = 45
"""Before a message that failed comes again: without a word it would be half an hour, the queue's own time."""


class QueueHandler:
    """Answers SQS events by what Lambda calls a partial batch response."""

    def __init__(self, *, planner: RunPlanner, worker: CaseWorker, queue: WorkQueue) -> None:
        self._planner = planner
        self._worker = worker
        self._queue = queue

    def handle(self, event: dict[str, Any], deadline: Deadline) -> dict[str, Json]:
        failed = [delivery for delivery in deliveries(event) if not self._is_done(delivery, deadline)]
        return {"batchItemFailures": [{"itemIdentifier": delivery.message_id} for delivery in failed]}

    def _is_done(self, delivery: SqsRecord, deadline: Deadline) -> bool:
        """Whether a message is done with; else it comes again, until the queue puts it aside."""
        try:
            order = QueueMessage.model_validate_json(delivery.body)
            if order.plan is not None:
                self._planner.plan(order.plan.run, deadline=deadline)
            if order.item is not None:
                self._worker.work(order.item, is_last=delivery.is_last, deadline=deadline)
        except ValidationError:
            logger.error("message not understood", message_id=delivery.message_id)
            return False
        except FlexchatError as exc:
            receives = delivery.attributes.receives
            logger.warning("message failed", message_id=delivery.message_id, receives=receives, reason=str(exc))
            self._hold_back(delivery, deadline)
            return False
        return True

    def _hold_back(self, delivery: SqsRecord, deadline: Deadline) -> None:
        seconds = PAUSE_SECONDS * delivery.attributes.receives
        try:
            self._queue.hold_back(delivery.receipt, seconds=seconds, deadline=deadline)
        except UnavailableError as exc:
            logger.warning("message not held back", message_id=delivery.message_id, reason=str(exc))
