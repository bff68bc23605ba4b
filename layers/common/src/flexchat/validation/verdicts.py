"""What came of a case, and what that is worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from flexchat.messages import Json

Result = Literal["passed", "failed", "no_tool_call", "error", "skipped"]
"""`passed` and `failed` count for a model. The others are kept and count for nothing: `no_tool_call` is a plain test
that was answered directly, `error` a provider that did not answer, `skipped` a case that was not asked any more."""


Limit = Literal["iterations", "repeated_calls", "tool_calls", "deadline"]


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call that the model made. `arguments` is None where it sent no JSON object; `iteration` counts from 1."""

    tool: str
    arguments: Mapping[str, Json] | None
    iteration: int
    success: bool
    error_type: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a case: the model's calls in order, and its answer; `limit` when a limit cost the answer.

    `error` is why its provider could not go on, where that ended it; then nothing is known of the model.
    """

    calls: tuple[MadeCall, ...]
    content: str
    limit: Limit | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an outcome is right; `reasons` say in words what is not, for people."""

    result: Result
    reasons: tuple[str, ...] = ()
