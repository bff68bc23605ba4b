"""Authentication of requests."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from flexchat.config.models.http_auth import Auth, OAuth2Auth
from flexchat.deadline import Clock, Deadline
from flexchat.http_client import HttpResponse
from flexchat.http_credentials import (
    MAX_CLIENTS,
    AccessToken,
    TokenClient,
    TokenServerError,
    client_key,
    credential_of,
    read_token,
    token_request,
)
from functions.tools.http.requests import HttpRequest
from functions.tools.http.sender import TransientHttpError

type SendTokenRequest = Callable[[HttpRequest, Deadline], HttpResponse]


def authenticated(request: HttpRequest, auth: Auth | None, token: str | None = None) -> HttpRequest:
    """Return `request` with its credentials; `token` is the access token of OAuth 2.0."""
    if auth is None:
        return request
    credential = credential_of(auth, token)
    add = request.with_parameter if credential.in_query else request.with_header
    return add(credential.name, credential.value)


class OAuth2Tokens:
    """Access tokens of the client credentials grant, one for each configuration, for the life of the environment.

    Parallel calls wait for one request of a token. The clock is the wall's, in seconds: a monotonic one stops in
    a SnapStart snapshot.
    """

    def __init__(self, send: SendTokenRequest, *, clock: Clock = time.time) -> None:
        self._send = send
        self._clock = clock
        self._clients: OrderedDict[bytes, TokenClient[threading.Lock]] = OrderedDict()
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
            text = client.usable(self._clock(), refused=refused)
            if text is None:
                client.token = self._requested(auth, due)
                text = client.token.text
            return text
        finally:
            client.lock.release()

    def _client(self, auth: OAuth2Auth) -> TokenClient[threading.Lock]:
        key = client_key(auth)
        with self._guard:
            client = self._clients.setdefault(key, TokenClient(threading.Lock()))
            self._clients.move_to_end(key)
            if len(self._clients) > MAX_CLIENTS:
                self._clients.popitem(last=False)
            return client

    def _requested(self, auth: OAuth2Auth, due: Deadline) -> AccessToken:
        request = token_request(auth)
        response = self._send(HttpRequest("POST", request.url, request.headers, request.body, "(token)"), due)
        try:
            return read_token(response.status, response.body, now=self._clock())
        except TokenServerError as exc:
            raise TransientHttpError(exc.message, type=exc.type) from exc
