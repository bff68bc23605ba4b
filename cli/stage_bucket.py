"""Bucket of a stage for commands, whose name contains the account and the region: collections, configuration."""

from collections.abc import Mapping
from typing import Protocol, cast

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.aws.clients import create_client, new_session, s3_of
from flexchat.aws.credentials import credentials_problem
from flexchat.aws.objects import ObjectStore
from flexchat.errors import ConfigError, Problem, UnavailableError


class _SecurityTokens(Protocol):
    def get_caller_identity(self) -> Mapping[str, str]: ...


def operator_objects(stage: str) -> ObjectStore:
    """Return the objects of a stage's bucket, in the account and region of the usual AWS environment.

    Raises ConfigError without a region or credentials, UnavailableError when AWS does not return the account.
    """
    bucket = f"flexchat-{stage}-<account>-<region>"
    try:
        session = new_session()
        region = session.region_name
        if not region:  # STS and S3 have a default region of their own
            raise _config_error(bucket, "no AWS region is set; set AWS_DEFAULT_REGION or choose a profile with one")
        tokens = cast("_SecurityTokens", create_client("sts", connect_timeout=5, read_timeout=10, session=session))
        account = tokens.get_caller_identity()["Account"]
        return ObjectStore(s3_of(session), f"flexchat-{stage}-{account}-{region}")
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


def _config_error(bucket: str, message: str) -> ConfigError:
    return ConfigError((Problem(path=bucket, message=message),))
