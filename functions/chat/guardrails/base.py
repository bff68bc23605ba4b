"""Protocol of guardrails: one text in, one verdict out."""

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, Protocol

from msgspec import Struct

from flexchat.config.models.guardrails import GuardrailConfig
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.text import single_line, truncate

type TextSource = Literal["input", "output"]
"""Author of a checked text: the user, or the model."""

type GuardrailErrorType = Literal["timeout", "throttled", "unavailable", "refused", "invalid_response"]

MAX_POLICIES: Final = 20
MAX_POLICY_CHARACTERS: Final = 100


class Verdict(Struct, frozen=True, kw_only=True):
    """Verdict on one text.

    `text` replaces a masked text. `policies` are the names of the policies that intervened, without any part of the
    text. `units` are the charged text units of all policies. `message` is the guardrail's own answer in place of a
    blocked text.
    """

    action: Literal["allowed", "masked", "blocked"]
    text: str = ""
    policies: tuple[str, ...] = ()
    units: int = 0
    message: str = ""


class GuardrailError(FlexchatError):
    """A check without a verdict. The message has no part of the text."""

    def __init__(self, type: GuardrailErrorType, *, status: int | None = None) -> None:
        super().__init__(type if status is None else f"{type} (HTTP {status})")
        self.type: GuardrailErrorType = type
        self.status = status


class TransientGuardrailError(GuardrailError):
    """A failure that the same request may survive; `retry_after` is in seconds, if the service sent a delay."""

    retry_after: float | None = None


class Guardrail(Protocol):
    """Client of one guardrail."""

    def check(self, text: str, source: TextSource, *, deadline: Deadline) -> Verdict:
        """Return the verdict on a text of at most 25,000 characters. Raises GuardrailError."""
        ...


type CreateGuardrail = Callable[[str, GuardrailConfig], Guardrail]
"""Returns the client of an entry of `guardrails` by its name. Raises ConfigError for one that cannot be used."""


class NamedGuardrail(Struct, frozen=True):
    """An entry of `guardrails` with its client."""

    name: str
    config: GuardrailConfig
    client: Guardrail


def policy_names(values: Iterable[Any]) -> tuple[str, ...]:
    """Return names of policies for records: each once, on one line, the first 20."""
    names = (truncate(single_line(value), MAX_POLICY_CHARACTERS) for value in values if isinstance(value, str))
    return tuple(dict.fromkeys(filter(None, names)))[:MAX_POLICIES]
