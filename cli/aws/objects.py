"""Objects in S3 that commands write."""

import re
from typing import Final, NamedTuple

from botocore.exceptions import BotoCoreError

from flexchat.aws.clients import new_session, s3_of
from flexchat.aws.credentials import credentials_problem
from flexchat.aws.objects import ObjectStore
from flexchat.errors import ConfigError, Problem, RetrievalError, UnavailableError

_ADDRESS: Final = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/([^/].*)")


class WrittenObject(NamedTuple):
    """Object in a bucket of the AWS account of the command."""

    objects: ObjectStore
    key: str

    def write(self, content: bytes) -> None:
        """Write the object in place of an existing one. Raises ConfigError or UnavailableError."""
        try:
            self.objects.put(self.key, content)
        except RetrievalError as exc:
            raise UnavailableError(f"the object {self.key!r} was not written: {exc.message}") from exc


def object_at(address: str) -> WrittenObject:
    """Return the object of an address. Raises ConfigError for another text, and without credentials or a region."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise ConfigError((Problem(address, "must be the address of an object, such as s3://bucket/audit.jsonl"),))
    try:
        return WrittenObject(ObjectStore(s3_of(new_session()), found[1]), found[2])
    except BotoCoreError as exc:
        problem = credentials_problem(exc) or f"AWS cannot be used ({type(exc).__name__})"
        raise ConfigError((Problem(address, problem),)) from exc
