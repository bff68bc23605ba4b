"""Signatures of requests to the OTLP endpoint of X-Ray, with the credentials of the function's role.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-OTLPEndpoint.html
"""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from boto3.session import Session
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import BotoCoreError

from flexchat.aws.clients import new_session
from flexchat.errors import UnavailableError

_XRAY_HOST: Final = re.compile(r"xray(?:-fips)?\.([a-z]{2}(?:-[a-z]+)+-\d)\.(?:amazonaws\.com(?:\.cn)?|api\.aws)")


def xray_region(endpoint: str) -> str | None:
    """Return the region of an address of X-Ray; None for another collector."""
    found = _XRAY_HOST.fullmatch(urlsplit(endpoint).hostname or "")
    return found[1] if found else None


class _Signature:
    """Signer of requests to X-Ray in one region."""

    def __init__(self, region: str, session: Session | None) -> None:
        self._region = region
        self._session = session

    def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> Mapping[str, str]:
        """Return the headers of the signed request. Raises UnavailableError without credentials."""
        try:
            self._session = self._session or new_session()
            credentials = self._session.get_credentials()
            if credentials is None:
                raise UnavailableError("the function has no credentials for the collector")
            request = AWSRequest("POST", url, headers=dict(headers), data=body)
            SigV4Auth(credentials.get_frozen_credentials(), "xray", self._region).add_auth(request)
        except BotoCoreError as exc:
            raise UnavailableError(f"the request to the collector cannot be signed: {type(exc).__name__}") from exc
        return {name.lower(): str(value) for name, value in request.headers.items()}


def sigv4(region: str, *, session: Session | None = None) -> _Signature:
    """Return the signer of requests to X-Ray in `region`."""
    return _Signature(region, session)
