"""Services of lists, views, tests and sessions of callers: a chat imports none of them."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.deadline import Clock, Deadline
from flexchat.limits.rate_limits import RateLimits
from flexchat.runs import WallClock
from functions.chat.api.trial_events import TrialEvents
from functions.chat.files.message_files import MessageFiles
from functions.chat.inspection.configuration import Inspector
from functions.chat.runtime import RuntimeCache
from functions.chat.sessions.api import SessionsApi
from functions.chat.sessions.shares import SharesApi
from functions.chat.sessions.store.sessions import SessionStore
from functions.chat.sessions.store.shares import ShareStore
from functions.chat.stored_files import Scope
from functions.chat.tools.executor import FunctionInvoker
from functions.chat.tracing.sender import TraceSender
from functions.chat.trials.phase_tests import PhaseTests
from functions.chat.trials.quick_tests import QuickTests
from functions.chat.trials.tool_calls import ToolCallTests
from functions.chat.trials.trial import TrialRunner

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class Operations:
    """Services of one environment, each created on first use.

    Tests are recorded where there is a `tracker`. `sessions` returns the client and the name of the table of sessions.
    """

    def __init__(
        self,
        *,
        stage: str,
        runtimes: RuntimeCache,
        invoker: FunctionInvoker,
        limits: RateLimits,
        tracker: Callable[[], ModelValidationTracker] | None,
        retention_days: int,
        traces: TraceSender,
        sessions: "Callable[[], tuple[DynamoDBClient, str]]",
        files: MessageFiles,
        clock: Clock,
        now: WallClock,
    ) -> None:
        self._stage = stage
        self._runtimes = runtimes
        self._invoker = invoker
        self._limits = limits
        self._tracker = tracker
        self._retention_days = retention_days
        self._traces = traces
        self._sessions = sessions
        self._files = files
        self._clock = clock
        self._now = now

    @cached_property
    def inspector(self) -> Inspector:
        return Inspector(runtimes=self._runtimes, stage=self._stage)

    @cached_property
    def phase_tests(self) -> PhaseTests:
        return PhaseTests(runtimes=self._runtimes, invoker=self._invoker, traces=self._traces, clock=self._clock)

    @cached_property
    def quick_tests(self) -> QuickTests:
        """Return the tests of models by plain queries."""
        return QuickTests(
            runtimes=self._runtimes,
            trials=self._trials,
            inspector=self.inspector,
            tracker=self._tracker,
            retention_days=self._retention_days,
            now=self._now,
        )

    @cached_property
    def tool_call_tests(self) -> ToolCallTests:
        """Return the calls of single tools by operators."""
        return ToolCallTests(
            runtimes=self._runtimes,
            invoker=self._invoker,
            limits=self._limits,
            traces=self._traces,
            clock=self._clock,
        )

    @property
    def sessions(self) -> SessionsApi:
        """Return the sessions of callers, with the settings of the current configuration."""
        client, table = self._sessions()
        ttl_days = self._runtimes.current().catalog.configuration.sessions.ttl_days
        store = SessionStore(client, table)
        return SessionsApi(store=store, delete_files=self._delete_files, clock=self._now, ttl_days=ttl_days)

    @property
    def shares(self) -> SharesApi:
        """Return the links to sessions, with the settings of the current configuration."""
        client, table = self._sessions()
        return SharesApi(
            sessions=SessionStore(client, table),
            shares=ShareStore(client, table),
            settings=self._runtimes.current().catalog.configuration.sessions.sharing,
            clock=self._now,
        )

    def _delete_files(self, owner: str, session_id: str, deadline: Deadline) -> None:
        self._files.delete(Scope.session(session_id), owner=owner, deadline=deadline)

    def trial(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Return the `TrialOutcome` of a `TrialEvent`."""
        return TrialEvents(self._trials, clock=self._clock).handle(event, context)

    @cached_property
    def _trials(self) -> TrialRunner:
        return TrialRunner(
            runtimes=self._runtimes,
            invoker=self._invoker,
            limits=self._limits,
            traces=self._traces,
            clock=self._clock,
        )
