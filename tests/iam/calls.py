"""Recorded AWS calls, and the accesses that AWS checks for each."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from tests.iam.policies import Access


class UnmappedCallError(Exception):
    """A recorded operation has no entry in `ACCESSES`."""


class RecordedCall(BaseModel):
    """One line of `.local/run/aws-calls.jsonl`; `resources` are the parameters that name something."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    principal: str
    service: str
    operation: str
    resources: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Account:
    """Partition, account and region of calls."""

    id: str
    region: str
    partition: str = "aws"

    def arn(self, service: str, resource: str) -> str:
        return f"arn:{self.partition}:{service}:{self.region}:{self.id}:{resource}"

    def s3(self, bucket: str, key: str | None = None) -> str:
        return f"arn:{self.partition}:s3:::{bucket}" + ("" if key is None else f"/{key}")


type Checked = tuple[str, str]
"""An action and the ARN of its resource."""
type Rule = Callable[[dict[str, Any], Account], list[Checked]]


def read_calls(file: Path) -> list[RecordedCall]:
    """Return the different calls of a recording, in its order."""
    lines = dict.fromkeys(file.read_text(encoding="utf-8").splitlines())
    return [RecordedCall.model_validate(json.loads(line)) for line in lines]


def accesses(call: RecordedCall, account: Account) -> Iterator[Access]:
    """The accesses that AWS checks before it serves a call; raises UnmappedCallError."""
    rule = ACCESSES.get((call.service, call.operation))
    if rule is None:
        raise UnmappedCallError(
            f"{call.principal} called {call.service}:{call.operation}, which tests/iam/calls.py lacks"
        )
    for action, resource in rule(call.resources, account):
        yield Access(call.principal, action, resource)


def _table(action: str) -> Rule:
    def rule(resources: dict[str, Any], account: Account) -> list[Checked]:
        index = f"/index/{resources['IndexName']}" if "IndexName" in resources else ""
        return [(f"dynamodb:{action}", account.arn("dynamodb", f"table/{resources['TableName']}{index}"))]

    return rule


def _batch(action: str) -> Rule:
    def rule(resources: dict[str, Any], account: Account) -> list[Checked]:
        return [(f"dynamodb:{action}", account.arn("dynamodb", f"table/{name}")) for name in resources["RequestItems"]]

    return rule


TRANSACTION_MEMBERS = {
    "ConditionCheck": "dynamodb:ConditionCheckItem",
    "Delete": "dynamodb:DeleteItem",
    "Get": "dynamodb:GetItem",
    "Put": "dynamodb:PutItem",
    "Update": "dynamodb:UpdateItem",
}
"""https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html"""


def _transaction(resources: dict[str, Any], account: Account) -> list[Checked]:
    return [
        (TRANSACTION_MEMBERS[member], account.arn("dynamodb", f"table/{named['TableName']}"))
        for item in resources["TransactItems"]
        for member, named in item.items()
        if member in TRANSACTION_MEMBERS
    ]


def _parameters(action: str, field: str) -> Rule:
    def rule(resources: dict[str, Any], account: Account) -> list[Checked]:
        named = resources[field]
        names: list[str] = [named] if isinstance(named, str) else named
        # A path is checked as it is given, with its last slash if it has one, and not by what is below it.
        return [(f"ssm:{action}", account.arn("ssm", f"parameter/{name.lstrip('/')}")) for name in names]

    return rule


def _bucket(action: str) -> Rule:
    return lambda resources, account: [(f"s3:{action}", account.s3(resources["Bucket"]))]


def _object(action: str) -> Rule:
    return lambda resources, account: [(f"s3:{action}", account.s3(resources["Bucket"], resources["Key"]))]


def _objects(resources: dict[str, Any], account: Account) -> list[Checked]:
    bucket, named = resources["Bucket"], resources["Delete"]["Objects"]
    return [("s3:DeleteObject", account.s3(bucket, each["Key"])) for each in named]


def _upload_form(resources: dict[str, Any], account: Account) -> list[Checked]:
    # S3 checks the permissions of the form's signer, for the key in the form, which botocore does not pass on:
    # https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html
    return [("s3:PutObject", account.s3(resources["Bucket"], "files/short/caller/uploads/file"))]


