"""Objects in one S3 bucket, read and replaced by ETag: the store of collections."""

import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, ClassVar

from botocore.exceptions import BotoCoreError, ClientError
from msgspec import Struct

from flexchat.aws.credentials import CREDENTIAL_ERRORS, credentials_problem, missing_permission
from flexchat.errors import ConfigError, Problem, RetrievalError, UnavailableError
from flexchat.redacted_struct import RedactedStruct

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import GetObjectOutputTypeDef

CONFIGURATION_ERRORS = {
    "NoSuchBucket": "bucket not found; deploy the stage first, or set AWS_DEFAULT_REGION to its region",
    **CREDENTIAL_ERRORS,
}
"""Errors that only the operator can correct; a retry never helps."""

ACCESS_DENIED = {"AccessDenied", "403"}
"""HeadObject has no body, hence no code but its status."""

READ = "s3:GetObject, or s3:ListBucket if the object does not exist"
ACTIONS = {"GetObject": READ, "HeadObject": READ, "ListObjectsV2": "s3:ListBucket"}
"""IAM actions of requests that need another one than that of their own name
(https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html, "Permissions")."""

_ABSENT = {"NoSuchKey", "404"}
_UNCHANGED = {"NotModified", "304"}
_CONFLICT = {"PreconditionFailed", "412", "ConditionalRequestConflict", "409"}
_COPY_BYTES = 1024 * 1024


class StoredObject(Struct, frozen=True):
    """An object's content, its ETag, and the metadata that it was uploaded with."""

    body: bytes
    etag: str
    metadata: Mapping[str, str] = {}


class UploadForm(RedactedStruct, frozen=True):
    """Address and fields of a form whose last field, `file`, is the content of an object."""

    redacted: ClassVar = ("url", "fields")

    url: str
    fields: Mapping[str, str]


class ObjectSummary(Struct, frozen=True):
    """An object in a listing; `size` in bytes."""

    key: str
    etag: str
    size: int


