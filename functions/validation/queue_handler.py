"""Handler of SQS events; failed messages return to the queue."""

from math import ceil
from typing import Any, Final

from pydantic import ValidationError

from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, UnavailableError
from flexchat.messages import Json
from flexchat.observability import logger
from functions.validation.case_worker import CaseWorker
from functions.validation.run_items import QueueMessage, SqsRecord, sqs_records
from functions.validation.run_starter import RunPlanner
from functions.validation.stores import Queue

PAUSE_SECONDS: Final = 45
"""Delay of a failed message's next record, by attempt."""

CRASH_SECONDS: Final = 30
"""Time after an invocation until the message of one that crashed is delivered again; the visibility timeout of the
queue is half an hour."""


class QueueHandler:
    """Processes SQS records. Errors other than FlexchatError fail the invocation, which the alarm counts."""

    def __init__(self, *, planner: RunPlanner, worker: CaseWorker, queue: Queue) -> None:
        self._planner = planner
        self._worker = worker
        self._queue = queue

    def handle(self, event: dict[str, Any], deadline: Deadline) -> dict[str, Json]:
        """Return the partial batch response of Lambda."""
        failed = [record for record in sqs_records(event) if not self._process(record, deadline)]
        return {"batchItemFailures": [{"itemIdentifier": record.message_id} for record in failed]}

    def _process(self, record: SqsRecord, deadline: Deadline) -> bool:
        """Process a message; return false if SQS must deliver it again.

        If this environment ends before that, SQS delivers it soon after the time of the invocation.
        """
        self._delay(record, ceil(deadline.remaining()) + CRASH_SECONDS, deadline)
        try:
            message = QueueMessage.model_validate_json(record.body)
            if message.plan is not None:
                self._planner.plan(message.plan.run, deadline=deadline)
            if message.item is not None:
                self._worker.work(message.item, is_last=record.is_last, deadline=deadline)
        except ValidationError:
            logger.error("message rejected", message_id=record.message_id)
            return False
        except FlexchatError as exc:
            receives = record.attributes.receives
            logger.warning("message failed", message_id=record.message_id, receives=receives, reason=str(exc))
            self._delay(record, PAUSE_SECONDS * receives, deadline)
            return False
        return True

    def _delay(self, record: SqsRecord, seconds: int, deadline: Deadline) -> None:
        try:
            self._queue.delay(record.receipt, seconds=seconds, deadline=deadline)
        except UnavailableError as exc:
            logger.warning("message not delayed", message_id=record.message_id, reason=str(exc))
