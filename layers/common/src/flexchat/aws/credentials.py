"""Codes of AWS errors, and errors of credentials and regions with their remedies."""

from collections.abc import Mapping
from typing import Final

from botocore import exceptions
from botocore.exceptions import BotoCoreError, ClientError

_EXPIRED, _UNKNOWN, _WRONG = (
    "the credentials have expired",
    "the credentials are unknown to AWS",
    "the credentials are not valid",
)

CREDENTIAL_ERRORS: Final[Mapping[str, str]] = {
    "ExpiredTokenException": _EXPIRED,
    "UnrecognizedClientException": _UNKNOWN,
    "InvalidSignatureException": _WRONG,
    # of S3
    "ExpiredToken": _EXPIRED,
    "InvalidAccessKeyId": _UNKNOWN,
    "SignatureDoesNotMatch": _WRONG,
}
"""Errors of every service for credentials that it refuses, by their codes."""


def error_code(exc: ClientError) -> str:
    """Return the service's code of an error."""
    return exc.response.get("Error", {}).get("Code", "unknown")


def credentials_problem(error: BotoCoreError) -> str | None:
    """Return the problem of an error that prevented every request; None for an error of another kind."""
    match error:
        case exceptions.NoRegionError():
            return "no AWS region is set; set AWS_DEFAULT_REGION or choose a profile with one"
        case exceptions.InvalidRegionError():
            return "the AWS region is not valid; set AWS_DEFAULT_REGION to one such as 'us-east-1'"
        case exceptions.NoCredentialsError() | exceptions.PartialCredentialsError():
            return "no AWS credentials were found; set AWS_PROFILE, or run `aws configure`"
        case exceptions.ProfileNotFound():
            return "the profile of AWS_PROFILE was not found; `aws configure list-profiles` lists them"
        case exceptions.SSOError() | exceptions.TokenRetrievalError():
            return "the AWS login has expired; run `aws sso login`"
        case _:
            return None


def missing_permission(service: str, error: ClientError) -> str:
    """Return the IAM action that the credentials lack, such as `ssm:GetParameters`.

    A transaction has no action of its own: each of its parts needs the action of the single operation
    (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html).
    """
    if error.operation_name == "TransactWriteItems":
        return "dynamodb:PutItem, dynamodb:UpdateItem, dynamodb:DeleteItem or dynamodb:ConditionCheckItem"
    return f"{service}:{error.operation_name}"
