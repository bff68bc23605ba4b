"""Credentials of requests, and the OAuth 2.0 client credentials grant without its network.

The functions of http and mcp tools send the requests, each with the client that it has.
"""

import base64
import hashlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import ClassVar, NamedTuple
from urllib.parse import quote, urlencode

from msgspec import Struct

from flexchat.config.models.http_auth import ApiKeyAuth, Auth, BasicAuth, BearerAuth, OAuth2Auth
from flexchat.errors import ToolError
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from flexchat.redacted_struct import RedactedStruct
from flexchat.redaction import redact_in_logs

EARLY_SECONDS = 30.0
"""A token is replaced this long before it expires: the request takes time to arrive."""

DEFAULT_SECONDS = 300.0
"""Lifetime of a token whose server names none."""

MAX_SECONDS = 86_400.0
"""A token is replaced after a day even when its server names a longer lifetime."""

MAX_TOKEN_BYTES = 65_536

MAX_CLIENTS = 256
"""Maximum number of configurations with a cached token; the one used longest ago is dropped."""


class Credential(NamedTuple):
    """A header of a request, or a parameter of its query."""

    name: str
    value: str
    in_query: bool = False


def credential_of(auth: Auth, token: str | None = None) -> Credential:
    """Return the credential of a request; `token` is the access token of OAuth 2.0. Raises ToolError."""
    match auth:
        case BearerAuth():
            found = Credential("Authorization", f"Bearer {auth.token}")
        case BasicAuth():
            found = Credential("Authorization", basic(auth.username, auth.password))
        case ApiKeyAuth():
            found = Credential(auth.name, auth.value, in_query=auth.in_ == "query")
        case OAuth2Auth():
            found = Credential("Authorization", f"Bearer {token}")
    if not found.in_query and any(ord(character) < 32 or ord(character) > 126 for character in found.value):
        raise ToolError(
            "The credentials of the tool contain characters that a header cannot carry", type="configuration"
        )
    return found


def basic(username: str, password: str) -> str:
    """Return the value of `Authorization` for HTTP Basic (RFC 7617)."""
    return "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()


class TokenRequest(RedactedStruct, frozen=True):
    """Request of a token, sent with POST."""

    redacted: ClassVar = ("url", "headers", "body")

    url: str
    headers: Mapping[str, str]
    body: bytes


def token_request(auth: OAuth2Auth) -> TokenRequest:
    """Return the request of a new token (RFC 6749, section 4.4.2)."""
    fields = {"grant_type": "client_credentials", "scope": auth.scope, "audience": auth.audience}
    headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
    if auth.client_authentication == "basic":
        # Both are form-encoded first (section 2.3.1).
        headers["Authorization"] = basic(quote(auth.client_id, safe=""), quote(auth.client_secret, safe=""))
    else:
        fields |= {"client_id": auth.client_id, "client_secret": auth.client_secret}
    present = [(name, text) for name, text in fields.items() if text is not None]
    return TokenRequest(auth.token_url, headers, urlencode(present, quote_via=quote, safe="").encode())


class AccessToken(RedactedStruct, frozen=True):
    """Token with the time at which it is replaced, in seconds since the epoch."""

    redacted: ClassVar = ("text",)

    text: str
    expires: float


class TokenServerError(ToolError):
    """A failure of the authorization server that the same request may survive."""


def read_token(status: int, body: bytes, *, now: float) -> AccessToken:
    """Return the token of a response. Raises ToolError `configuration`, and TokenServerError.

    From then on the process redacts it from its log lines.
    """
    if status in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        raise ToolError(
            f"The authorization server refused the credentials in 'auth' of the tool (HTTP {status})",
            type="configuration",
        )
    if not 200 <= status < 300:
        raise TokenServerError(f"The authorization server answered with HTTP {status}", type="unavailable")
    try:
        content = safe_loads(body, max_bytes=MAX_TOKEN_BYTES)
    except JsonError:
        content = None
    answer: dict[str, Json] = content if isinstance(content, dict) else {}
    text, kind, lifetime = answer.get("access_token"), answer.get("token_type"), answer.get("expires_in")
    if not isinstance(text, str) or not text or (isinstance(kind, str) and kind.lower() != "bearer"):
        raise ToolError("The authorization server did not answer with a bearer token", type="configuration")
    redact_in_logs([text])
    seconds = min(lifetime, MAX_SECONDS) if isinstance(lifetime, int | float) else DEFAULT_SECONDS
    return AccessToken(text, now + max(0.0, seconds - EARLY_SECONDS))


class TokenClient[Lock](Struct):
    """Token of one configuration, and the lock that the calls without one wait for."""

    lock: Lock
    token: AccessToken | None = None

    def usable(self, now: float, *, refused: str | None) -> str | None:
        """Return the token unless it has expired or is the `refused` one."""
        token = self.token
        return None if token is None or token.text == refused or now >= token.expires else token.text


def client_key(auth: OAuth2Auth) -> bytes:
    """Return the key of a configuration in a cache: a digest, since the configuration has a secret."""
    return hashlib.sha256(auth.model_dump_json().encode()).digest()
