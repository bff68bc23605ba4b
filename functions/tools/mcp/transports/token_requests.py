"""Requests of access tokens, to the address of the authorization server alone."""

import anyio
import httpx2

from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import parse_address
from flexchat.errors import ToolError
from flexchat.http_credentials import MAX_TOKEN_BYTES, TokenRequest, TokenServerError
from flexchat.observability import logger
from functions.tools.mcp.transports.exchange import read_error

TOKEN_SECONDS = 10.0


class TokenSender:
    """Sends requests of tokens, without redirects; `network` checks every address."""

    def __init__(self, network: httpx2.AsyncBaseTransport, policy: EgressPolicy, *, server: str) -> None:
        self._network = network
        self._policy = policy
        self._server = server

    async def send(self, token_request: TokenRequest) -> tuple[int, bytes]:
        """Return the status and the body of the response. Raises ToolError, as TokenServerError without a response."""
        try:
            self._policy.check_address(parse_address(token_request.url))
            request = httpx2.Request(
                "POST",
                token_request.url,
                headers={**token_request.headers, "Accept-Encoding": "identity"},
                content=token_request.body,
                extensions={"timeout": httpx2.Timeout(TOKEN_SECONDS).as_dict()},
            )
            with anyio.fail_after(TOKEN_SECONDS):
                response = await self._network.handle_async_request(request)
                body = await read_error(response, MAX_TOKEN_BYTES)
        except EgressError as exc:
            logger.error("mcp token request refused", server=self._server, reason=exc.reason, detail=exc.message)
            if exc.reason == "unresolved":
                raise TokenServerError("The authorization server could not be reached", type="unavailable") from exc
            raise ToolError("The address of the authorization server is not allowed", type="configuration") from exc
        except httpx2.InvalidURL as exc:
            raise ToolError("The address of the authorization server is not valid", type="configuration") from exc
        except (httpx2.HTTPError, TimeoutError) as exc:
            raise TokenServerError("The authorization server could not be reached", type="unavailable") from exc
        return response.status_code, body
