"""Queues, schedules and events of background runs and validations."""

import json
from typing import Any

from flexchat.runs import QUEUED_SECONDS
from functions.chat.runs.service import ALIAS
from functions.validation.run_items import MAX_RECEIVES
from tests.template.transform import Transformed, authored

SCHEDULE_PARAMETERS = ("Schedule", "TimeZone", "ScheduleState")


ENCRYPTION: dict[str, Any] = {
    "SqsManagedSseEnabled": {"Fn::If": ["HasKmsKey", False, True]},
    "KmsMasterKeyId": {"Fn::If": ["HasKmsKey", {"Ref": "KmsKeyArn"}, {"Ref": "AWS::NoValue"}]},
}
DEAD_LETTERS = {"MessageRetentionPeriod": 14 * 24 * 3_600, **ENCRYPTION}


def _watched(template: Transformed, alarm: str) -> dict[str, Any]:
    """Return the metric settings of an alarm that notifies the alarm topic."""
    properties = template.properties(alarm)
    assert properties["AlarmActions"] == {"Fn::If": ["HasAlarmTopic", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]}
    return {key: value for key, value in properties.items() if not key.startswith("Alarm")}


def _waiting_in(queue: str) -> dict[str, Any]:
    return {
        "Namespace": "AWS/SQS",
        "MetricName": "ApproximateNumberOfMessagesVisible",
        "Dimensions": [{"Name": "QueueName", "Value": {"Fn::GetAtt": [queue, "QueueName"]}}],
        "Statistic": "Maximum",
        "Period": 60,
        "EvaluationPeriods": 1,
        "Threshold": 0,
        "ComparisonOperator": "GreaterThanThreshold",
        "TreatMissingData": "notBreaching",
    }


def test_a_run_that_fails_for_good_is_stored_in_a_queue_and_raises_an_alarm(template: Transformed) -> None:
    assert template.properties("ChatFunctionEventInvokeConfig") == {
        "FunctionName": {"Ref": "ChatFunction"},
        "Qualifier": ALIAS,
        "MaximumEventAgeInSeconds": 3_600,
        "MaximumRetryAttempts": 1,
        "DestinationConfig": {"OnFailure": {"Destination": {"Fn::GetAtt": ["RunsFailedQueue", "Arn"]}}},
    }
    assert template.properties("RunsFailedQueue") == {
        "QueueName": {"Fn::Sub": "flexchat-${Stage}-runs-failed"},
        **DEAD_LETTERS,
    }
    assert _watched(template, "RunsFailedAlarm") == _waiting_in("RunsFailedQueue")
    assert authored()["Parameters"]["AlarmTopic"]["Default"] == ""
    assert authored()["Conditions"]["HasAlarmTopic"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "AlarmTopic"}, ""]}]}


def test_a_trace_that_cannot_be_stored_is_kept_in_a_queue_and_raises_an_alarm(template: Transformed) -> None:
    assert template.properties("TracesFunctionEventInvokeConfig") == {
        "FunctionName": {"Ref": "TracesFunction"},
        "Qualifier": "live",
        "MaximumEventAgeInSeconds": 21_600,
        "MaximumRetryAttempts": 2,
        "DestinationConfig": {"OnFailure": {"Destination": {"Fn::GetAtt": ["TracesFailedQueue", "Arn"]}}},
    }
    assert template.properties("TracesFailedQueue") == {
        "QueueName": {"Fn::Sub": "flexchat-${Stage}-traces-failed"},
        **DEAD_LETTERS,
    }
    assert _watched(template, "TracesFailedAlarm") == _waiting_in("TracesFailedQueue")


def test_a_run_has_the_lambda_timeout_and_the_event_age_of_the_domain(
    template: Transformed,
) -> None:
    configuration = template.properties("ChatFunctionEventInvokeConfig")

    assert template.properties("ChatFunction")["Timeout"] == 900
    assert configuration["MaximumEventAgeInSeconds"] < QUEUED_SECONDS


def test_validation_cases_are_queued_and_processed_one_by_one_with_limited_concurrency(template: Transformed) -> None:
    seconds = template.properties("ValidationFunction")["Timeout"]

    assert template.properties("ValidationQueue") == {
        "QueueName": {"Fn::Sub": "flexchat-${Stage}-validation"},
        "VisibilityTimeout": 6 * seconds,
        "MessageRetentionPeriod": 4 * 24 * 3_600,
        **ENCRYPTION,
        "RedrivePolicy": {
            "deadLetterTargetArn": {"Fn::GetAtt": ["ValidationDeadLetters", "Arn"]},
            "maxReceiveCount": MAX_RECEIVES,
        },
    }
    assert template.properties("ValidationWork") == {
        "FunctionName": {"Ref": "ValidationFunctionAliaslive"},
        "EventSourceArn": {"Fn::GetAtt": ["ValidationQueue", "Arn"]},
        "BatchSize": 1,
        "FunctionResponseTypes": ["ReportBatchItemFailures"],
        "ScalingConfig": {"MaximumConcurrency": {"Ref": "ValidationConcurrency"}},
    }
    parameter = authored()["Parameters"]["ValidationConcurrency"]
    assert (parameter["Default"], parameter["MinValue"]) == (4, 2)  # Lambda takes no fewer


