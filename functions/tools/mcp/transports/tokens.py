"""Access tokens of servers at addresses."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from flexchat.config.models.http_auth import OAuth2Auth
from flexchat.deadline import Clock
from flexchat.http_credentials import MAX_CLIENTS, TokenClient, TokenRequest, client_key, read_token, token_request

type SendTokenRequest = Callable[[TokenRequest], Awaitable[tuple[int, bytes]]]
"""Sends a request and returns the status and the body of its response. Raises ToolError."""


class AccessTokens:
    """Tokens of the OAuth 2.0 client credentials grant, one for each configuration, for the life of the environment.

    Used only within the event loop; parallel calls wait for one request of a token. The clock is the wall's, in
    seconds: a monotonic one stops in a SnapStart snapshot.
    """

    def __init__(self, *, clock: Clock = time.time) -> None:
        self._clock = clock
        self._clients: OrderedDict[bytes, TokenClient[asyncio.Lock]] = OrderedDict()

    async def get(self, auth: OAuth2Auth, send: SendTokenRequest, *, refused: str | None = None) -> str:
        """Return a token that is not `refused`, which the server did not accept. Raises ToolError."""
        key = client_key(auth)
        client = self._clients.setdefault(key, TokenClient(asyncio.Lock()))
        self._clients.move_to_end(key)
        if len(self._clients) > MAX_CLIENTS:
            self._clients.popitem(last=False)
        async with client.lock:
            text = client.usable(self._clock(), refused=refused)
            if text is None:
                client.token = read_token(*await send(token_request(auth)), now=self._clock())
                text = client.token.text
            return text
