"""The alarms and the dashboard: that AWS emits the metrics of its own that they name, and for resources of this stack.

`tests/functional/test_alarms.py` compares them with the metrics that the functions emit.
"""

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final, cast

import pytest

from flexchat.tool_types import TOOL_TYPES
from tests.metrics import Metric, drawn, searched, searched_functions, statistic, watched
from tests.template.resolver import Resolved, section
from tests.template.transform import ROOT, Transformed

LAMBDA: Final = "https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html"
API_GATEWAY: Final = (
    "https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html"
)
SQS: Final = (
    "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html"
)

AWS_METRICS: Mapping[tuple[str, str], tuple[frozenset[str], frozenset[str], str]] = {
    # For a function that is invoked by an alias, Lambda emits each metric under FunctionName too, over all versions;
    # and without any dimension over all functions of the account and region.
    ("AWS/Lambda", "Errors"): (frozenset({"FunctionName"}), frozenset({"Sum"}), LAMBDA),
    ("AWS/Lambda", "Throttles"): (frozenset({"FunctionName"}), frozenset({"Sum"}), LAMBDA),
    ("AWS/Lambda", "ConcurrentExecutions"): (frozenset({"FunctionName"}), frozenset({"Maximum"}), LAMBDA),
    ("AWS/Lambda", "ClaimedAccountConcurrency"): (frozenset(), frozenset({"Maximum"}), LAMBDA),
    ("AWS/ApiGateway", "Count"): (frozenset({"ApiName", "Stage"}), frozenset({"SampleCount"}), API_GATEWAY),
    ("AWS/ApiGateway", "4XXError"): (frozenset({"ApiName", "Stage"}), frozenset({"Sum"}), API_GATEWAY),
    ("AWS/ApiGateway", "5XXError"): (frozenset({"ApiName", "Stage"}), frozenset({"Sum"}), API_GATEWAY),
    ("AWS/ApiGateway", "Latency"): (frozenset({"ApiName", "Stage"}), frozenset({"p50", "p95", "p99"}), API_GATEWAY),
    ("AWS/SQS", "ApproximateNumberOfMessagesVisible"): (frozenset({"QueueName"}), frozenset({"Maximum"}), SQS),
    ("AWS/SQS", "ApproximateAgeOfOldestMessage"): (frozenset({"QueueName"}), frozenset({"Maximum"}), SQS),
}
"""Metrics that AWS emits without a charge: their dimensions, the statistics that mean something, and the page."""

ERRORS = {
    "AuthorizerErrorsAlarm": "AuthorizerFunction",
    "ChatErrorsAlarm": "ChatFunction",
    "ChatStreamErrorsAlarm": "ChatStreamFunction",
    "ConfigurationErrorsAlarm": "ConfigurationFunction",
    "PageErrorsAlarm": "PageFunction",
    "TracesErrorsAlarm": "TracesFunction",
    "ValidationErrorsAlarm": "ValidationFunction",
    **{f"{row.function.removesuffix('Function')}ErrorsAlarm": row.function for row in TOOL_TYPES.values()},
}
TOOL_FUNCTIONS = {row.function for row in TOOL_TYPES.values() if row.service.startswith("tool-")}
"""Functions that the dashboard finds by the prefix of their names."""

MORE_THAN_NONE = ("GreaterThanThreshold", 0)
THRESHOLDS = {
    **dict.fromkeys(ERRORS, MORE_THAN_NONE),
    "ApiErrorsAlarm": ("GreaterThanOrEqualToThreshold", 5),
    "BudgetNearLimitAlarm": MORE_THAN_NONE,
    "BudgetUsedUpAlarm": MORE_THAN_NONE,
    "ConcurrencyAlarm": ("GreaterThanThreshold", "800"),
    "CostAlarm": ("GreaterThanThreshold", "50"),
    "DynamoDbThrottlesAlarm": ("GreaterThanOrEqualToThreshold", 10),
    "KeysRefusedAlarm": MORE_THAN_NONE,
    "LimitsNotEnforcedAlarm": MORE_THAN_NONE,
    "RegressionAlarm": MORE_THAN_NONE,
    "SsmThrottlesAlarm": ("GreaterThanOrEqualToThreshold", 10),
    "StreamFailuresAlarm": ("GreaterThanOrEqualToThreshold", 5),
    "RunsFailedAlarm": MORE_THAN_NONE,
    "ThrottlesAlarm": MORE_THAN_NONE,
    "TracesFailedAlarm": MORE_THAN_NONE,
    "ValidationFailedAlarm": MORE_THAN_NONE,
}


@pytest.fixture(scope="module")
def stack(template: Transformed) -> Resolved:
    return Resolved(template, {"Stage": "prod"})


def _alarms(stack: Resolved) -> dict[str, dict[str, Any]]:
    return {name: stack.properties(name) for name in stack.template.of_type("AWS::CloudWatch::Alarm")}


