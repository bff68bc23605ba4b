"""Client of AWS services with JSON bodies: DynamoDB, SSM, Secrets Manager, and invocations of Lambda functions.

botocore builds, checks and signs each request from descriptions of all operations of a service. Measured on a fresh
process, its import and three of its clients cost 250 ms of a cold start, and a request 1 to 2 ms of CPU, against 0.3 ms
here. The methods, their arguments, their results and their errors are those of botocore's clients, so that either kind
is used in the place of the other; an operation that a service of this module does not list needs botocore's.
"""

import io
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from msgspec import Struct

from flexchat.aws.environment import Endpoint, credentials_source
from flexchat.aws.signed_requests import SignedRequests

type Json = dict[str, Any]


class Service(Struct, frozen=True):
    """Service as its requests name it.

    `target` is the prefix of its operations in the header `x-amz-target`, `convert` converts each JSON object of a
    response, where `converted` is a part of its text.
    """

    name: str
    target: str
    content_type: str
    operations: Mapping[str, str]
    converted: bytes
    convert: Callable[[Json], Any]


def _operations(*methods: str) -> dict[str, str]:
    return {method: method.title().replace("_", "") for method in methods}


def _with_blobs(found: Json) -> Any:
    """Convert a binary value of DynamoDB; an attribute of that name has an object as its value."""
    value = found.get("B")
    return {"B": b64decode(value)} if isinstance(value, str) else found


def _with_dates(found: Json) -> Any:
    if isinstance(changed := found.get("LastModifiedDate"), (int, float)):
        found["LastModifiedDate"] = datetime.fromtimestamp(changed, UTC)
    return found


def _with_secret(found: Json) -> Any:
    if isinstance(secret := found.get("SecretBinary"), str):
        found["SecretBinary"] = b64decode(secret)
    return found


DYNAMODB: Final = Service(
    "dynamodb",
    "DynamoDB_20120810",
    "application/x-amz-json-1.0",
    _operations(
        *("batch_get_item", "batch_write_item", "delete_item", "get_item", "put_item", "query"),
        *("transact_write_items", "update_item"),
    ),
    b'"B"',
    _with_blobs,
)
SSM: Final = Service(
    "ssm",
    "AmazonSSM",
    "application/x-amz-json-1.1",
    _operations(
        *("delete_parameters", "describe_parameters", "get_parameters", "get_parameters_by_path", "put_parameter"),
    ),
    b'"LastModifiedDate"',
    _with_dates,
)
SECRETS_MANAGER: Final = Service(
    "secretsmanager",
    "secretsmanager",
    "application/x-amz-json-1.1",
    _operations("get_secret_value"),
    b'"SecretBinary"',
    _with_secret,
)


SERVICES: Final = {service.name: service for service in (DYNAMODB, SSM, SECRETS_MANAGER)}


class JsonClient:
    """Client of one service, with the methods of `Service.operations`."""

    def __init__(self, service: Service, requests: SignedRequests) -> None:
        self._service = service
        self._requests = requests

    def __getattr__(self, method: str) -> Callable[..., Json]:
        """Return the method of an operation, which takes the operation's arguments by name and returns its result."""
        operation = self._service.operations.get(method)
        if operation is None:
            raise AttributeError(f"{method!r} is not an operation of {self._service.name} that this client has")
        return partial(self._call, operation)

    def _call(self, operation: str, **arguments: Any) -> Json:
        service = self._service
        headers = {"content-type": service.content_type, "x-amz-target": f"{service.target}.{operation}"}
        body = json.dumps(arguments, separators=(",", ":"), default=_blob).encode()
        found = self._requests.post(operation, "/", headers, body, service.convert).body
        return json.loads(found, object_hook=service.convert if service.converted in found else None)


class InvocationClient:
    """Client of Lambda with one operation."""

    def __init__(self, requests: SignedRequests) -> None:
        self._requests = requests

    def invoke(self, **arguments: Any) -> Json:
        """Invoke `FunctionName`, a name or ARN, with the bytes of `Payload`, and with `InvocationType` if one is given.

        The result has `StatusCode`, `Payload`, and `FunctionError` where the function failed.
        """
        path = f"/2015-03-31/functions/{quote(arguments['FunctionName'], safe='')}/invocations"
        headers = {"content-type": "application/octet-stream"}
        if "InvocationType" in arguments:
            headers["x-amz-invocation-type"] = arguments["InvocationType"]
        answer = self._requests.post("Invoke", path, headers, arguments["Payload"])
        found: Json = {"StatusCode": answer.status, "Payload": io.BytesIO(answer.body)}
        if "x-amz-function-error" in answer.headers:
            found["FunctionError"] = answer.headers["x-amz-function-error"]
        return found


def signing_client(service: str, endpoint: Endpoint, *, seconds: float, attempts: int) -> JsonClient | InvocationClient:
    """Return the client of a function for a service of `SERVICES` or for `lambda`.

    A request is sent at most `attempts` times, each for at most `seconds`.
    """
    requests = SignedRequests(
        service,
        address=endpoint.address,
        region=endpoint.region,
        credentials=credentials_source(),
        seconds=seconds,
        attempts=attempts,
    )
    return InvocationClient(requests) if service == "lambda" else JsonClient(SERVICES[service], requests)


def _blob(value: object) -> str:
    """Return the JSON form of bytes. Raises TypeError for other values that JSON does not have."""
    if isinstance(value, bytes):
        return b64encode(value).decode()
    raise TypeError(f"{type(value).__name__} is not a value of a request to AWS")
