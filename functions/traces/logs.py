"""Log lines of a stored trace."""

from typing import Final

from flexchat.api.traces import LogLine, LogLines, TraceSummary
from flexchat.aws.logs import LoggedLine, RequestLogs
from flexchat.deadline import Deadline

SECONDS_BEFORE: Final = 60
SECONDS_AFTER: Final = 300
"""A tool's function may log after a chat that did not wait for it, and the traces function stores the trace."""

SEARCH_SECONDS: Final = 20.0


class TraceLogs:
    """Log lines of the functions of one stage."""

    def __init__(self, logs: RequestLogs) -> None:
        self._logs = logs

    def of(self, trace: TraceSummary, *, deadline: Deadline) -> LogLines:
        """Return the lines of a chat's request, from before its start to some minutes after its end."""
        started = trace.started_at.timestamp()
        found = self._logs.lines(
            trace.id,
            since=started - SECONDS_BEFORE,
            until=started + trace.duration_ms / 1000 + SECONDS_AFTER,
            deadline=deadline.within(SEARCH_SECONDS),
        )
        return LogLines(lines=tuple(map(_view, found.lines)), complete=found.complete)


def _view(line: LoggedLine) -> LogLine:
    return LogLine(
        at=line.at,
        function=line.function,
        level=line.level,
        message=line.message,
        fields=line.fields,
    )
