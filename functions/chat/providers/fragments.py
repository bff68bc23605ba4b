"""JSON written once: the pieces a request body is joined from.

A conversation is sent whole in every turn of the tool loop. Its messages and the tools are the same objects each time,
so their JSON is kept, and a turn costs a concatenation however long the history is.
"""

import json
from collections.abc import Callable, Iterable
from threading import Lock

from flexchat.messages import Json

DEFAULT_LIMIT_BYTES = 4 * 1024 * 1024


def to_json(value: Json) -> bytes:
    """`value` as compact UTF-8 JSON; a lone surrogate, which no server accepts, becomes a question mark."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace")


class FragmentCache[T]:
    """The JSON of objects that never change, by identity.

    By identity, since a message holds mappings and has no hash. Each entry keeps its object alive, so that an identity
    is never reused; when `limit_bytes` of JSON are held, it starts afresh.
    """

    def __init__(self, write: Callable[[T], bytes], *, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        self._write = write
        self._limit_bytes = limit_bytes
        self._entries: dict[int, tuple[T, bytes]] = {}
        self._held_bytes = 0
        self._lock = Lock()

    def join(self, items: Iterable[T]) -> bytes:
        """The JSON array of `items`; an item without JSON of its own (b"") is left out."""
        return b"[" + b",".join(filter(None, map(self.fragment, items))) + b"]"

    def fragment(self, item: T) -> bytes:
        """The JSON of `item`, written when it is first asked for."""
        entry = self._entries.get(id(item))
        if entry is not None:
            return entry[1]
        fragment = self._write(item)
        with self._lock:
            if self._held_bytes + len(fragment) > self._limit_bytes:
                self._entries.clear()
                self._held_bytes = 0
            self._entries[id(item)] = (item, fragment)
            self._held_bytes += len(fragment)
        return fragment
