"""Idempotency of requests: one execution for each key, its outcome stored for a day.

Powertools with a deadline for each call of DynamoDB. The module is imported for the first request with a key.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent_function,
)
from aws_lambda_powertools.utilities.idempotency.exceptions import (
    IdempotencyAlreadyInProgressError,
    IdempotencyInconsistentStateError,
    IdempotencyPersistenceLayerError,
    IdempotencyValidationError,
)
from aws_lambda_powertools.utilities.idempotency.persistence.datarecord import DataRecord
from msgspec import Struct

from flexchat.aws.dynamodb import with_deadline
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, RequestError, UnavailableError
from flexchat.messages import Json
from flexchat.observability import logger

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext
    from mypy_boto3_dynamodb import DynamoDBClient

EXPIRES_AFTER_SECONDS = 24 * 3_600
STORE_SECONDS = 5.0
"""Longest read of a key before the request is executed."""

DEAD_AFTER_SECONDS = 2.0
"""Time after its deadline for which a request without an outcome counts as executing: it may be storing it."""


class _Records(DynamoDBPersistenceLayer):
    """The table; `deadline` is that of the next call."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        super().__init__(table_name=table, boto3_client=client)
        self.deadline = Deadline(at=0.0)

    def _get_record(self, idempotency_key: str) -> DataRecord:
        get = super()._get_record  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] # untyped there
        return self._bounded("read a key from", lambda: get(idempotency_key))

    def _put_record(self, data_record: DataRecord) -> None:
        put = super()._put_record
        self._bounded("write a key to", lambda: put(data_record))

    def _update_record(self, data_record: DataRecord) -> None:
        update = super()._update_record
        self._bounded("write a key to", lambda: update(data_record))

    def _delete_record(self, data_record: DataRecord) -> None:
        delete = super()._delete_record
        self._bounded("delete a key from", lambda: delete(data_record))

    def _bounded[T](self, action: str, call: Callable[[], T]) -> T:
        return with_deadline(self.deadline, action, self.table_name, call)


class _TimeLeft(Struct, frozen=True):
    """A Lambda context whose end is the time from which Powertools ignores an unfinished request."""

    deadline: Deadline

    def get_remaining_time_in_millis(self) -> int:
        return self.deadline.remaining_ms()


class _Attempt(Struct):
    """One execution of a request; stores its outcome when the table fails afterwards."""

    produce: Callable[[], dict[str, Any]]
    records: _Records
    deadline: Deadline
    outcome: dict[str, Any] | None = None
    error: Exception | None = None

    def execute(self, *, request: object) -> dict[str, Any]:
        """Return the outcome; Powertools derives the key from `request`."""
        del request
        try:
            self.outcome = self.produce()
        except Exception as error:
            self.error = error
            raise
        finally:
            self.records.deadline = self.deadline
        return self.outcome

    def unstored_outcome(self, failure: IdempotencyPersistenceLayerError) -> dict[str, Any]:
        """Return the outcome although the table failed; raise the error of the request, or of the table before it."""
        cause = failure.__cause__
        if self.error:
            raise self.error
        if self.outcome is not None:
            logger.error("outcome not stored", reason=str(cause))
            return self.outcome
        raise cause if isinstance(cause, FlexchatError) else UnavailableError(str(failure))


class IdempotencyStore:
    """Outcomes of requests by key in one DynamoDB table, for one request at a time."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._records = _Records(client, table)

    def run(
        self,
        key: str,
        *,
        scope: str,
        body: Mapping[str, Json],
        deadline: Deadline,
        produce: Callable[[], dict[str, Any]],
    ) -> tuple[dict[str, Any], bool]:
        """Return the outcome of the first request with `key` within `scope`, and True when it is a repeated one.

        `produce` executes the request; an error of it is raised and not stored. An outcome that cannot be stored is
        returned all the same. Raises RequestError for a key that was sent with another body (422) or whose request is
        executing (409), UnavailableError when the table does not answer before the execution, and ConfigError for an
        error that only the operator can correct.
        """
        attempt = _Attempt(produce, self._records, deadline)
        self._records.deadline = deadline.within(STORE_SECONDS)
        once = idempotent_function(
            attempt.execute,
            data_keyword_argument="request",
            persistence_store=self._records,
            config=_config(deadline),
            key_prefix=scope,
        )
        try:
            outcome = once(request={"key": key, "body": body})
        except IdempotencyValidationError as exc:
            raise _reused() from exc
        except (IdempotencyAlreadyInProgressError, IdempotencyInconsistentStateError) as exc:
            raise _in_progress() from exc
        except IdempotencyPersistenceLayerError as exc:
            return attempt.unstored_outcome(exc), False
        return outcome, attempt.outcome is None


def _config(deadline: Deadline) -> IdempotencyConfig:
    return IdempotencyConfig(
        event_key_jmespath="key",
        payload_validation_jmespath="body",
        raise_on_no_idempotency_key=True,
        expires_after_seconds=EXPIRES_AFTER_SECONDS,
        hash_function="sha256",
        lambda_context=cast("LambdaContext", _TimeLeft(deadline.minus(-DEAD_AFTER_SECONDS))),
    )


def _reused() -> RequestError:
    message = "this Idempotency-Key was used with another body; send a new key with a new request"
    return RequestError(message, status=HTTPStatus.UNPROCESSABLE_ENTITY, code="idempotency_key_reused")


def _in_progress() -> RequestError:
    message = "the request with this Idempotency-Key is still in progress; send it again in a moment"
    return RequestError(
        message, status=HTTPStatus.CONFLICT, code="idempotency_in_progress", retry_after=DEAD_AFTER_SECONDS
    )
