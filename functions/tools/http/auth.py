"""Authentication of requests."""

import base64
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import quote

from flexchat.config.models.http_auth import ApiKeyAuth, Auth, BasicAuth, BearerAuth, OAuth2Auth
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ToolError
from flexchat.http_client import HttpResponse
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from flexchat.redaction import redact_in_logs
from functions.tools.http.body import form_encoded
from functions.tools.http.requests import HttpRequest
from functions.tools.http.sender import TransientHttpError

EARLY_SECONDS = 30.0
"""A token is replaced this long before it expires: the request takes time to arrive."""

DEFAULT_SECONDS = 300.0
"""Lifetime of a token whose server names none."""

MAX_SECONDS = 86_400.0
"""A token is replaced after a day even when its server names a longer lifetime."""

MAX_TOKEN_BYTES = 65_536

MAX_CLIENTS = 256
"""Maximum number of configurations with a cached token; the one used longest ago is dropped."""

type SendTokenRequest = Callable[[HttpRequest, Deadline], HttpResponse]


def authenticated(request: HttpRequest, auth: Auth | None, token: str | None = None) -> HttpRequest:
    """Return `request` with its credentials; `token` is the access token of OAuth 2.0."""
    match auth:
        case None:
            return request
        case BearerAuth():
            return _with_header(request, "Authorization", f"Bearer {auth.token}")
        case BasicAuth():
            return _with_header(request, "Authorization", basic(auth.username, auth.password))
        case ApiKeyAuth() if auth.in_ == "header":
            return _with_header(request, auth.name, auth.value)
        case ApiKeyAuth():
            return request.with_parameter(auth.name, auth.value)
        case OAuth2Auth():
            return _with_header(request, "Authorization", f"Bearer {token}")


def basic(username: str, password: str) -> str:
    """Return the value of `Authorization` for HTTP Basic (RFC 7617)."""
    return "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()


def _with_header(request: HttpRequest, name: str, value: str) -> HttpRequest:
    if any(ord(character) < 32 or ord(character) > 126 for character in value):
        raise ToolError(
            "The credentials of the tool contain characters that a header cannot carry", type="configuration"
        )
    return request.with_header(name, value)


@dataclass(frozen=True, slots=True)
class _Token:
    text: str = field(repr=False)
    expires: float


@dataclass(slots=True)
class _Client:
    """Token of one configuration, and the lock that the calls without one wait for."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    token: _Token | None = None


class OAuth2Tokens:
    """Access tokens of the client credentials grant, one for each configuration, for the life of the environment.

    Parallel calls wait for one request of a token. The clock is the wall's, in seconds: a monotonic one stops in
    a SnapStart snapshot.
    """

    def __init__(self, send: SendTokenRequest, *, clock: Clock = time.time) -> None:
        self._send = send
        self._clock = clock
        self._clients: OrderedDict[bytes, _Client] = OrderedDict()
        self._guard = threading.Lock()

    def __len__(self) -> int:
        """Return the number of cached configurations."""
        return len(self._clients)

    def get(self, auth: OAuth2Auth, due: Deadline, *, refused: str | None = None) -> str:
        """Return a token that is not `refused`, which the API did not accept. Raises ToolError."""
        client = self._client(auth)
        if not client.lock.acquire(timeout=due.remaining()):
            raise TransientHttpError("The authorization server did not answer in time", type="timeout")
        try:
            token = client.token
            if token is None or token.text == refused or self._clock() >= token.expires:
                token = client.token = self._requested(auth, due)
            return token.text
        finally:
            client.lock.release()

    def _client(self, auth: OAuth2Auth) -> _Client:
        """Return the entry of a configuration; the key is a digest, since the configuration has a secret."""
        key = hashlib.sha256(auth.model_dump_json().encode()).digest()
        with self._guard:
            client = self._clients.setdefault(key, _Client())
            self._clients.move_to_end(key)
            if len(self._clients) > MAX_CLIENTS:
                self._clients.popitem(last=False)
            return client

    def _requested(self, auth: OAuth2Auth, due: Deadline) -> _Token:
        """Return a new token (RFC 6749, section 4.4.2)."""
        fields: dict[str, Json] = {"grant_type": "client_credentials", "scope": auth.scope, "audience": auth.audience}
        headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
        if auth.client_authentication == "basic":
            # Both are form-encoded first (section 2.3.1).
            headers["Authorization"] = basic(quote(auth.client_id, safe=""), quote(auth.client_secret, safe=""))
        else:
            fields |= {"client_id": auth.client_id, "client_secret": auth.client_secret}
        response = self._send(HttpRequest("POST", auth.token_url, headers, form_encoded(fields), "(token)"), due)
        if response.status in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise ToolError(
                f"The authorization server refused the credentials in 'auth' of the tool (HTTP {response.status})",
                type="configuration",
            )
        if not response.is_success:
            raise TransientHttpError(
                f"The authorization server answered with HTTP {response.status}", type="unavailable"
            )
        return self._read(response.body)

    def _read(self, body: bytes) -> _Token:
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
        return _Token(text, self._clock() + max(0.0, seconds - EARLY_SECONDS))
