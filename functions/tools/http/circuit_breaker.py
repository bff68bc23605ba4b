"""Circuit breakers: a host that failed repeatedly is not called for a while; then one call at a time tests it.

    closed ──failures in a row──> open ──open_ms──> half-open ──success──> closed
                                   ^                    └─────failure────> open

A failure without a connection does not depend on the request. Any other, an error of the server or a timeout, may be
caused by the arguments of one caller: those of a single caller never open the circuit. They refuse its own calls for
`open_ms`, in one environment.

Each environment counts its own failures in a row, since a shared count would need a write for every success. All
environments share the open circuit. A closed circuit is read again after `REFRESH_SECONDS`, so that most calls of a
healthy tool need no read.
"""

import time
from collections.abc import Callable
from math import ceil
from types import TracebackType
from typing import Protocol, Self

from msgspec import Struct, field

from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, ToolError
from flexchat.observability import emit_metrics, logger
from functions.tools.http.implementation import CircuitBreaker

REFRESH_SECONDS = 5.0
"""Maximum age of the state on which an environment decides."""

STATE_SECONDS = 0.5
"""Maximum time of one read or write of the state; a call continues without it."""

PROBE_MARGIN_SECONDS = 2.0
"""Seconds after its timeout that a test call without a result counts as lost."""


class Circuit(Struct, frozen=True):
    """Key of a circuit: one host as one tool calls it."""

    tool: str
    host: str


class OpenCircuit(Struct, frozen=True):
    """Stored state of a circuit that is not closed; times are in seconds since the epoch.

    It is open until `until`, and half-open after that. `probe_until` is the end of the test call, 0 without one.
    """

    until: float
    probe_until: float = 0.0


class CircuitStore(Protocol):
    """State that all environments share. Methods raise UnavailableError and ConfigError."""

    def read_circuit(self, circuit: Circuit, deadline: Deadline) -> OpenCircuit | None:
        """Return the state of a circuit; None for a closed one."""
        ...

    def open_circuit(self, circuit: Circuit, *, now: float, until: float, deadline: Deadline) -> bool:
        """Open a circuit; return False, without effect, for one that is open at `now`."""
        ...

    def start_probe(
        self, circuit: Circuit, *, by: str, now: float, until: float, deadline: Deadline
    ) -> OpenCircuit | bool:
        """Reserve the test call of a half-open circuit for the call `by`.

        Return True on success, False for a closed circuit, and the state that prevents it otherwise.
        """
        ...

    def end_probe(self, circuit: Circuit, *, by: str, open_until: float | None, deadline: Deadline) -> None:
        """End the test call `by`, if it is still reserved for it: close the circuit, or open it until `open_until`."""
        ...


class _View(Struct):
    """View of one environment: its failures in a row, and the state as it was read at `read_at`.

    `unreached` counts failures without a connection, `failures` the others by caller; `refused` are the callers whose
    calls are refused, with the end of it.
    """

    failures: dict[str, int] = field(default_factory=dict[str, int])
    unreached: int = 0
    refused: dict[str, float] = field(default_factory=dict[str, float])
    state: OpenCircuit | None = None
    read_at: float = float("-inf")

    def restart(self) -> None:
        """Start the count of failures again."""
        self.failures.clear()
        self.unreached = 0

    def count(self, caller: str | None) -> int:
        """Count a failure of a caller, None for one without a connection; return all that count together with it."""
        if caller is None:
            self.unreached += 1
        else:
            self.failures[caller] = self.failures.get(caller, 0) + 1
        return self.unreached + sum(self.failures.values())

    @property
    def depends_on_one_caller(self) -> bool:
        """True while another caller might have had no failure."""
        return self.unreached == 0 and len(self.failures) == 1

    def refuse(self, caller: str, *, now: float, until: float) -> None:
        """Refuse the calls of a caller, whose failures no longer count."""
        self.failures.pop(caller, None)
        self.refused = {name: end for name, end in self.refused.items() if end > now} | {caller: until}