def test_a_validation_that_fails_for_good_and_a_model_that_regresses_raise_alarms(template: Transformed) -> None:
    assert template.properties("ValidationDeadLetters") == {
        "QueueName": {"Fn::Sub": "flexchat-${Stage}-validation-failed"},
        **DEAD_LETTERS,
    }
    assert template.properties("ValidationFunctionEventInvokeConfig") == {
        "FunctionName": {"Ref": "ValidationFunction"},
        "Qualifier": "live",
        "MaximumEventAgeInSeconds": 3_600,
        "MaximumRetryAttempts": 2,
        "DestinationConfig": {"OnFailure": {"Destination": {"Fn::GetAtt": ["ValidationDeadLetters", "Arn"]}}},
    }
    assert _watched(template, "ValidationFailedAlarm") == _waiting_in("ValidationDeadLetters")
    assert _watched(template, "RegressionAlarm") == {
        "Namespace": {"Fn::Sub": "Flexchat/${Stage}"},
        "MetricName": "ModelRegressions",
        "Dimensions": [{"Name": "stage", "Value": {"Ref": "Stage"}}],
        "Statistic": "Sum",
        "Period": 300,
        "EvaluationPeriods": 1,
        "Threshold": 0,
        "ComparisonOperator": "GreaterThanThreshold",
        "TreatMissingData": "notBreaching",
    }


def test_the_lists_of_mcp_servers_are_refreshed_on_a_schedule(template: Transformed) -> None:
    schedule = template.properties("ScheduledMcpRefresh")
    defaults = {name: authored()["Parameters"][f"McpRefresh{name}"]["Default"] for name in ("Minutes", "State")}

    assert defaults == {"Minutes": 15, "State": "ENABLED"}
    assert {key: value for key, value in schedule.items() if key != "Description"} == {
        "Name": {"Fn::Sub": "flexchat-${Stage}-mcp-refresh"},
        "ScheduleExpression": {"Fn::Sub": "rate(${McpRefreshMinutes} minutes)"},
        "State": {"Ref": "McpRefreshState"},
        "FlexibleTimeWindow": {"Mode": "OFF"},
        "Target": {
            "Arn": {"Ref": "McpToolFunctionAliaslive"},
            "RoleArn": {"Fn::GetAtt": ["McpRefreshScheduleRole", "Arn"]},
            "Input": {"Fn::Sub": '{"action": "refresh", "interval_minutes": ${McpRefreshMinutes}}'},
            "RetryPolicy": {"MaximumRetryAttempts": 0},
        },
    }


def test_the_schedule_is_disabled_by_default_and_names_its_execution(template: Transformed) -> None:
    schedule = template.properties("ScheduledValidation")
    target = {key: value for key, value in schedule["Target"].items() if key != "Input"}
    defaults = {name: authored()["Parameters"][f"Validation{name}"]["Default"] for name in SCHEDULE_PARAMETERS}

    assert defaults == {"Schedule": "cron(0 3 * * ? *)", "TimeZone": "UTC", "ScheduleState": "DISABLED"}
    assert {key: value for key, value in schedule.items() if key not in ("Description", "Target")} == {
        "Name": {"Fn::Sub": "flexchat-${Stage}-validation"},
        "ScheduleExpression": {"Ref": "ValidationSchedule"},
        "ScheduleExpressionTimezone": {"Ref": "ValidationTimeZone"},
        "State": {"Ref": "ValidationScheduleState"},
        "FlexibleTimeWindow": {"Mode": "OFF"},
    }
    assert target == {
        "Arn": {"Ref": "ValidationFunctionAliaslive"},
        "RoleArn": {"Fn::GetAtt": ["ValidationScheduleRole", "Arn"]},
        "RetryPolicy": {"MaximumEventAgeInSeconds": 3_600, "MaximumRetryAttempts": 10},
        "DeadLetterConfig": {"Arn": {"Fn::GetAtt": ["ValidationDeadLetters", "Arn"]}},
    }
    assert json.loads(schedule["Target"]["Input"]["Fn::Sub"]) == {
        "schedule": {
            "name": "flexchat-${Stage}-validation",
            "execution_id": "<aws.scheduler.execution-id>",
            "scheduled_time": "<aws.scheduler.scheduled-time>",
        }
    }
