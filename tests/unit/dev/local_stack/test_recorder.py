"""The recorder of AWS calls, in processes of its own: it works while Python starts."""

import json
import subprocess
import sys
from pathlib import Path

from dev.local_stack.environment import RECORDER

CALLS = """
from boto3.session import Session
from botocore.stub import Stubber

client = Session().client(
    "ssm", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x"
)
with Stubber(client) as stubber:
    for _ in range(2):
        stubber.add_response("put_parameter", {})
        client.put_parameter(Name="/flexchat/dev/secrets/KEY", Value="a-secret-value", Type="SecureString")
client = Session().client(
    "dynamodb", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x"
)
item = {"id": {"S": "a-session"}, "Name": {"S": "a-person"}}
with Stubber(client) as stubber:
    stubber.add_response("transact_write_items", {})
    stubber.add_response("batch_write_item", {})
    client.transact_write_items(
        TransactItems=({"Put": {"TableName": "chats", "Item": item}}, {"Delete": {"TableName": "runs", "Key": item}})
    )
    client.batch_write_item(RequestItems={"chats": [{"PutRequest": {"Item": item}}]})
"""

CALLS_OF_A_FUNCTION = """
import os

from flexchat.aws import clients

endpoint = {"AWS_DEFAULT_REGION": "eu-central-1", "AWS_ENDPOINT_URL": "http://127.0.0.1:9"}
os.environ.update(endpoint, AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x")
for call in (
    lambda: clients.ssm().put_parameter(Name="/flexchat/dev/secrets/KEY", Value="a-secret-value"),
    lambda: clients.lambdas().invoke(FunctionName="arn:aws:lambda:eu-central-1:1:function:tool", Payload=b"a-secret"),
):
    try:
        call()
    except Exception as error:
        assert type(error).__name__ == "EndpointConnectionError", error
"""


FORM = """
from boto3.session import Session

s3 = Session().client("s3", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x")
s3.generate_presigned_post("a-bucket", "a-key")
"""


def run(code: str, **environment: str) -> str:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(RECORDER), **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def test_each_distinct_call_is_recorded_with_resource_names_only(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"

    run(CALLS, RECORD_AWS_CALLS_IN=str(file), AWS_LAMBDA_FUNCTION_NAME="flexchat-local-chat")

    assert [json.loads(line) for line in file.read_text().splitlines()] == [
        {
            "principal": "flexchat-local-chat",
            "service": "ssm",
            "operation": "PutParameter",
            "resources": {"Name": "/flexchat/dev/secrets/KEY"},
        },
        {
            "principal": "flexchat-local-chat",
            "service": "dynamodb",
            "operation": "TransactWriteItems",
            "resources": {"TransactItems": [{"Put": {"TableName": "chats"}}, {"Delete": {"TableName": "runs"}}]},
        },
        {
            "principal": "flexchat-local-chat",
            "service": "dynamodb",
            "operation": "BatchWriteItem",
            "resources": {"RequestItems": ["chats"]},
        },
    ]


def test_calls_of_the_clients_of_a_function_are_recorded(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"

    run(CALLS_OF_A_FUNCTION, RECORD_AWS_CALLS_IN=str(file), AWS_LAMBDA_FUNCTION_NAME="flexchat-local-chat")

    assert [json.loads(line) for line in file.read_text().splitlines()] == [
        {
            "principal": "flexchat-local-chat",
            "service": "ssm",
            "operation": "PutParameter",
            "resources": {"Name": "/flexchat/dev/secrets/KEY"},
        },
        {
            "principal": "flexchat-local-chat",
            "service": "lambda",
            "operation": "Invoke",
            "resources": {"FunctionName": "arn:aws:lambda:eu-central-1:1:function:tool"},
        },
    ]


def test_a_process_without_a_principal_records_nothing_and_imports_no_botocore(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"

    imported = run("import sys; print('botocore' in sys.modules, len(sys.meta_path))", RECORD_AWS_CALLS_IN=str(file))

    assert imported.startswith("False")
    assert not file.exists()


def test_an_upload_form_is_recorded_as_what_it_permits(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"

    run(FORM, RECORD_AWS_CALLS_IN=str(file), AWS_LAMBDA_FUNCTION_NAME="flexchat-local-chat")

    assert json.loads(file.read_text()) == {
        "principal": "flexchat-local-chat",
        "service": "s3",
        "operation": "PostObject",
        "resources": {"Bucket": "a-bucket"},
    }
