"""Request bodies, whose tools are written once for all requests of a chat."""

from collections.abc import Callable, Mapping, Sequence

from flexchat.messages import Json
from functions.chat.providers.wire_format import to_json

type Tools = Sequence[Mapping[str, Json]]


def _as_they_are(tools: Tools) -> Json:
    return [dict(tool) for tool in tools]


class RequestBodies:
    """Bodies of the requests of one adapter.

    A chat sends the same tools with each request, and they are most of the text: the JSON of the last ones is stored.
    `convert` returns the `tools` of a request.
    """

    def __init__(self, convert: Callable[[Tools], Json] = _as_they_are) -> None:
        self._convert = convert
        self._last: tuple[Tools, bytes] = ((), b"[]")

    def encode(self, request: Mapping[str, Json], tools: Tools) -> bytes:
        """Return a request, which has at least one member, with its tools as JSON; without tools it has no `tools`."""
        body = to_json(dict(request))
        if not tools:
            return body
        last = self._last
        if last[0] is not tools:
            last = self._last = (tools, to_json(self._convert(tools)))
        return body[:-1] + b',"tools":' + last[1] + b"}"