def _read_object(resources: dict[str, Any], account: Account) -> list[Checked]:
    # Without s3:ListBucket, S3 answers 403 where an object is missing, which our code takes for a fault:
    # https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
    return [*_object("GetObject")(resources, account), *_bucket("ListBucket")(resources, account)]


def _function(resources: dict[str, Any], account: Account) -> list[Checked]:
    name, qualifier = resources["FunctionName"], resources.get("Qualifier")
    arn = name if name.startswith("arn:") else account.arn("lambda", f"function:{name}")
    return [("lambda:InvokeFunction", f"{arn}:{qualifier}" if qualifier else arn)]


def _managed_function(action: str) -> Rule:
    def rule(resources: dict[str, Any], account: Account) -> list[Checked]:
        name, qualifier = resources["FunctionName"], resources.get("Qualifier")
        arn = account.arn("lambda", f"function:{name}")
        return [(f"lambda:{action}", f"{arn}:{qualifier}" if qualifier else arn)]

    return rule


def _queue(action: str) -> Rule:
    def rule(resources: dict[str, Any], account: Account) -> list[Checked]:
        return [(f"sqs:{action}", account.arn("sqs", resources["QueueUrl"].rpartition("/")[2]))]

    return rule


def _log_group(action: str) -> Rule:
    # https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/iam-access-control-overview-cwl.html
    return lambda resources, account: [
        (f"logs:{action}", account.arn("logs", f"log-group:{resources['logGroupName']}:*"))
    ]


def _events(resources: dict[str, Any], account: Account) -> list[Checked]:
    entries: list[Mapping[str, str]] = resources.get("Entries") or [{}]
    buses = {entry.get("EventBusName", "default") for entry in entries}
    return [("events:PutEvents", account.arn("events", f"event-bus/{bus}")) for bus in sorted(buses)]


def _secret(resources: dict[str, Any], account: Account) -> list[Checked]:
    secret = resources["SecretId"]
    arn = secret if secret.startswith("arn:") else account.arn("secretsmanager", f"secret:{secret}")
    return [("secretsmanager:GetSecretValue", arn)]


def _model(action: str) -> Rule:
    def rule(resources: dict[str, Any], account: Account) -> list[Checked]:
        model = resources["modelId"]
        if not model.startswith("arn:"):
            model = f"arn:{account.partition}:bedrock:{account.region}::foundation-model/{model}"
        return [(f"bedrock:{action}", model)]

    return rule


def _guardrail(resources: dict[str, Any], account: Account) -> list[Checked]:
    guardrail = resources["guardrailIdentifier"]
    arn = guardrail if guardrail.startswith("arn:") else account.arn("bedrock", f"guardrail/{guardrail}")
    return [("bedrock:ApplyGuardrail", arn)]


def _knowledge_base(resources: dict[str, Any], account: Account) -> list[Checked]:
    return [("bedrock:Retrieve", account.arn("bedrock", f"knowledge-base/{resources['knowledgeBaseId']}"))]


def _vectors(resources: dict[str, Any], account: Account) -> list[Checked]:
    return [(f"s3vectors:{action}", resources["indexArn"]) for action in ("QueryVectors", "GetVectors")]


def _stack(action: str) -> Rule:
    def rule(resources: dict[str, Any], account: Account) -> list[Checked]:
        stack = resources.get("StackName", "*")
        arn = stack if stack.startswith("arn:") else account.arn("cloudformation", f"stack/{stack}/*")
        return [(f"cloudformation:{action}", arn)]

    return rule


def _nothing(_resources: dict[str, Any], _account: Account) -> list[Checked]:
    return []


def _anywhere(action: str) -> Rule:
    return lambda _resources, _account: [(action, "*")]


