"""JSON-RPC messages of a request body."""

from http import HTTPStatus

from msgspec import Struct

from flexchat.messages import Json
from functions.chat.mcp_server.protocol import INVALID_REQUEST, VERSION_KEY, RpcError

type Params = dict[str, Json]


class RpcRequest(Struct, frozen=True):
    """Message that is answered."""

    id: str | int
    method: str
    params: Params

    @property
    def meta(self) -> Params | None:
        """`_meta` of the parameters; None without an object."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else None

    @property
    def has_envelope(self) -> bool:
        """Return whether the message has the protocol version of the later era."""
        return self.meta is not None and VERSION_KEY in self.meta


class RpcNotification(Struct, frozen=True):
    """Message that is not answered: a notification, or the response to a request that this server never sends."""

    method: str


type Message = RpcRequest | RpcNotification


class InvalidMessage(Struct, frozen=True):
    """Message that is not valid, with its error and its id as far as it can be read."""

    id: str | int | None
    error: RpcError


def read_message(value: Json) -> Message | InvalidMessage:
    """Return one message of a body."""
    if not isinstance(value, dict):
        return InvalidMessage(None, invalid("a message must be an object"))
    given = _id(value.get("id"))
    if value.get("jsonrpc") != "2.0":
        return InvalidMessage(given, invalid("jsonrpc must be '2.0'"))
    method, params = value.get("method"), value.get("params")
    if "method" not in value and ("result" in value or "error" in value):
        return RpcNotification("")
    if not isinstance(method, str) or not method:
        return InvalidMessage(given, invalid("method must be a text that is not empty"))
    if params is not None and not isinstance(params, dict):
        return InvalidMessage(given, invalid("params must be an object"))
    if "id" not in value:
        return RpcNotification(method)
    if given is None:
        return InvalidMessage(None, invalid("id must be a text or an integer"))
    return RpcRequest(given, method, params or {})


def invalid(problem: str) -> RpcError:
    """Return the error for a body that is not a valid message."""
    return RpcError(INVALID_REQUEST, f"not a valid JSON-RPC message: {problem}", status=HTTPStatus.BAD_REQUEST)


def _id(value: Json) -> str | int | None:
    """Return a valid id: `true` and 1.0 are none, though Python counts both as numbers."""
    return value if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)) else None
