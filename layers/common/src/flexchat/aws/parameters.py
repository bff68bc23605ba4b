"""SSM parameters: read, written and deleted by name, every foreign error translated."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import batched
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.aws.clients import create_client, new_session
from flexchat.aws.credentials import CREDENTIAL_ERRORS, credentials_problem, error_code, missing_permission
from flexchat.config.encoding import REQUEST_LIMIT, LastChange, StoredParameters
from flexchat.errors import ConfigError, FlexchatError, Problem, UnavailableError

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient
    from mypy_boto3_ssm.type_defs import ParameterTypeDef

ACCESS_DENIED = "AccessDeniedException"

CONFIGURATION_ERRORS = {
    **CREDENTIAL_ERRORS,
    "ParameterLimitExceeded": "the account has reached its limit of parameters",
    "ParameterMaxVersionLimitExceeded": "the parameter's oldest version has a label; remove it",
    "HierarchyLevelLimitExceededException": "the name has too many levels",
    "ValidationException": "SSM does not accept the name or the value",
}
"""Errors that only the operator can correct; a retry never helps."""


class ParameterStore:
    """The parameters of one account and region.

    Every method raises UnavailableError when SSM does not answer or throttles the request, and ConfigError for an error
    only the operator can correct. No error contains a value.
    """

    def __init__(self, client: "SSMClient") -> None:
        self._client = client

    def read_path(self, path: str) -> StoredParameters:
        """Return every parameter below `path`, by its full name; SecureStrings stay encrypted."""
        found: list[ParameterTypeDef] = []
        with _translated("read", path):
            paginator = self._client.get_paginator("get_parameters_by_path")
            for page in paginator.paginate(
                Path=path, Recursive=True, WithDecryption=False, PaginationConfig={"PageSize": REQUEST_LIMIT}
            ):
                found.extend(page["Parameters"])
        return _stored(found)

    def read(self, names: Iterable[str]) -> StoredParameters:
        """Return the existing parameters of these names, SecureStrings decrypted; ten names are one call."""
        found: list[ParameterTypeDef] = []
        for batch in batched(names, REQUEST_LIMIT, strict=False):
            with _translated("read", batch[0]):
                answer = self._client.get_parameters(Names=list(batch), WithDecryption=True)
            found.extend(answer["Parameters"])
        return _stored(found)

    def names(self, path: str) -> tuple[str, ...]:
        """Return the sorted names below `path` without reading a value."""
        return tuple(sorted(self._described(path)))

    def _described(self, path: str) -> Iterator[str]:
        with _translated("list", path):
            paginator = self._client.get_paginator("describe_parameters")
            for page in paginator.paginate(ParameterFilters=[{"Key": "Path", "Option": "Recursive", "Values": [path]}]):
                yield from (item.get("Name", "") for item in page["Parameters"])

    def put(self, name: str, value: str, *, secret: bool = False) -> None:
        """Write one parameter, encrypted when it is a secret, in place of an existing one."""
        with _translated("write", name):
            self._client.put_parameter(
                Name=name,
                Value=value,
                Type="SecureString" if secret else "String",
                Tier="Standard",
                Overwrite=True,
            )

    def delete(self, names: Iterable[str]) -> None:
        """Delete parameters; a missing one is no error."""
        for batch in batched(names, REQUEST_LIMIT, strict=False):
            with _translated("delete", batch[0]):
                self._client.delete_parameters(Names=list(batch))


def _stored(found: Iterable["ParameterTypeDef"]) -> StoredParameters:
    values: dict[str, str] = {}
    changes: dict[str, LastChange] = {}
    for item in found:
        name = item.get("Name", "")
        values[name] = item.get("Value", "")
        if "LastModifiedDate" in item and "Version" in item:
            changes[name] = LastChange(at=item["LastModifiedDate"].timestamp(), revision=item["Version"])
    return StoredParameters(values, changes)


def operator_store() -> ParameterStore:
    """Return the store for commands, with many retries, as SSM accepts only a few writes a second.

    Region, credentials and endpoint come from the usual AWS environment. Raises ConfigError without a region.
    """
    with _translated("use", "AWS"):
        client = create_client("ssm", connect_timeout=5, read_timeout=20, attempts=10, session=new_session())
    return ParameterStore(client)


@contextmanager
def _translated(action: str, name: str) -> Generator[None]:
    try:
        yield
    except ClientError as exc:
        raise _of_answer(exc, action, name) from exc
    except BotoCoreError as exc:
        if (problem := credentials_problem(exc)) is not None:
            raise _config_error(name, problem) from exc
        raise UnavailableError(f"could not {action} {name!r}: SSM did not answer ({type(exc).__name__})") from exc


def _of_answer(exc: ClientError, action: str, name: str) -> FlexchatError:
    code = error_code(exc)
    if code == ACCESS_DENIED:
        return _config_error(
            name, f"could not {action}: these credentials lack {missing_permission('ssm', exc)} ({code})"
        )
    if code in CONFIGURATION_ERRORS:
        return _config_error(name, f"could not {action}: {CONFIGURATION_ERRORS[code]} ({code})")
    return UnavailableError(f"could not {action} {name!r}: SSM answered {code}")


def _config_error(path: str, message: str) -> ConfigError:
    return ConfigError((Problem(path=path, message=message),))
