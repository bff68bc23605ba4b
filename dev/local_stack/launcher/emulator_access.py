"""Access to the AWS emulator: requests with the access key id of its stack, and none of a web page.

The emulator itself accepts every key, and allows every origin to read its responses.
"""

import hmac
import re
from collections.abc import Iterator
from urllib.parse import parse_qs

from dev.request_check import RequestCheck, Scope, header_lines

KEY_HEADER = b"x-local-stack-key"
"""Header with the access key id in requests that the local gateway has checked, in place of a signature."""
HEALTH = "/_ministack/health"
API = re.compile(r"/restapis/[^/]+/[^/]+/_user_request_(?:/|$)")
"""Paths of deployed APIs, which have authorizers of their own and a page; a second stage has no gateway."""
CREDENTIAL = re.compile(r"AWS4-HMAC-SHA256 Credential=([^/,\s]+)/")


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
        reason = check.refusal(header_lines(scope))
        if reason is not None or is_api or (scope["path"] == HEALTH and scope.get("method") == "GET"):
            return reason
        keys = list(_key_ids(scope))
        if keys and all(self._is_own(key) for key in keys):
            return None
        return (
            f"the request is {'signed with another key' if keys else 'not signed'}; set AWS_ACCESS_KEY_ID to the"
            " access_key_id in .local/stack.json"
        )

    def _is_own(self, key: str) -> bool:
        return hmac.compare_digest(key.encode(), self._key.encode())


def _key_ids(scope: Scope) -> Iterator[str]:
    """Yield the access key ids of a signed request, in its header or in the query of a presigned URL."""
    for name, value in header_lines(scope):
        if name == "authorization":
            found = CREDENTIAL.match(value)
            yield found[1] if found else ""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    yield from (credential.partition("/")[0] for credential in query.get("X-Amz-Credential", []))
    yield from query.get("AWSAccessKeyId", [])  # SigV2, which botocore uses for presigned URLs of S3