ACCESSES: Mapping[tuple[str, str], Rule] = {
    **{
        ("dynamodb", operation): _table(operation)
        for operation in ("DeleteItem", "DescribeTable", "GetItem", "PutItem", "Query", "Scan", "UpdateItem")
    },
    ("dynamodb", "BatchGetItem"): _batch("BatchGetItem"),
    ("dynamodb", "BatchWriteItem"): _batch("BatchWriteItem"),
    ("dynamodb", "TransactGetItems"): _transaction,
    ("dynamodb", "TransactWriteItems"): _transaction,
    ("ssm", "DeleteParameters"): _parameters("DeleteParameters", "Names"),
    ("ssm", "DescribeParameters"): _anywhere("ssm:DescribeParameters"),
    ("ssm", "GetParameters"): _parameters("GetParameters", "Names"),
    ("ssm", "GetParametersByPath"): _parameters("GetParametersByPath", "Path"),
    ("ssm", "PutParameter"): _parameters("PutParameter", "Name"),
    # Names of S3's operations and of its actions differ:
    # https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html
    ("s3", "AbortMultipartUpload"): _object("AbortMultipartUpload"),
    ("s3", "CompleteMultipartUpload"): _object("PutObject"),
    ("s3", "CreateMultipartUpload"): _object("PutObject"),
    ("s3", "DeleteObject"): _object("DeleteObject"),
    ("s3", "DeleteObjects"): _objects,
    ("s3", "ListObjects"): _bucket("ListBucket"),
    ("s3", "GetObject"): _read_object,
    ("s3", "HeadBucket"): _bucket("ListBucket"),
    ("s3", "HeadObject"): _read_object,
    ("s3", "ListObjectsV2"): _bucket("ListBucket"),
    ("s3", "PostObject"): _upload_form,
    ("s3", "PutObject"): _object("PutObject"),
    ("s3", "UploadPart"): _object("PutObject"),
    ("lambda", "DeleteFunction"): _managed_function("DeleteFunction"),
    ("lambda", "GetAlias"): _managed_function("GetAlias"),
    ("lambda", "GetFunctionConfiguration"): _managed_function("GetFunctionConfiguration"),
    ("lambda", "Invoke"): _function,
    ("lambda", "ListVersionsByFunction"): _managed_function("ListVersionsByFunction"),
    ("lambda", "UpdateAlias"): _managed_function("UpdateAlias"),
    ("secretsmanager", "GetSecretValue"): _secret,
    ("events", "PutEvents"): _events,
    ("logs", "FilterLogEvents"): _log_group("FilterLogEvents"),
    ("sqs", "ChangeMessageVisibility"): _queue("ChangeMessageVisibility"),
    ("sqs", "SendMessage"): _queue("SendMessage"),
    ("sqs", "SendMessageBatch"): _queue("SendMessage"),
    # https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
    ("bedrock-runtime", "Converse"): _model("InvokeModel"),
    ("bedrock-runtime", "ConverseStream"): _model("InvokeModelWithResponseStream"),
    ("bedrock-runtime", "InvokeModel"): _model("InvokeModel"),
    ("bedrock-runtime", "ApplyGuardrail"): _guardrail,
    ("bedrock", "ListFoundationModels"): _anywhere("bedrock:ListFoundationModels"),
    ("bedrock", "ListInferenceProfiles"): _anywhere("bedrock:ListInferenceProfiles"),
    ("bedrock-agent-runtime", "Retrieve"): _knowledge_base,
    ("s3vectors", "QueryVectors"): _vectors,
    # Every caller may: https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
    ("sts", "GetCallerIdentity"): _nothing,
    **{
        ("cloudformation", operation): _stack(operation)
        for operation in (
            "CreateChangeSet",
            "DeleteChangeSet",
            "DeleteStack",
            "DescribeChangeSet",
            "DescribeStackEvents",
            "DescribeStacks",
            "ExecuteChangeSet",
            "GetTemplate",
            "ListChangeSets",
            "ListStackResources",
        )
    },
    # A deploy makes these calls on the emulator alone, for what its CloudFormation leaves out.
    ("apigateway", "CreateDeployment"): _nothing,
    ("apigateway", "PutGatewayResponse"): _nothing,
    ("lambda", "ListEventSourceMappings"): _nothing,
    ("lambda", "UpdateEventSourceMapping"): _nothing,
    ("cloudformation", "GetTemplateSummary"): _anywhere("cloudformation:GetTemplateSummary"),
    ("cloudformation", "ListStacks"): _anywhere("cloudformation:ListStacks"),
    ("cloudformation", "ValidateTemplate"): _anywhere("cloudformation:ValidateTemplate"),
}
"""The accesses of each operation that Flexchat, its command or its deployment calls."""
