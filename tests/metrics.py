"""CloudWatch metrics emitted by the code, and metrics used by alarms and dashboards."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True, slots=True)
class Metric:
    """CloudWatch metric, identified by its name and its dimensions with their values."""

    namespace: str
    name: str
    dimensions: frozenset[tuple[str, str]]

    @property
    def schema(self) -> "MetricSchema":
        return MetricSchema(self.namespace, self.name, frozenset(name for name, _ in self.dimensions))


@dataclass(frozen=True, slots=True)
class MetricSchema:
    """CloudWatch metric with dimension names only, for values known at run time."""

    namespace: str
    name: str
    dimensions: frozenset[str]


def emitted(output: str) -> set[Metric]:
    """Return the metrics in a function's output in the embedded metric format."""
    metrics: set[Metric] = set()
    for line in map(json.loads, output.splitlines()):
        for definition in line.get("_aws", {}).get("CloudWatchMetrics", ()):
            for names in definition["Dimensions"]:
                dimensions = frozenset((name, line[name]) for name in names)
                metrics |= {Metric(definition["Namespace"], each["Name"], dimensions) for each in definition["Metrics"]}
    return metrics


def watched(alarm: Mapping[str, Any]) -> Metric:
    """Return the metric of an alarm, by its resolved properties; of an expression, the one metric that it contains."""
    queries = [query["MetricStat"]["Metric"] for query in alarm.get("Metrics", ()) if "MetricStat" in query]
    (metric,) = queries or [alarm]
    dimensions = frozenset((each["Name"], each["Value"]) for each in metric.get("Dimensions", ()))
    return Metric(metric["Namespace"], metric["MetricName"], dimensions)


def statistic(alarm: Mapping[str, Any]) -> str:
    """Return the statistic of the metric of an alarm."""
    return (
        next((query["MetricStat"]["Stat"] for query in alarm.get("Metrics", ()) if "MetricStat" in query), "")
        or (alarm["Statistic"])
    )


def drawn(body: Mapping[str, Any]) -> set[Metric]:
    """The metrics that a dashboard names with all their dimensions.

    https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
    """
    return {
        Metric(row[0], row[1], frozenset(zip(names[::2], names[1::2], strict=True)))
        for row in _rows(body)
        if isinstance(row[0], str)
        for names in [[each for each in row[2:] if isinstance(each, str)]]
    }


def searched(body: Mapping[str, Any]) -> set[MetricSchema]:
    """The metrics that a dashboard searches for, by the names of their dimensions, without tool functions.

    https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html
    """
    found: set[MetricSchema] = set()
    for expression in _expressions(body):
        if not _TOOL_FUNCTIONS.fullmatch(expression):
            search = re.fullmatch(r"""SEARCH\('\{([^{}]+)\} MetricName="(\w+)"', '(?:Sum|p\d\d)', 300\)""", expression)
            assert search, f"not a search for one metric by its schema: {expression}"
            namespace, *dimensions = [each.strip('"') for each in search[1].split(",")]
            found.add(MetricSchema(namespace, search[2], frozenset(dimensions)))
    return found


def searched_functions(body: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    """The metrics of tool functions that a dashboard searches for: name, prefix of the functions, statistic."""
    matches = map(_TOOL_FUNCTIONS.fullmatch, _expressions(body))
    return {(match["metric"], match["prefix"], match["statistic"]) for match in matches if match}


_TOOL_FUNCTIONS = re.compile(
    r"""SEARCH\('\{AWS/Lambda,FunctionName\} MetricName="(?P<metric>\w+)" FunctionName=(?P<prefix>[a-z0-9-]+)', """
    r"""'(?P<statistic>Sum|Maximum)', (?:60|300)\)"""
)


def _expressions(body: Mapping[str, Any]) -> Iterator[str]:
    for row in _rows(body):
        if isinstance(row[0], dict):
            yield cast("dict[str, str]", row[0])["expression"]


def _rows(body: Mapping[str, Any]) -> Iterator[list[Any]]:
    for widget in body["widgets"]:
        yield from widget["properties"].get("metrics", ())
