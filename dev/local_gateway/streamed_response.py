"""Response of an invocation to the client, sent while it arrives, as API Gateway does in the transfer mode `STREAM`.

https://docs.aws.amazon.com/apigateway/latest/developerguide/response-streaming-lambda-configure.html
"""

import base64
import json
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from typing import Any

from dev.local_gateway.forwarding import without_stage
from dev.local_gateway.messages import GatewayResponse, Headers, send_response
from dev.request_check import Send
from dev.runtime_api.invocation import Invocation, InvocationError

DELIMITER = b"\0" * 8
MAX_METADATA_BYTES = 65_536
FAILED = GatewayResponse(
    HTTPStatus.BAD_GATEWAY, ((b"content-type", b"application/json"),), b'{"message": "Internal server error"}'
)
"""Response of API Gateway for a function that fails before it starts its response."""


async def send_invocation(invocation: Invocation, send: Send, *, stage: str) -> None:
    """Send the response of `invocation`; what a client that has disconnected does not receive is dropped.

    Lambda does not interrupt a streamed response when its client disconnects
    (https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html): the function neither notices
    it nor ends earlier. Raises InvocationError for a failure after the start of the response; the server then cuts the
    connection.
    """
    pieces = invocation.pieces()
    try:
        head, body = await _read_head(pieces)
        if not invocation.streams:
            whole = b"".join([head, body, *[piece async for piece in pieces]])
            await send_response(_whole_response(json.loads(whole), stage), send)
            return
        metadata: dict[str, Any] = json.loads(head)
        status, headers = int(metadata.get("statusCode", HTTPStatus.OK)), _headers(metadata, stage)
    except (InvocationError, ValueError):
        invocation.abandon()
        await send_response(FAILED, send)
        return
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    async for piece in pieces:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _read_head(pieces: AsyncIterator[bytes]) -> tuple[bytes, bytes]:
    """Return the metadata and the start of the body; everything is metadata without a delimiter."""
    head = b""
    async for piece in pieces:
        head += piece
        metadata, delimiter, body = head.partition(DELIMITER)
        if delimiter or len(head) > MAX_METADATA_BYTES:
            return metadata, body
    return head, b""


def _whole_response(response: Mapping[str, Any], stage: str) -> GatewayResponse:
    text = str(response.get("body") or "")
    body = base64.b64decode(text) if response.get("isBase64Encoded") else text.encode()
    headers = (*_headers(response, stage), (b"content-length", str(len(body)).encode()))
    return GatewayResponse(int(response["statusCode"]), headers, body)


def _headers(response: Mapping[str, Any], stage: str) -> Headers:
    """Return `headers` and `multiValueHeaders`, which replace headers of the same name."""
    single: Mapping[str, object] = response.get("headers") or {}
    multiple: Mapping[str, list[str]] = response.get("multiValueHeaders") or {}
    lines = {"content-type": ["application/json"]}
    lines |= {name.lower(): [str(value)] for name, value in single.items()}
    lines |= {name.lower(): list(values) for name, values in multiple.items()}
    if "location" in lines:
        lines["location"] = [without_stage(location, stage) for location in lines["location"]]
    return tuple((name.encode(), value.encode("latin-1")) for name, values in lines.items() for value in values)
