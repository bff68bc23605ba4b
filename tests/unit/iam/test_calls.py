import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.iam.calls import ACCESSES, Account, RecordedCall, UnmappedCallError, accesses, read_calls

ACCOUNT = Account("123456789012", "eu-central-1")
TABLE = "arn:aws:dynamodb:eu-central-1:123456789012:table"
BUCKET = "arn:aws:s3:::documents"
CHAT = "arn:aws:lambda:eu-central-1:123456789012:function:chat"
PARAMETER = "arn:aws:ssm:eu-central-1:123456789012:parameter/flexchat/dev"


def checked(service: str, operation: str, **resources: Any) -> list[tuple[str, str]]:
    call = RecordedCall(principal="chat", service=service, operation=operation, resources=resources)
    return [(access.action, access.resource) for access in accesses(call, ACCOUNT)]


def test_a_query_of_an_index_is_on_the_index() -> None:
    assert checked("dynamodb", "Query", TableName="chats", IndexName="by_owner") == [
        ("dynamodb:Query", f"{TABLE}/chats/index/by_owner")
    ]


def test_a_transaction_accesses_the_table_of_each_member() -> None:
    items = [
        {"Put": {"TableName": "chats"}},
        {"Update": {"TableName": "chats"}},
        {"ConditionCheck": {"TableName": "runs"}},
        {"Delete": {"TableName": "runs"}},
    ]

    assert checked("dynamodb", "TransactWriteItems", TransactItems=items) == [
        ("dynamodb:PutItem", f"{TABLE}/chats"),
        ("dynamodb:UpdateItem", f"{TABLE}/chats"),
        ("dynamodb:ConditionCheckItem", f"{TABLE}/runs"),
        ("dynamodb:DeleteItem", f"{TABLE}/runs"),
    ]


def test_a_batch_accesses_each_table() -> None:
    assert checked("dynamodb", "BatchWriteItem", RequestItems=["chats", "runs"]) == [
        ("dynamodb:BatchWriteItem", f"{TABLE}/chats"),
        ("dynamodb:BatchWriteItem", f"{TABLE}/runs"),
    ]


def test_parameters_are_checked_by_name_and_a_path_by_its_own_arn() -> None:
    names = ["/flexchat/dev/secrets/A", "/flexchat/dev/secrets/B"]

    assert checked("ssm", "GetParameters", Names=names) == [
        ("ssm:GetParameters", f"{PARAMETER}/secrets/A"),
        ("ssm:GetParameters", f"{PARAMETER}/secrets/B"),
    ]
    assert checked("ssm", "GetParametersByPath", Path="/flexchat/dev/chat") == [
        ("ssm:GetParametersByPath", f"{PARAMETER}/chat")
    ]


@pytest.mark.parametrize(
    ("resources", "arn"),
    [
        ({"FunctionName": "chat"}, CHAT),
        ({"FunctionName": "chat", "Qualifier": "live"}, f"{CHAT}:live"),
        ({"FunctionName": CHAT, "Qualifier": "$LATEST"}, f"{CHAT}:$LATEST"),
        ({"FunctionName": f"{CHAT}:live"}, f"{CHAT}:live"),
    ],
)
def test_an_invocation_is_on_the_qualified_function(resources: dict[str, str], arn: str) -> None:
    assert checked("lambda", "Invoke", **resources) == [("lambda:InvokeFunction", arn)]


def test_reading_an_object_or_its_head_needs_the_list_permission_of_its_bucket() -> None:
    needed = [("s3:GetObject", f"{BUCKET}/a/b"), ("s3:ListBucket", BUCKET)]

    assert checked("s3", "HeadObject", Bucket="documents", Key="a/b") == needed
    assert checked("s3", "GetObject", Bucket="documents", Key="a/b") == needed


def test_messages_are_sent_to_the_queue_of_their_url() -> None:
    url = "https://sqs.eu-central-1.amazonaws.com/123456789012/validation"

    assert checked("sqs", "SendMessageBatch", QueueUrl=url) == [
        ("sqs:SendMessage", "arn:aws:sqs:eu-central-1:123456789012:validation")
    ]


def test_events_without_a_bus_go_to_the_default_one() -> None:
    bus = "arn:aws:events:eu-central-1:123456789012:event-bus"

    assert checked("events", "PutEvents") == [("events:PutEvents", f"{bus}/default")]
    assert checked("events", "PutEvents", Entries=[{"EventBusName": "own"}]) == [("events:PutEvents", f"{bus}/own")]


def test_log_events_are_read_of_a_log_group() -> None:
    assert checked("logs", "FilterLogEvents", logGroupName="/aws/lambda/flexchat-dev-chat") == [
        (
            "logs:FilterLogEvents",
            "arn:aws:logs:eu-central-1:123456789012:log-group:/aws/lambda/flexchat-dev-chat:*",
        )
    ]


def test_an_unmapped_operation_is_an_error() -> None:
    with pytest.raises(UnmappedCallError, match="chat called s3:DeleteBucket"):
        checked("s3", "DeleteBucket", Bucket="documents")


def test_every_mapped_action_exists_on_aws() -> None:
    data = json.loads(files("cfnlint.data").joinpath("AdditionalSpecs", "Policies.json").read_text(encoding="utf-8"))
    named: dict[str, Any] = {
        "Bucket": "b",
        "Delete": {"Objects": [{"Key": "k"}]},
        "FunctionName": "f",
        "Key": "k",
        "Name": "/n",
        "Names": ["/n"],
        "Path": "/p",
        "QueueUrl": "https://sqs/1/q",
        "RequestItems": ["t"],
        "SecretId": "s",
        "StackName": "flexchat",
        "TableName": "t",
        "TransactItems": [
            {member: {"TableName": "t"}} for member in ("ConditionCheck", "Delete", "Get", "Put", "Update")
        ],
        "guardrailIdentifier": "g",
        "indexArn": "arn:aws:s3vectors:eu-central-1:123456789012:bucket/b/index/i",
        "knowledgeBaseId": "kb",
        "logGroupName": "g",
        "modelId": "m",
    }
    mapped = {action for service, operation in ACCESSES for action, _ in checked(service, operation, **named)}

    assert {
        action for action in mapped if action.partition(":")[2].lower() not in data[action.split(":")[0]]["Actions"]
    } == set()


def test_a_recording_is_read_without_duplicates(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    line = json.dumps({"principal": "chat", "service": "sts", "operation": "GetCallerIdentity", "resources": {}})
    file.write_text(f"{line}\n{line}\n")

    assert read_calls(file) == [
        RecordedCall(principal="chat", service="sts", operation="GetCallerIdentity", resources={})
    ]
