"""The only logger and the only metrics.

`logger.info("tool called", tool="calculate")`: a constant lowercase message, facts as keys, one JSON line. Every line
is redacted by key and by value, so a secret that slips into a fact does not reach the log. (`name`, `args`, `module`
and `message` cannot be fact names: `logging` keeps them for itself.)

There is no tracer on purpose: the X-Ray SDK costs 340 ms of every cold start, the services' traces come from the
template's `Tracing: Active` without it, and every log line carries the trace id that joins the two.
"""

import copy
import json
import logging
import os
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, Final

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from flexchat.redaction import redact_facts, redact_text

NAMESPACE: Final = "Flexchat"
"""Of metrics, where `POWERTOOLS_METRICS_NAMESPACE` names no other. The template's has the stage, so that alarms and the
dashboard of a stage see no metric of another stage of the same account."""

_MAX_STACK: Final = 8_000
_LOOKBEHIND: Final = 4_096
"""Text before the cut that is still searched, so that a secret across the cut does not survive in half."""


class _RedactingFormatter(LambdaPowertoolsFormatter):
    """One redacted JSON line of ASCII characters, whatever the facts hold.

    ASCII because a terminal or a log reader obeys some characters that JSON leaves alone (U+009B begins an escape
    sequence, U+2028 a line). `_aws` is left out: with it at the top, CloudWatch would read the line as metrics.
    """

    def serialize(self, log: Mapping[str, Any]) -> str:  # pyright: ignore[reportIncompatibleMethodOverride] # wider than theirs
        line = redact_facts({key: value for key, value in log.items() if key not in ("_aws", "exception")})
        if stack := log.get("exception"):
            searched = str(stack)[-_MAX_STACK - _LOOKBEHIND :]
            line["exception"] = redact_text(searched, max_text=len(searched))[-_MAX_STACK:]
        return json.dumps(line, default=str, separators=(",", ":"))


class _CurrentStdout(logging.Handler):
    """Writes each line at once to what `sys.stdout` is now, not to what it was at import."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stdout.write(self.format(record) + "\n")
            sys.stdout.flush()
        except (OSError, TypeError, ValueError):
            self.handleError(record)


def _as_text(message: object) -> str:
    """A message that happens to be JSON stays a text; parsed, it could bring keys of its own."""
    return str(message)


logger = Logger(
    logger_handler=_CurrentStdout(),
    logger_formatter=_RedactingFormatter(
        json_deserializer=_as_text, utc=True, use_rfc3339=True, serialize_stacktrace=False
    ),
)
"""Level from `POWERTOOLS_LOG_LEVEL` (default INFO), service name from `POWERTOOLS_SERVICE_NAME`."""


def apply_configured_level(log: Logger) -> None:
    """Raise the level of `log` to `POWERTOOLS_LOG_LEVEL`.

    Powertools prefers the level of Lambda's own filter (`AWS_LAMBDA_LOG_LEVEL`), which the template leaves at DEBUG or
    INFO: a stricter one would drop the lines of metrics, which have no level and count as INFO.
    https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
    """
    name = os.environ.get("POWERTOOLS_LOG_LEVEL", "").upper()
    configured = logging.getLevelNamesMapping().get(name, logging.NOTSET)
    logging.getLogger(log.service).setLevel(max(log.log_level, configured))


apply_configured_level(logger)

# A handler of the root logger would write the same records unredacted.
logging.getLogger(logger.service).propagate = False


def redact_libraries(root: logging.Logger) -> None:
    """Redact what libraries log through `root`, whose handlers are Lambda's own, and drop it below WARNING.

    With `LogFormat: JSON` Lambda writes INFO too, where httpx logs the address of every request.
    """
    root.setLevel(max(root.level, logging.WARNING))
    for handler in root.handlers:
        handler.addFilter(_redacted_record)


def _redacted_record(record: logging.LogRecord) -> logging.LogRecord:
    """A copy of a library's record, with the kind of its exception instead of the text."""
    redacted = copy.copy(record)
    kind = record.exc_info[0] if record.exc_info else None
    redacted.msg = redact_text(record.getMessage()) + (f" ({kind.__name__})" if kind else "")
    redacted.args = redacted.exc_info = redacted.exc_text = None
    return redacted


redact_libraries(logging.getLogger())


def emit_metrics(
    *,
    dimension: tuple[str, str],
    also: Sequence[Mapping[str, str]] = (),
    counts: Mapping[str, float] | None = None,
    milliseconds: Mapping[str, float | Sequence[float]] | None = None,
    percents: Mapping[str, float] | None = None,
) -> None:
    """Write one line of CloudWatch metrics in the embedded metric format.

    Every metric is stored under `dimension` (name and value), and again under each set of dimensions in `also`. The
    line has no other dimension: Powertools adds `service` to every metric, under which an alarm on `dimension` alone
    never sees it. Values of dimensions come from the configuration or the code, never from a model or a caller, as
    each new value is a metric that CloudWatch charges for.
    """
    sets = [{name: value.strip() or "unnamed" for name, value in each.items()} for each in (dict([dimension]), *also)]
    units = (("Count", counts), ("Milliseconds", milliseconds), ("Percent", percents))
    metrics = [(name, unit, values) for unit, group in units for name, values in (group or {}).items()]
    definition = {
        "Namespace": os.environ.get("POWERTOOLS_METRICS_NAMESPACE", NAMESPACE),
        "Dimensions": [list(each) for each in sets],
        "Metrics": [{"Name": name, "Unit": unit} for name, unit, _ in metrics],
    }
    line: dict[str, object] = {"_aws": {"Timestamp": round(time.time() * 1000), "CloudWatchMetrics": [definition]}}
    for each in sets:
        line.update(each)
    line.update({name: _values(values) for name, _, values in metrics})
    sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def _values(values: float | Sequence[float]) -> list[float]:
    """At most 100 values, the most that one metric of a line may have."""
    return [float(value) for value in (values[:100] if isinstance(values, Sequence) else (values,))]


def stack_of(exc: BaseException) -> list[str]:
    """Where `exc` was raised, innermost last, as `file:line function`.

    Without its message: the message of an unexpected error may quote what the caller sent.
    """
    frames = traceback.extract_tb(exc.__traceback__)
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-20:]]
