"""How long the model calls of one chat take, and what the time left has room for. The rule is in docs/deadlines.md."""

from flexchat.deadline import Deadline

LEAST_USUAL_SECONDS = 0.5
"""No call is taken to be quicker than this: the next one may be slower than all before it."""

LEAST_TOOL_SECONDS = 0.5
"""What a turn of tools needs to be worth asking for."""

ANSWER_SHARE = 1.5
"""How much of the usual time is kept for the answer while tools run: it has more to read than any call before it."""


class TimeBudget:
    """Learns from a chat's own calls; nothing is known of the next one but how long the slowest took."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._usual = LEAST_USUAL_SECONDS
        self._tools = LEAST_TOOL_SECONDS

    def model_took(self, started: float) -> None:
        """A model call that began at `started`, on the deadline's clock, has been answered."""
        self._usual = max(self._usual, self._deadline.clock() - started)

    def tools_took(self, started: float) -> None:
        """A turn of tools that began at `started`, on the deadline's clock, is over."""
        self._tools = max(self._tools, self._deadline.clock() - started)

    @property
    def must_answer(self) -> bool:
        """Whether the next call has to be the answer: one more turn of tools, and the answer after it, do not fit.

        Slow tools count as long as a model call at most, since `tools_due` gives them no more than half.
        """
        tools = max(LEAST_TOOL_SECONDS, min(self._tools, self._usual))
        return self._deadline.remaining() < 2 * self._usual + tools

    @property
    def can_answer(self) -> bool:
        """Whether asking for the answer is worth its price: it may be quicker than the slowest call, not by much."""
        return self._deadline.remaining() >= self._usual / 2

    def tools_due(self) -> Deadline:
        """When the tools of a turn must be done for the model to answer from their results."""
        return self._deadline.minus(min(ANSWER_SHARE * self._usual, self._deadline.remaining() / 2))