class ObjectStore:
    """The objects of one bucket.

    Every method raises UnavailableError when S3 does not answer, and ConfigError for an error only the operator can
    correct.
    """

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def etag(self, key: str) -> str | None:
        """Return the ETag of an object; None when there is none."""
        try:
            with self._translated("look at", key):
                return self._client.head_object(Bucket=self._bucket, Key=key)["ETag"]
        except _AbsentError:
            return None

    def get(self, key: str) -> StoredObject:
        """Return a small object. Raises RetrievalError `not_found`."""
        with _not_found(key), self._translated("read", key):
            answer = self._client.get_object(Bucket=self._bucket, Key=key)
            return StoredObject(answer["Body"].read(), answer["ETag"], answer.get("Metadata", {}))

    def beginning(self, key: str, size: int) -> tuple[bytes, int]:
        """Return the first bytes of an object, at most `size`, and the size of all.

        Raises RetrievalError `not_found`.
        """
        with _not_found(key), self._translated("read", key):
            answer = self._client.get_object(Bucket=self._bucket, Key=key, Range=f"bytes=0-{size - 1}")
            total = answer.get("ContentRange", "").rpartition("/")[2]
            return answer["Body"].read(size), int(total) if total.isdigit() else answer["ContentLength"]

    def download_link(self, key: str, *, seconds: int, content_type: str) -> str:
        """Return an address that downloads an object within `seconds`, without credentials.

        The response has `content_type`, and a browser that opens the address saves it instead of showing it.
        """
        with self._translated("sign a download of", key):
            return self._client.generate_presigned_url(
                "get_object",
                Params={
                    "Bucket": self._bucket,
                    "Key": key,
                    "ResponseContentType": content_type,
                    "ResponseContentDisposition": "attachment",
                    "ResponseCacheControl": "private, no-store",
                },
                ExpiresIn=seconds,
            )

    def download(self, key: str, path: Path, *, unless_etag: str | None = None) -> str | None:
        """Stream the object to `path` and return its ETag.

        None, without a write, when its ETag is `unless_etag`. Raises RetrievalError `not_found`.
        """
        with _not_found(key):
            try:
                with self._translated("read", key):
                    answer = self._requested(key, unless_etag)
                    with path.open("wb") as file:
                        shutil.copyfileobj(answer["Body"], file, _COPY_BYTES)
                    return answer["ETag"]
            except _UnchangedError:
                return None

    def _requested(self, key: str, unless_etag: str | None) -> "GetObjectOutputTypeDef":
        if unless_etag is None:
            return self._client.get_object(Bucket=self._bucket, Key=key)
        return self._client.get_object(Bucket=self._bucket, Key=key, IfNoneMatch=unless_etag)

    def put(self, key: str, body: bytes | IO[bytes], *, if_match: str | None = None, if_absent: bool = False) -> str:
        """Write an object in place of an existing one and return its ETag.

        With `if_match` only in place of the content of that ETag, with `if_absent` only where there is none; else
        RetrievalError `conflict`, and nothing is written.
        """
        with _conflict(key), self._translated("write", key):
            if if_match is not None:
                answer = self._client.put_object(Bucket=self._bucket, Key=key, Body=body, IfMatch=if_match)
            elif if_absent:
                answer = self._client.put_object(Bucket=self._bucket, Key=key, Body=body, IfNoneMatch="*")
            else:
                answer = self._client.put_object(Bucket=self._bucket, Key=key, Body=body)
            return answer["ETag"]

    def upload_form(self, key: str, *, max_bytes: int, seconds: int, metadata: Mapping[str, str]) -> UploadForm:
        """Return a form that uploads one object of at most `max_bytes` within `seconds`, without credentials."""
        fields = {f"x-amz-meta-{name}": value for name, value in metadata.items()}
        conditions = [{name: value} for name, value in fields.items()]
        with self._translated("sign an upload to", key):
            form = self._client.generate_presigned_post(
                Bucket=self._bucket,
                Key=key,
                Fields=fields,
                Conditions=[*conditions, ["content-length-range", 1, max_bytes]],
                ExpiresIn=seconds,
            )
        return UploadForm(form["url"], form["fields"])

    def list(self, prefix: str) -> tuple[ObjectSummary, ...]:
        """Return every object whose key begins with `prefix`, sorted by key."""
        found: list[ObjectSummary] = []
        with self._translated("list", prefix):
            for page in self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix):
                found += [
                    ObjectSummary(item.get("Key", ""), item.get("ETag", ""), item.get("Size", 0))
                    for item in page.get("Contents", [])
                ]
        return tuple(found)

    def delete(self, key: str) -> None:
        """Delete an object; a missing one is no error."""
        with self._translated("delete", key):
            self._client.delete_object(Bucket=self._bucket, Key=key)

    @contextmanager
    def _translated(self, action: str, key: str) -> Generator[None]:
        """Translate errors of botocore; absence, no change and conflict have errors of their own."""
        where = f"s3://{self._bucket}/{key}"
        try:
            yield
        except ClientError as exc:
            code = exc.response.get("Error", {}).get("Code", "")
            if code in _ABSENT:
                raise _AbsentError from exc
            if code in _UNCHANGED:
                raise _UnchangedError from exc
            if code in _CONFLICT:
                raise _ConflictError from exc
            if code in ACCESS_DENIED:
                lacking = ACTIONS.get(exc.operation_name) or missing_permission("s3", exc)
                raise ConfigError((Problem(where, f"cannot {action} it: these credentials lack {lacking}"),)) from exc
            if code in CONFIGURATION_ERRORS:
                raise ConfigError((Problem(where, f"cannot {action} it: {CONFIGURATION_ERRORS[code]}"),)) from exc
            raise UnavailableError(f"cannot {action} {where}: {code}") from exc
        except BotoCoreError as exc:
            if (problem := credentials_problem(exc)) is not None:
                raise ConfigError((Problem(where, f"cannot {action} it: {problem}"),)) from exc
            raise UnavailableError(f"cannot {action} {where}: {type(exc).__name__}") from exc


class _AbsentError(Exception):
    """No object of that key."""


class _UnchangedError(Exception):
    """The object has the ETag of the caller's copy."""


class _ConflictError(Exception):
    """Another writer changed the object first."""


@contextmanager
def _not_found(key: str) -> Generator[None]:
    try:
        yield
    except _AbsentError as exc:
        raise RetrievalError(f"object {key!r} not found", code="not_found") from exc


@contextmanager
def _conflict(key: str) -> Generator[None]:
    """Translate a conflict, including the deletion of an object that was to be replaced."""
    try:
        yield
    except (_ConflictError, _AbsentError) as exc:
        raise RetrievalError(f"another writer changed {key!r} at the same time", code="conflict") from exc
