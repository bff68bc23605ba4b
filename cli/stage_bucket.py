"""Bucket of a stage for commands, whose name contains the account and the region: collections, configuration."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, Protocol, cast

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.aws.clients import create_client, new_session, s3_of
from flexchat.aws.configuration_objects import ConfigurationObjects
from flexchat.aws.credentials import credentials_problem
from flexchat.aws.objects import ObjectStore
from flexchat.config.publication import Attribution, check_comment
from flexchat.errors import ConfigError, Problem, UnavailableError


class _SecurityTokens(Protocol):
    def get_caller_identity(self) -> Mapping[str, str]: ...


class StageBucket(NamedTuple):
    """Objects of a stage's bucket, and the ARN of the identity that commands use."""

    objects: ObjectStore
    identity: str


def operator_bucket(stage: str) -> StageBucket:
    """Return the bucket of a stage, in the account and region of the usual AWS environment.

    Raises ConfigError without a region or credentials, UnavailableError when AWS does not return the account.
    """
    bucket = f"flexchat-{stage}-<account>-<region>"
    try:
        session = new_session()
        region = session.region_name
        if not region:  # STS and S3 have a default region of their own
            raise _config_error(bucket, "no AWS region is set; set AWS_DEFAULT_REGION or choose a profile with one")
        tokens = cast("_SecurityTokens", create_client("sts", connect_timeout=5, read_timeout=10, session=session))
        identity = tokens.get_caller_identity()
        name = f"flexchat-{stage}-{identity['Account']}-{region}"
        return StageBucket(ObjectStore(s3_of(session), name), identity["Arn"])
    except ClientError as exc:
        code = exc.response.get("Error", {}).get("Code", "unknown")
        raise _config_error(
            bucket,
            f"AWS refuses these credentials ({code}); set AWS_PROFILE, or run `aws sso login`",
        ) from exc
    except BotoCoreError as exc:
        if (problem := credentials_problem(exc)) is not None:
            raise _config_error(bucket, problem) from exc
        raise UnavailableError(f"could not read the account of {bucket!r} from AWS ({type(exc).__name__})") from exc


def operator_objects(stage: str) -> ObjectStore:
    """Return the objects of a stage's bucket, as `operator_bucket`."""
    return operator_bucket(stage).objects


def configuration_objects(stage: str) -> ConfigurationObjects:
    """Return the packed copy and the history of a stage's configuration; the bucket is found on first use."""
    found = cache(lambda: operator_objects(stage))
    return ConfigurationObjects(found, stage=stage)


def operator_attribution(stage: str, comment: str = "") -> Attribution:
    """Return the author of a publication by a command; without credentials, which the publication reports, unnamed.

    Raises ConfigError for an invalid comment.
    """
    text = check_comment(comment)
    try:
        return Attribution(operator_bucket(stage).identity, text)
    except (ConfigError, UnavailableError):
        return Attribution("", text)


def _config_error(bucket: str, message: str) -> ConfigError:
    return ConfigError((Problem(path=bucket, message=message),))
