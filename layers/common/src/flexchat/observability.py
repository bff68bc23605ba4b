"""Logger and metrics of every function.

`logger.info("tool executed", tool="calculate")` writes a constant lowercase message and its fields as one JSON line.
Every line is redacted by key and by value. (`name`, `args`, `module` and `message` are reserved by `logging`.)

The X-Ray SDK is not used (docs/decisions.md): traces come from the template's `Tracing: Active`, and every log line has
the trace id.
"""

import copy
import json
import logging
import os
import sys
import time
import traceback
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from flexchat.redaction import redact_facts, redact_text
from flexchat.trace_context import TraceContext, current_trace, with_current_trace

NAMESPACE: Final = "Flexchat"
"""Default namespace of metrics. `POWERTOOLS_METRICS_NAMESPACE` of the template adds the stage, so that alarms and the
dashboard of one stage do not include metrics of another."""

_MAX_STACK: Final = 8_000
_LOOKBEHIND: Final = 4_096
"""Characters before the truncation that are searched too, so that a secret across it is redacted whole."""


class _RedactingFormatter(LambdaPowertoolsFormatter):
    """Formatter of one redacted JSON line in ASCII.

    Terminals and log viewers interpret characters that JSON does not escape (U+009B begins an escape sequence, U+2028 a
    line). `_aws` is left out, since CloudWatch would parse the line as metrics.
    """

    def serialize(self, log: Mapping[str, Any]) -> str:  # pyright: ignore[reportIncompatibleMethodOverride] # wider than theirs
        line = redact_facts({key: value for key, value in log.items() if key not in ("_aws", "exception")})
        if stack := log.get("exception"):
            searched = str(stack)[-_MAX_STACK - _LOOKBEHIND :]
            line["exception"] = redact_text(searched, max_text=len(searched))[-_MAX_STACK:]
        return json.dumps(line, default=str, separators=(",", ":"))


class _CurrentStdout(logging.Handler):
    """Handler that writes to the current `sys.stdout`, not to the one at import, and flushes each line."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stdout.write(self.format(record) + "\n")
            sys.stdout.flush()
        except (OSError, TypeError, ValueError):
            self.handleError(record)


def _as_text(message: object) -> str:
    """Return the message as text, also when it is JSON, which would add keys to the line."""
    return str(message)


logger = Logger(
    logger_handler=_CurrentStdout(),
    logger_formatter=_RedactingFormatter(
        json_deserializer=_as_text, utc=True, use_rfc3339=True, serialize_stacktrace=False
    ),
)
"""Logger with the level of `POWERTOOLS_LOG_LEVEL` (default INFO) and the service name of `POWERTOOLS_SERVICE_NAME`."""


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

# Handlers of the root logger would write the same records unredacted.
logging.getLogger(logger.service).propagate = False


def redact_libraries(root: logging.Logger) -> None:
    """Redact records of libraries, which Lambda's handlers of `root` write, and drop those below WARNING.

    With `LogFormat: JSON`, Lambda writes INFO too, where httpx2 logs the address of every request.
    """
    root.setLevel(max(root.level, logging.WARNING))
    for handler in root.handlers:
        handler.addFilter(_redacted_record)


def _redacted_record(record: logging.LogRecord) -> logging.LogRecord:
    """Return a redacted copy of a library's record, with the type of its exception instead of the text."""
    redacted = copy.copy(record)
    kind = record.exc_info[0] if record.exc_info else None
    redacted.msg = redact_text(record.getMessage()) + (f" ({kind.__name__})" if kind else "")
    redacted.args = redacted.exc_info = redacted.exc_text = None
    return redacted


redact_libraries(logging.getLogger())


@contextmanager
def tracing(context: TraceContext) -> Generator[None]:
    """Make `context` the current trace context of a block, whose log lines have its `trace_id`."""
    outer = current_trace()
    with with_current_trace(context):
        logger.append_keys(trace_id=context.trace_id)
        try:
            yield
        finally:
            if outer is None:
                logger.remove_keys(["trace_id"])
            else:
                logger.append_keys(trace_id=outer.trace_id)


def emit_metrics(
    *,
    dimension: tuple[str, str],
    also: Sequence[Mapping[str, str]] = (),
    counts: Mapping[str, float] | None = None,
    milliseconds: Mapping[str, float | Sequence[float]] | None = None,
    percents: Mapping[str, float] | None = None,
    amounts: Mapping[str, float] | None = None,
) -> None:
    """Write one line of CloudWatch metrics in the embedded metric format.

    Every metric is stored under `dimension` (name and value), and under each set of dimensions in `also`. There is no
    other dimension: with the `service` of Powertools, an alarm on `dimension` alone would have no data. Values of
    dimensions come from the configuration or the code, never from a model or a caller, since CloudWatch charges for
    each new value. `amounts` have no unit of CloudWatch, such as US dollars.
    """
    sets = [{name: value.strip() or "unnamed" for name, value in each.items()} for each in (dict([dimension]), *also)]
    sets = sets if _counts_each_tool() else [each for each in map(_of_all_tools, sets) if each]
    units = (("Count", counts), ("Milliseconds", milliseconds), ("Percent", percents), ("None", amounts))
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


def _counts_each_tool() -> bool:
    """Return the template's parameter DetailedToolMetrics, which is absent outside of Lambda."""
    return os.environ.get("FLEXCHAT_DETAILED_TOOL_METRICS") != "false"


def _of_all_tools(dimensions: dict[str, str]) -> dict[str, str]:
    """Return the dimensions with all tools as one, so that the number of metrics does not grow with that of tools.

    Those of a tool and something else are empty: the metric has dimensions without the tool too.
    """
    if "tool" not in dimensions:
        return dimensions
    return {"tool": "all"} if len(dimensions) == 1 else {}


def _values(values: float | Sequence[float]) -> list[float]:
    """Return at most 100 values, the maximum of one metric in a line."""
    return [float(value) for value in (values[:100] if isinstance(values, Sequence) else (values,))]


def is_function() -> bool:
    """Return true in an environment of Lambda, whose output CloudWatch reads, and false in a command."""
    return "AWS_LAMBDA_FUNCTION_NAME" in os.environ


def stack_of(exc: BaseException) -> list[str]:
    """Return the stack of `exc`, innermost last, as `file:line function`.

    It has no message, since the message of an unexpected error may quote the request.
    """
    frames = traceback.extract_tb(exc.__traceback__)
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-20:]]
