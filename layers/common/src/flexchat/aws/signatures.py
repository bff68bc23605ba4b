"""Signatures of requests to AWS, Signature Version 4.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
"""

import hmac
import time
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import ClassVar, Final
from urllib.parse import quote

from flexchat.redacted_struct import RedactedStruct

ALGORITHM: Final = "AWS4-HMAC-SHA256"


class Credentials(RedactedStruct, frozen=True):
    """Keys of a role or user; `token` belongs to temporary ones."""

    redacted: ClassVar = ("secret_key", "token")

    access_key: str
    secret_key: str
    token: str | None


def signed(
    path: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    credentials: Credentials,
    region: str,
    service: str,
    seconds: float,
) -> dict[str, str]:
    """Return the headers of a POST request without a query, with its signature.

    `path` is percent-encoded, names of `headers` are in lower case and include `host`, `seconds` is the time since the
    epoch.
    """
    moment = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(seconds))
    complete = {**headers, "x-amz-date": moment}
    if credentials.token:
        complete["x-amz-security-token"] = credentials.token
    names = sorted(complete)
    lines = [f"{name}:{complete[name]}" for name in names]
    listed = ";".join(names)
    # Every service but S3 expects the percent-encoded path encoded once more.
    canonical = "\n".join(("POST", quote(path), "", *lines, "", listed, sha256(body).hexdigest()))
    day = moment[:8]
    scope = f"{day}/{region}/{service}/aws4_request"
    text = f"{ALGORITHM}\n{moment}\n{scope}\n{sha256(canonical.encode()).hexdigest()}"
    key = _signing_key(credentials.secret_key, day, region, service)
    signature = hmac.digest(key, text.encode(), "sha256").hex()
    complete["authorization"] = (
        f"{ALGORITHM} Credential={credentials.access_key}/{scope}, SignedHeaders={listed}, Signature={signature}"
    )
    return complete


@lru_cache(maxsize=8)
def _signing_key(secret: str, day: str, region: str, service: str) -> bytes:
    """Return the key of one day, region and service."""
    key = f"AWS4{secret}".encode()
    for part in (day, region, service, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key