def _body(stack: Resolved) -> dict[str, Any]:
    return json.loads(stack.properties("Dashboard")["DashboardBody"])


def _names(stack: Resolved, type: str, key: str) -> set[str]:
    return {stack.properties(name)[key] for name in stack.template.of_type(type)}


def test_alarms_have_existing_metrics_and_notify_the_topic(stack: Resolved) -> None:
    alarms = _alarms(stack)
    topic = "arn:aws:sns:eu-central-1:123456789012:alarms"
    informing = _alarms(Resolved(stack.template, {"Stage": "prod", "AlarmTopic": topic}))

    assert {name: (each["ComparisonOperator"], each["Threshold"]) for name, each in alarms.items()} == THRESHOLDS
    for name, alarm in alarms.items():
        assert (alarm["EvaluationPeriods"], alarm["TreatMissingData"]) == (1, "notBreaching")
        assert alarm["AlarmName"].startswith("flexchat-prod-")
        assert "AlarmActions" not in alarm
        assert informing[name] == {**alarm, "AlarmActions": [topic]}


def test_the_cost_of_alarms_equals_the_documented_cost(stack: Resolved) -> None:
    """$0.10 a month each, as each watches one metric."""
    costs = f"They cost ${len(_alarms(stack)) / 10:.2f} a month"

    assert costs in (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def test_alarms_use_metrics_emitted_by_aws(stack: Resolved) -> None:
    for name, alarm in _alarms(stack).items():
        metric = watched(alarm)
        if metric.namespace.startswith("AWS/"):
            dimensions, statistics, _ = AWS_METRICS[metric.namespace, metric.name]
            assert metric.schema.dimensions == (frozenset[str]() if name == "ThrottlesAlarm" else dimensions)
            assert statistic(alarm) in statistics


def test_the_concurrency_alarm_compares_the_claimed_executions_with_its_limit(template: Transformed) -> None:
    alarm = Resolved(template, {"ConcurrencyLimit": "200"}).properties("ConcurrencyAlarm")

    assert (alarm["Namespace"], alarm["MetricName"], "Dimensions" in alarm) == (
        "AWS/Lambda",
        "ClaimedAccountConcurrency",
        False,
    )
    assert (alarm["Statistic"], alarm["Threshold"], alarm["ComparisonOperator"]) == (
        "Maximum",
        "200",
        "GreaterThanThreshold",
    )
    assert section("Parameters")["ConcurrencyLimit"]["Default"] == 800  # of Lambda's default of 1,000


def test_the_cost_alarm_has_the_threshold_of_its_parameter_for_one_day(template: Transformed) -> None:
    alarm = Resolved(template, {"DailyCostAlarm": "12.5"}).properties("CostAlarm")

    assert (alarm["Statistic"], alarm["Period"], alarm["Threshold"]) == ("Sum", 24 * 3_600, "12.5")
    assert [Resolved(template, {"DailyCostAlarm": usd}).exists("CostAlarm") for usd in ("0", "0.5", "50")] == [
        False,
        True,
        True,
    ]


def test_the_dashboard_has_no_cost_alarm_that_does_not_exist(template: Transformed) -> None:
    body = _body(Resolved(template, {"Stage": "prod", "DailyCostAlarm": "0"}))

    assert "flexchat-prod-cost" not in json.dumps(body)
    assert "flexchat-prod-cost" in json.dumps(_body(Resolved(template, {"Stage": "prod"})))


def test_alarms_of_budgets_are_optional(template: Transformed) -> None:
    stack = Resolved(template, {"Stage": "prod", "BudgetAlarms": "false"})

    assert not any(map(stack.exists, ("BudgetNearLimitAlarm", "BudgetUsedUpAlarm")))
    assert "flexchat-prod-budget" not in json.dumps(_body(stack))
    assert "flexchat-prod-budget-near-limit" in json.dumps(_body(Resolved(template, {"Stage": "prod"})))


def test_alarms_and_dashboard_refer_to_resources_of_the_stack(stack: Resolved) -> None:
    """API Gateway's dimension is the API's name, which may be the `Name` or the title of the imported document.

    https://github.com/aws/serverless-application-model/issues/113
    https://github.com/hashicorp/terraform-provider-aws/issues/7161
    """
    name = stack.properties("Api")["Name"]
    api = {("ApiName", name), ("Stage", stack.properties("ApiStage")["StageName"])}
    existing = {
        *api,
        *(("FunctionName", name) for name in _names(stack, "AWS::Lambda::Function", "FunctionName")),
        *(("QueueName", name) for name in _names(stack, "AWS::SQS::Queue", "QueueName")),
    }
    metrics = drawn(_body(stack)).union(map(watched, _alarms(stack).values()))

    named = {dimension for metric in metrics if metric.namespace.startswith("AWS/") for dimension in metric.dimensions}
    assert named - existing == set()
    assert api <= named
    assert stack.properties("Api")["Body"]["info"]["title"] == name


def test_every_function_has_an_error_alarm_and_a_dashboard_widget(stack: Resolved) -> None:
    assert set(ERRORS.values()) == stack.template.of_type("AWS::Lambda::Function").keys()
    functions = {name: stack.properties(name)["FunctionName"] for name in ERRORS.values()}
    for alarm, function in ERRORS.items():
        assert watched(_alarms(stack)[alarm]) == Metric(
            "AWS/Lambda", "Errors", frozenset({("FunctionName", functions[function])})
        )
    for name in ("Errors", "Throttles", "ConcurrentExecutions"):
        metrics = [metric for metric in drawn(_body(stack)) if metric.name == name]
        named = {value for metric in metrics for _, value in metric.dimensions}
        assert named == {function for name, function in functions.items() if name not in TOOL_FUNCTIONS}
        assert (name, "flexchat-prod-tool", *AWS_METRICS["AWS/Lambda", name][1]) in searched_functions(_body(stack))
    assert all(functions[name].startswith("flexchat-prod-tool-") for name in TOOL_FUNCTIONS)


def test_every_failure_queue_has_an_alarm(stack: Resolved) -> None:
    resources = stack.template.resources
    targets = {
        json.dumps(target)
        for resource in resources.values()
        for properties in [resource.get("Properties", {})]
        for target in (
            properties.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination"),
            properties.get("RedrivePolicy", {}).get("deadLetterTargetArn"),
            properties.get("Target", {}).get("DeadLetterConfig", {}).get("Arn"),
        )
        if target
    }
    queues = {stack.properties(name)["QueueName"] for name in map(_resource_of, targets)}

    messages = {
        value
        for metric in map(watched, _alarms(stack).values())
        if metric.name == "ApproximateNumberOfMessagesVisible"
        for _, value in metric.dimensions
    }
    assert (
        messages
        == queues
        == {
            "flexchat-prod-runs-failed",
            "flexchat-prod-traces-failed",
            "flexchat-prod-validation-failed",
        }
    )


def _resource_of(target: str) -> str:
    name, attribute = json.loads(target)["Fn::GetAtt"]
    assert attribute == "Arn"
    return name


def test_the_dashboard_uses_metrics_emitted_by_aws(stack: Resolved) -> None:
    body = _body(stack)
    statistics: dict[tuple[str, str], set[str]] = {}
    for widget in body["widgets"]:
        for row in widget["properties"].get("metrics", ()):
            if isinstance(row[0], str):
                options = cast("dict[str, Any]", row[-1] if isinstance(row[-1], dict) else {})
                stat = options.get("stat", widget["properties"].get("stat"))
                statistics.setdefault((row[0], row[1]), set()).add(stat)

    of_stage = {key: metric for key, metric in AWS_METRICS.items() if metric[0]}  # without those of the account
    assert statistics == {key: set(stats) for key, (_, stats, _) in of_stage.items()}
    assert {(m.namespace, m.name): m.schema.dimensions for m in drawn(body)} == {
        key: dimensions for key, (dimensions, _, _) in of_stage.items()
    }


def test_the_dashboard_covers_only_its_stage_and_region(stack: Resolved) -> None:
    properties = stack.properties("Dashboard")
    widgets = _body(stack)["widgets"]

    assert properties["DashboardName"] == "flexchat-prod-eu-central-1"
    assert {metric.namespace for metric in searched(_body(stack))} == {"Flexchat/prod"}
    assert {widget["properties"]["region"] for widget in widgets if widget["type"] == "metric"} == {"eu-central-1"}
    (status,) = [widget["properties"]["alarms"] for widget in widgets if widget["type"] == "alarm"]
    assert sorted(status) == sorted(
        f"arn:aws:cloudwatch:eu-central-1:123456789012:alarm:{alarm['AlarmName']}"
        for name, alarm in _alarms(stack).items()
        if ERRORS.get(name) not in TOOL_FUNCTIONS
    )


def test_widgets_fill_the_dashboard_row_by_row(stack: Resolved) -> None:
    rows: dict[int, list[tuple[int, int, int]]] = {}
    for widget in _body(stack)["widgets"]:
        rows.setdefault(widget["y"], []).append((widget["x"], widget["width"], widget["height"]))

    for row in rows.values():
        assert sum(width for _, width, _ in row) == 24
        assert all(x + width == other for (x, width, _), (other, _, _) in pairwise(sorted(row)))
    assert all(y + rows[y][0][2] == below for y, below in pairwise(sorted(rows)))


def test_the_dashboard_and_per_route_metrics_are_parameters(template: Transformed) -> None:
    default, other = (
        Resolved(template, parameters)
        for parameters in (
            {"Stage": "prod"},
            {"Stage": "prod", "DashboardEnabled": "false", "DetailedApiMetrics": "true"},
        )
    )

    assert (default.exists("Dashboard"), other.exists("Dashboard")) == (True, False)
    settings = [stack.properties("ApiStage")["MethodSettings"][0]["MetricsEnabled"] for stack in (default, other)]
    assert settings == [False, True]
