"""Access to the AWS emulator: requests with the key of its stack; of web pages, only uploads and downloads.

The emulator itself accepts every key, and allows every origin to read its responses.
"""

import hmac
import re
from collections.abc import Iterator, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from dev.request_check import Application, Receive, RequestCheck, Scope, Send, header_lines

KEY_HEADER = b"x-local-stack-key"
"""Header with the access key id in requests that the local gateway has checked, in place of a signature."""
HEALTH = "/_ministack/health"
API = re.compile(r"/restapis/[^/]+/[^/]+/_user_request_(?:/|$)")
"""Paths of deployed APIs, which have authorizers of their own and a page; a second stage has no gateway."""
CREDENTIAL = re.compile(r"AWS4-HMAC-SHA256 Credential=([^/,\s]+)/")
BUCKET = re.compile(r"/[a-z0-9][a-z0-9.-]{2,62}/?")
"""Paths of buckets, which upload forms are sent to."""
FORM_CREDENTIAL = re.compile(rb'name="x-amz-credential"\r\n(?:[^\r\n]+\r\n)*\r\n([^/\r\n]+)/', re.IGNORECASE)
OBJECT = re.compile(r"/[a-z0-9][a-z0-9.-]{2,62}/files/.+")
"""Paths of pictures and files of chats, which presigned links download."""
PAGE = re.compile(r"http://(?:127\.0\.0\.1|localhost|\[::1\]):[0-9]{1,5}")
"""Origins of pages of this machine, such as that of the local gateway."""
MAX_FORM_BYTES = 65_536
"""Size of an upload form's part before the file, which comes last."""


class EmulatorAccess:
    """Checks the requests to the emulator at `port`; `key` is the access key id of its stack."""

    def __init__(self, port: int, key: str) -> None:
        self._check = RequestCheck(port)
        self._api_check = RequestCheck(port, has_page=True)
        self._key = key

    def refusal(self, scope: Scope) -> str | None:
        """Return the reason to refuse an ASGI request; None for an allowed one, which loses the gateway's header."""
        forwarded = [value for name, value in scope["headers"] if name == KEY_HEADER]
        if len(forwarded) == 1 and self._is_own(forwarded[0].decode("latin-1")):
            scope["headers"] = [line for line in scope["headers"] if line[0] != KEY_HEADER]
            return None
        is_api = scope["type"] == "http" and API.match(scope["path"]) is not None
        check = self._api_check if is_api else self._check
        lines = header_lines(scope)
        if self._is_transfer(scope, lines):
            # As on AWS, the signature permits it, whatever page sends it, and the CORS rules of the bucket do.
            return check.refusal(line for line in lines if line[0] == "host")
        reason = check.refusal(lines)
        if reason is not None or is_api or (scope["path"] == HEALTH and scope.get("method") == "GET"):
            return reason
        keys = list(_key_ids(scope))
        if keys and all(self._is_own(key) for key in keys):
            return None
        return (
            f"the request is {'signed with another key' if keys else 'not signed'}; set AWS_ACCESS_KEY_ID to the"
            " access_key_id in .local/stack.json"
        )

    def _is_transfer(self, scope: Scope, lines: list[tuple[str, str]]) -> bool:
        """Return True for an upload or a download of a page of this machine, and for its preflight request."""
        origins = [value for name, value in lines if name == "origin"]
        if scope["type"] != "http" or len(origins) != 1 or not PAGE.fullmatch(origins[0]):
            return False
        match scope["method"]:
            case "OPTIONS":
                asked = [value for name, value in lines if name == "access-control-request-method"]
                path = {"POST": BUCKET, "GET": OBJECT}.get(asked[0]) if len(asked) == 1 else None
                return path is not None and path.fullmatch(scope["path"]) is not None
            case "POST":
                return BUCKET.fullmatch(scope["path"]) is not None and self._is_own(scope.get("form_key", ""))
            case "GET":
                keys = list(_key_ids(scope))
                own = len(keys) == 1 and self._is_own(keys[0])
                return (
                    own and OBJECT.fullmatch(scope["path"]) is not None and b"X-Amz-Signature=" in scope["query_string"]
                )
            case _:
                return False

    def _is_own(self, key: str) -> bool:
        return hmac.compare_digest(key.encode(), self._key.encode())


class UploadForms:
    """Gives `application` the credential of an S3 upload form, which is in the body, in the scope: `form_key`."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _may_be_upload_form(scope):
            await self._application(scope, receive, send)
            return
        read: list[MutableMapping[str, Any]] = []
        body, more = b"", True
        while more and len(body) < MAX_FORM_BYTES:
            read.append(await receive())
            body += read[-1].get("body", b"")
            more = read[-1].get("more_body", False)
        if found := FORM_CREDENTIAL.search(body[:MAX_FORM_BYTES]):
            scope["form_key"] = found[1].decode("latin-1")

        async def receive_again() -> MutableMapping[str, Any]:
            return read.pop(0) if read else await receive()

        await self._application(scope, receive_again, send)


def _may_be_upload_form(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "POST" or not BUCKET.fullmatch(scope["path"]):
        return False
    return any(name == b"content-type" and value.startswith(b"multipart/form-data") for name, value in scope["headers"])


def _key_ids(scope: Scope) -> Iterator[str]:
    """Yield the access key ids of a signed request: in its header, in the query of a presigned URL, in a form."""
    for name, value in header_lines(scope):
        if name == "authorization":
            found = CREDENTIAL.match(value)
            yield found[1] if found else ""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    yield from (credential.partition("/")[0] for credential in query.get("X-Amz-Credential", []))
    yield from query.get("AWSAccessKeyId", [])  # SigV2, botocore's default for presigned URLs of S3
    if "form_key" in scope:
        yield scope["form_key"]
