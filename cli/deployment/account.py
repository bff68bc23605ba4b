"""AWS account of a stage's deployment, and the stack in it."""

import re
from collections.abc import Generator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import botocore.exceptions
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
)

from cli.deployment.settings import SAMCONFIG, StageSettings, use_account
from cli.errors import DeploymentError, UnknownNameError, unknown
from cli.invocation import make
from flexchat.aws.clients import create_client, new_session
from flexchat.aws.credentials import credentials_problem, missing_permission

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_cloudformation.type_defs import StackTypeDef

LOG_IN = "run `aws configure` or `aws sso login`, or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
BUCKET_NAME = re.compile(r"BucketName: !Sub (\S+)")
LAMBDA = ("DeleteFunction", "GetAlias", "GetFunctionConfiguration", "Invoke", "ListVersionsByFunction", "UpdateAlias")
SERVICES = {"GetCallerIdentity": "sts", "FilterLogEvents": "logs", **dict.fromkeys(LAMBDA, "lambda")}
"""Services of the requests beside CloudFormation."""

BAD_CREDENTIALS = (
    *("ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"),
    *("SignatureDoesNotMatch", "AuthFailure"),
)
UPDATABLE = (
    *("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS"),
    "UPDATE_FAILED",  # of an update without rollback, which may be retried
    *("IMPORT_COMPLETE", "IMPORT_ROLLBACK_COMPLETE"),
)
"""https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html"""

THROTTLED = ("Throttling", "ThrottlingException", "RequestLimitExceeded")
NOT_DEPLOYED = ("DELETE_COMPLETE", "REVIEW_IN_PROGRESS")
STACK_PREFIX = "flexchat-"


@dataclass(frozen=True, slots=True)
class Account:
    """AWS account of this process's credentials; `endpoint` is that of an emulator."""

    id: str
    region: str
    endpoint: str | None


def find_account(settings: StageSettings, environ: MutableMapping[str, str]) -> Account:
    """Return the account of the credentials, and set the stage's region and profile in `environ`.

    Every step then uses one account: a profile of the stage replaces credentials in the environment. Raises
    DeploymentError without a region, or without valid credentials.
    """
    use_account(settings, environ)
    with aws_errors():
        region = new_session().region_name
        if not region:
            raise DeploymentError(
                "no AWS region is set: set AWS_DEFAULT_REGION, or choose a profile with a region by AWS_PROFILE"
            )
        environ["AWS_DEFAULT_REGION"] = environ["AWS_REGION"] = region
        identity: dict[str, str] = client("sts").get_caller_identity()
    return Account(id=identity["Account"], region=region, endpoint=environ.get("AWS_ENDPOINT_URL"))


def client(service: str) -> Any:
    """Return a client for the account in the environment."""
    return create_client(service, connect_timeout=5, read_timeout=30, attempts=5, session=new_session())


def check_bucket(template: Path, stage: str, account: Account) -> None:
    """Check the stack's bucket.

    Raises DeploymentError for an existing one that the stack would create: it outlives a deleted stack.
    """
    found = BUCKET_NAME.search(template.read_text(encoding="utf-8"))
    if found is None:
        return
    bucket = found[1]
    for name, value in {"Stage": stage, "AWS::AccountId": account.id, "AWS::Region": account.region}.items():
        bucket = bucket.replace(f"${{{name}}}", value)
    try:
        client("s3").head_bucket(Bucket=bucket)
    except ClientError:
        return  # 404, or 403 without the permission
    except BotoCoreError as error:
        raise _unsent(error) from error
    raise DeploymentError(
        f"the bucket {bucket!r} of an earlier deployment of {stage!r} still exists: "
        "empty it, including old versions (Empty in S3's console), and delete it; or deploy another stage"
    )


