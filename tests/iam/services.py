"""Accesses that AWS services make for the stack, as the template configures them; no function's code calls these."""

from collections.abc import Iterator
from typing import Any

from tests.iam.deployment import Deployment
from tests.iam.policies import Access

POLLS = ("sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage")
"""https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html#events-sqs-permissions"""
TRACES = ("xray:PutTelemetryRecords", "xray:PutTraceSegments")
"""https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html"""
LOGS = ("logs:CreateLogStream", "logs:PutLogEvents")


def service_accesses(deployment: Deployment) -> Iterator[Access]:
    """The accesses of Lambda, EventBridge Scheduler and API Gateway with the roles of the template.

    The principal is a role's logical id.
    """
    yield from _of_functions(deployment)
    yield from _of_event_sources(deployment)
    yield from _of_destinations(deployment)
    yield from _of_schedules(deployment)
    yield from _of_api_gateway(deployment)


def _of_functions(deployment: Deployment) -> Iterator[Access]:
    for _, properties in deployment.of_type("AWS::Lambda::Function"):
        role = deployment.role_named(properties["Role"])
        group = properties["LoggingConfig"]["LogGroup"]
        for action in LOGS:
            yield Access(role, action, deployment.account.arn("logs", f"log-group:{group}:log-stream:stream"))
        if properties.get("TracingConfig", {}).get("Mode") == "Active":
            for action in TRACES:
                yield Access(role, action, "*")


def _of_event_sources(deployment: Deployment) -> Iterator[Access]:
    for name, properties in deployment.of_type("AWS::Lambda::EventSourceMapping"):
        source: str = properties["EventSourceArn"]
        if ":sqs:" not in source:
            raise NotImplementedError(f"{name}: only queues are known as event sources")
        for action in POLLS:
            yield Access(deployment.role_of(properties["FunctionName"]), action, source)


def _of_destinations(deployment: Deployment) -> Iterator[Access]:
    for _, properties in deployment.of_type("AWS::Lambda::EventInvokeConfig"):
        for destination in properties.get("DestinationConfig", {}).values():
            role = deployment.role_of(properties["FunctionName"])
            yield Access(role, _delivery(destination["Destination"]), destination["Destination"])


def _of_schedules(deployment: Deployment) -> Iterator[Access]:
    for _, properties in deployment.of_type("AWS::Scheduler::Schedule"):
        target: dict[str, Any] = properties["Target"]
        role = deployment.role_named(target["RoleArn"])
        yield Access(role, "lambda:InvokeFunction", target["Arn"])
        if "DeadLetterConfig" in target:
            yield Access(role, "sqs:SendMessage", target["DeadLetterConfig"]["Arn"])


def _of_api_gateway(deployment: Deployment) -> Iterator[Access]:
    for _, properties in deployment.of_type("AWS::ApiGateway::Account"):
        role = deployment.role_named(properties["CloudWatchRoleArn"])
        for _, stage in deployment.of_type("AWS::ApiGateway::Stage"):
            group: str = stage["AccessLogSetting"]["DestinationArn"].removesuffix(":*")
            for action in LOGS:
                yield Access(role, action, f"{group}:log-stream:stream")


def _delivery(destination: str) -> str:
    service = destination.split(":")[2]
    return {"sqs": "sqs:SendMessage", "sns": "sns:Publish", "lambda": "lambda:InvokeFunction"}[service]
