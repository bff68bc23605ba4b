"""What the function sends itself to have a run done in the background."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from flexchat.api import ApiModel
from flexchat.http_api.caller import Caller
from flexchat.messages import Json
from flexchat.runs import RunKey
from flexchat.tokens import Role
from functions.chat.limits.admission import Reservation

ALIAS: Final = "live"
"""The alias that runs are invoked by. The function's role may invoke no other, and the template's retries, age and
failure queue of asynchronous events are the alias's."""

_ALIAS_FIELD: Final = 7
"""The position of the alias in a function's ARN, which has none where the function itself was invoked."""


def own_alias(invoked: str) -> str:
    """The ARN of the alias; `invoked` is the ARN that a request came in by, of any alias or version or of none."""
    return ":".join((*invoked.split(":")[:_ALIAS_FIELD], ALIAS))


class RunOrder(ApiModel):
    """The run's id and its caller, and the reservations by which its request was admitted.

    It holds nothing of what was asked: that stands in the run, which expires.
    """

    id: str
    principal: str
    roles: tuple[Role, ...]
    request_id: str
    reservations: Annotated[tuple[Reservation, ...], Field(exclude_if=lambda counted: not counted)] = ()

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> "RunOrder":
        """The order of a payload. Raises pydantic's ValidationError for one that is not of our making."""
        return cls.model_validate(payload["run"])

    def payload(self) -> dict[str, Json]:
        return {"run": self.model_dump(mode="json")}

    @property
    def key(self) -> RunKey:
        return RunKey(self.principal, self.id)

    @property
    def caller(self) -> Caller:
        return Caller(self.principal, frozenset(self.roles))