class CircuitBreakers:
    """Circuit breakers of one environment. While the store does not answer, every call is permitted.

    `clock` is in seconds since the epoch: all environments compare their times.
    """

    def __init__(self, store: CircuitStore, *, clock: Clock = time.time) -> None:
        self._store = store
        self._clock = clock
        self._views: dict[Circuit, _View] = {}

    def enter(
        self,
        circuit: Circuit,
        settings: CircuitBreaker,
        *,
        call_id: str,
        deadline: Deadline,
        caller: str = "",
        trial: bool = False,
    ) -> "CircuitPass":
        """Return the permission of one call. Raises ToolError, `circuit_open`, for one that is refused.

        `caller` distinguishes callers; the empty one is a caller too.
        """
        now = self._clock()
        view = self._views.setdefault(circuit, _View())
        if (refused_until := view.refused.get(caller, 0.0)) > now:
            raise _refusal(refused_until - now)
        if (view.state is None or now < view.state.until) and now >= view.read_at + REFRESH_SECONDS:
            view.read_at = now
            view.state = self._stored(lambda due: self._store.read_circuit(circuit, due), deadline, default=view.state)
        probe = view.state is not None and self._starts_probe(circuit, view, view.state, now, call_id, deadline)
        by = call_id if probe else None
        return CircuitPass(self._store, self._clock, circuit, settings, view, by, caller=caller, trial=trial)

    def _starts_probe(
        self, circuit: Circuit, view: _View, state: OpenCircuit, now: float, call_id: str, deadline: Deadline
    ) -> bool:
        """Return True for a test call and False for one through a closed circuit."""
        view.restart()
        if state.until <= now:
            until = now + deadline.remaining() + PROBE_MARGIN_SECONDS
            found = self._stored(
                lambda due: self._store.start_probe(circuit, by=call_id, now=now, until=until, deadline=due),
                deadline,
                default=False,
            )
            if isinstance(found, bool):
                view.state, view.read_at = (state if found else None), now
                return found
            view.state = state = found
        raise _refusal(max(state.until, state.probe_until) - now)

    def _stored[T](self, read: Callable[[Deadline], T], deadline: Deadline, *, default: T) -> T:
        try:
            return read(deadline.within(STATE_SECONDS))
        except FlexchatError as exc:
            logger.error("circuit breaker state not read", reason=str(exc))
            return default


class CircuitPass:
    """Permission of one call, which reports each of its requests as `succeeded` or `failed`.

    As a context manager it ends a test call without such a report, so that another call may test the host.
    """

    def __init__(
        self,
        store: CircuitStore,
        clock: Clock,
        circuit: Circuit,
        settings: CircuitBreaker,
        view: _View,
        probe: str | None,
        *,
        caller: str,
        trial: bool,
    ) -> None:
        self._store = store
        self._clock = clock
        self._circuit = circuit
        self._settings = settings
        self._view = view
        self._probe = probe
        self._caller = caller
        self._trial = trial

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._probe is not None:
            self._end_probe(self._probe, open_until=self._clock())

    def succeeded(self) -> None:
        """Report a response of the host; a test call closes the circuit."""
        self._view.restart()
        if self._probe is not None:
            self._view.state = None
            self._end_probe(self._probe, open_until=None)

    def failed(self, *, reached: bool = True) -> bool:
        """Report a request without a response, or with an error of the server; return True if calls are refused.

        `reached` is False for a request without a connection to the host.
        """
        now = self._clock()
        until = now + self._settings.open_ms / 1000
        failures = self._view.count(self._caller if reached else None)
        if self._probe is None and failures < self._settings.failures:
            return False
        if self._view.depends_on_one_caller:
            self._view.refuse(self._caller, now=now, until=until)
            logger.warning("circuit opened for one caller", tool=self._circuit.tool, host=self._circuit.host)
            if self._probe is not None:
                self._view.state = OpenCircuit(now)
                self._end_probe(self._probe, open_until=now)
            return True
        self._view.restart()
        self._view.state, self._view.read_at = OpenCircuit(until), now
        if self._probe is not None:
            self._end_probe(self._probe, open_until=until)
            self._report(opened=True)
        else:
            self._report(
                opened=self._written(
                    lambda due: self._store.open_circuit(self._circuit, now=now, until=until, deadline=due),
                    default=True,
                )
            )
        return True

    def _end_probe(self, by: str, *, open_until: float | None) -> None:
        self._probe = None
        self._written(
            lambda due: self._store.end_probe(self._circuit, by=by, open_until=open_until, deadline=due), default=None
        )

    def _written[T](self, write: Callable[[Deadline], T], *, default: T) -> T:
        """Return `write` within a time of its own: a request that failed has often used that of the call."""
        try:
            return write(Deadline.after(STATE_SECONDS))
        except FlexchatError as exc:
            logger.error("circuit breaker state not written", reason=str(exc))
            return default

    def _report(self, *, opened: bool) -> None:
        if not opened:
            return
        logger.warning(
            "circuit opened", tool=self._circuit.tool, host=self._circuit.host, open_ms=self._settings.open_ms
        )
        prefix = "Trial" if self._trial else ""
        emit_metrics(dimension=("tool", self._circuit.tool), counts={f"{prefix}CircuitOpened": 1})


def _refusal(seconds: float) -> ToolError:
    return ToolError(
        f"Not run: the API of this tool failed repeatedly, try again in {max(1, ceil(seconds))} seconds. "
        "Answer without it, and say what is missing.",
        type="circuit_open",
        user_message="The tool is not available at the moment.",
    )
