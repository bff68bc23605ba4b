"""`uuid`: new identifiers, random or derived from a name."""

from collections.abc import Callable, Mapping
from typing import Final
from uuid import NAMESPACE_DNS, NAMESPACE_OID, NAMESPACE_URL, NAMESPACE_X500, UUID, uuid5

from flexchat.errors import ToolInputError
from flexchat.messages import Json
from functions.tools.builtin.params import Params

MAX_COUNT: Final = 100

_NAMESPACES: Final = {"dns": NAMESPACE_DNS, "url": NAMESPACE_URL, "oid": NAMESPACE_OID, "x500": NAMESPACE_X500}


class Uuids:
    """Params: `version` (4 random, the default; 5 from a name), for 4 `count` (1 to 100, default 1), for 5 `name` and
    `namespace` (`dns`, `url`, `oid`, `x500` or a UUID).

    Result: `{"uuids": [...]}`. `random_bytes` gives that many random bytes.
    """

    def __init__(self, *, random_bytes: Callable[[int], bytes]) -> None:
        self._random_bytes = random_bytes

    def __call__(self, arguments: Mapping[str, Json]) -> Json:
        params = Params(arguments)
        version = params.integer("version", minimum=4, maximum=5, default=4)
        if version == 5:
            namespace = _namespace(params.text("namespace", max_length=64))
            return {"uuids": [str(uuid5(namespace, params.text("name", max_length=1_000)))]}
        count = params.integer("count", minimum=1, maximum=MAX_COUNT, default=1)
        return {"uuids": [str(UUID(bytes=self._random_bytes(16), version=4)) for _ in range(count)]}


def _namespace(text: str) -> UUID:
    if text.lower() in _NAMESPACES:
        return _NAMESPACES[text.lower()]
    try:
        return UUID(text)
    except ValueError as exc:
        raise ToolInputError((f"namespace must be one of: {', '.join(_NAMESPACES)}, or a UUID",)) from exc
