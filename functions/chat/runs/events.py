"""Event by which the function invokes itself for a background run."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from flexchat.api import ApiModel
from flexchat.http_api.caller import Caller
from flexchat.limits.admission import Reservation
from flexchat.messages import Json
from flexchat.runs import RunKey
from flexchat.tokens import Role

ALIAS: Final = "live"
"""Alias that runs are invoked by. The function's role may invoke no other, and the template's retries, age and failure
queue of asynchronous events are the alias's."""

_ALIAS_FIELD: Final = 7
"""Position of the alias in a function's ARN, which has none when the function itself was invoked."""


def own_alias(invoked: str) -> str:
    """Return the ARN of the alias; `invoked` is that of the current invocation, of any alias or version or of none."""
    return ":".join((*invoked.split(":")[:_ALIAS_FIELD], ALIAS))


class BackgroundRunEvent(ApiModel):
    """Id and caller of a run, with the reservations by which its request was admitted.

    The chat request is not part of it: it is stored with the run, which expires.
    """

    id: str
    principal: str
    roles: tuple[Role, ...]
    request_id: str
    reservations: Annotated[tuple[Reservation, ...], Field(exclude_if=lambda counted: not counted)] = ()

    @classmethod
    def parse(cls, payload: Mapping[str, Any]) -> "BackgroundRunEvent":
        """Return the event of a payload. Raises pydantic's ValidationError for a payload of another form."""
        return cls.model_validate(payload["run"])

    def payload(self) -> dict[str, Json]:
        return {"run": self.model_dump(mode="json")}

    @property
    def key(self) -> RunKey:
        return RunKey(self.principal, self.id)

    @property
    def caller(self) -> Caller:
        return Caller(self.principal, frozenset(self.roles))
