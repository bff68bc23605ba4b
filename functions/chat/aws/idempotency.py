"""Makes a repeated request the same request: the first one is done, the others get what it came to."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from flexchat.deadline import Deadline
from flexchat.messages import Json

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from functions.chat.aws.idempotency_records import Remembering


@dataclass(frozen=True, slots=True)
class Stored:
    """What a request came to, small enough to be remembered: its HTTP status, and where the answer or the run is."""

    status: int
    blob: str | None = None
    run: str | None = None


class Idempotency:
    """Remembers by key for a day what requests came to, in one DynamoDB table. It serves one request at a time.

    What does so is loaded with the first request that has a key: a tenth of a second that no other has to wait for.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def run(
        self,
        key: str,
        *,
        scope: str,
        body: Mapping[str, Json],
        deadline: Deadline,
        produce: Callable[[], Stored],
    ) -> tuple[Stored, bool]:
        """What `produce()` returns, or returned when `key` first came within `scope`; and whether it was then.

        `deadline` is when the request is over. What `produce` raises is raised, and not remembered. Where its outcome
        cannot be remembered it is returned all the same.
        Raises RequestError for a key that came with another body (422) or is being done (409), UnavailableError when
        the table does not answer before anything is done, ConfigError for an error only the operator can correct.
        """
        stored, first = self._remembering.run(
            key, scope=scope, body=body, deadline=deadline, produce=lambda: asdict(produce())
        )
        return Stored(**stored), first

    @cached_property
    def _remembering(self) -> "Remembering":
        from functions.chat.aws.idempotency_records import Remembering

        return Remembering(self._client, self._table)