class Stack:
    """CloudFormation stack of a stage."""

    def __init__(self, name: str) -> None:
        self.name = name
        with aws_errors():
            self._client: CloudFormationClient = client("cloudformation")

    def check(self) -> bool:
        """Return true when the stack exists. Raises DeploymentError for one that cannot be updated."""
        found = self._describe()
        if found is None:
            return False
        status = found["StackStatus"]
        if status.endswith("_IN_PROGRESS") and status != "REVIEW_IN_PROGRESS":
            raise DeploymentError(f"the stack {self.name!r} is being changed ({status}): try again when that has ended")
        if status == "UPDATE_ROLLBACK_FAILED":
            raise DeploymentError(
                f"the stack {self.name!r} cannot be updated ({status}): "
                f"run `aws cloudformation continue-update-rollback --stack-name {self.name}`, then deploy again"
            )
        if status not in UPDATABLE:
            raise DeploymentError(
                f"the stack {self.name!r} cannot be updated ({status}): "
                f"delete it with `aws cloudformation delete-stack --stack-name {self.name}`, then deploy again"
            )
        return status != "REVIEW_IN_PROGRESS"

    def require(self, stage: str) -> None:
        """Check the existence of the stack. Raises UnknownNameError with the deployed stages."""
        found = self._describe()
        if found is not None and found["StackStatus"] not in NOT_DEPLOYED:
            return
        region = self._client.meta.region_name
        known, where = self._deployed_stages(), f"region {region!r}"
        remedy = f"`{make('deploy', f'STAGE={stage}')}` deploys it"
        if known is None:
            raise UnknownNameError(f"{where} has no deployed stage {stage!r} (stack {self.name!r}). {remedy}")
        raise UnknownNameError(f"{unknown('deployed stage', stage, known, where=where)}. {remedy}")

    def _deployed_stages(self) -> list[str] | None:
        """Return the stages of this account and region, or None without the permission to list stacks."""
        try:
            pages = self._client.get_paginator("list_stacks").paginate()
            stacks = [stack for page in pages for stack in page["StackSummaries"]]
        except (ClientError, BotoCoreError):
            return None
        return sorted(
            stack["StackName"].removeprefix(STACK_PREFIX)
            for stack in stacks
            if stack["StackName"].startswith(STACK_PREFIX) and stack["StackStatus"] not in NOT_DEPLOYED
        )

    def parameter(self, name: str, default: str) -> str:
        """Return the value of a parameter of the stack, or `default` when the stack has no such parameter."""
        parameters = (self._describe() or {}).get("Parameters", [])
        values = {each.get("ParameterKey"): each.get("ParameterValue", default) for each in parameters}
        return values.get(name, default)

    def outputs(self) -> dict[str, str]:
        """Return the outputs of the deployed stack. Raises DeploymentError when it does not exist."""
        found = self._describe()
        if found is None:
            raise DeploymentError(f"the stack {self.name!r} was not found after its deployment")
        return {output.get("OutputKey", ""): output.get("OutputValue", "") for output in found.get("Outputs", [])}

    def versions(self) -> dict[str, str]:
        """Return the published versions that the stack has, by function."""
        with aws_errors():
            pages = self._client.get_paginator("list_stack_resources").paginate(StackName=self.name)
            arns = [
                resource.get("PhysicalResourceId", "").split(":")
                for page in pages
                for resource in page["StackResourceSummaries"]
                if resource["ResourceType"] == "AWS::Lambda::Version"
                and not resource["ResourceStatus"].startswith("DELETE")  # retained, and no longer in the template
            ]
        return {arn[-2]: arn[-1] for arn in arns}

    def waiting_changes(self) -> frozenset[str]:
        """Return the ids of change sets that were not executed: `sam deploy` leaves one when it is declined."""
        try:
            with aws_errors():
                pages = self._client.get_paginator("list_change_sets").paginate(StackName=self.name)
                return frozenset(
                    each.get("ChangeSetId", "")
                    for page in pages
                    for each in page["Summaries"]
                    if each.get("ExecutionStatus") == "AVAILABLE"
                )
        except _NoStackError:
            return frozenset()

    def _describe(self) -> "StackTypeDef | None":
        try:
            with aws_errors():
                return self._client.describe_stacks(StackName=self.name)["Stacks"][0]
        except _NoStackError:
            return None


class _NoStackError(DeploymentError):
    """The stack does not exist."""


@contextmanager
def aws_errors() -> Generator[None]:
    """Return an error of AWS as a DeploymentError with the remedy."""
    try:
        yield
    except ClientError as error:
        raise _of_answer(error) from error
    except BotoCoreError as error:
        raise _unsent(error) from error


def _unsent(error: BotoCoreError) -> DeploymentError:
    """Return the problem of an error without a response, with the text that all commands use."""
    if (problem := credentials_problem(error)) is not None:
        return DeploymentError(problem)
    if isinstance(error, botocore.exceptions.ConnectionError | botocore.exceptions.HTTPClientError):
        return DeploymentError(
            f"AWS cannot be reached ({type(error).__name__}); check the network and AWS_DEFAULT_REGION"
        )
    return DeploymentError(f"AWS cannot be used ({type(error).__name__}): {LOG_IN}")


def _of_answer(error: ClientError) -> DeploymentError:
    details = error.response.get("Error", {})
    code, message = details.get("Code", "unknown"), details.get("Message", "")
    if code in ("ValidationError", "ChangeSetNotFound") and "does not exist" in message:
        return _NoStackError(message)
    if code in ("AccessDenied", "AccessDeniedException", "UnauthorizedOperation"):
        service = SERVICES.get(error.operation_name, "cloudformation")
        return DeploymentError(f"these credentials lack {missing_permission(service, error)} ({code})")
    if code in BAD_CREDENTIALS:
        return DeploymentError(f"AWS refuses the credentials ({code}): {LOG_IN}")
    if code in THROTTLED:
        return DeploymentError(f"AWS limits the rate of {error.operation_name} ({code}): try again in a minute")
    return DeploymentError(
        f"AWS refuses {error.operation_name} ({code}): check stack_name, region and profile of the stage in {SAMCONFIG}"
    )
