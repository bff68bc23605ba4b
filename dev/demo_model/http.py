"""HTTP request and response without a socket."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """HTTP request: `path` is decoded, without a trailing slash; the names in `headers` are lowercase."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    query: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """HTTP response.

    A stream has `pieces` instead of a `body`. A `cut` response ends in the middle: a body in its half, a stream after
    its last piece, without the end of the transfer. `pause_seconds` are between the bytes of a body or the pieces.
    """

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    cut: bool = False
    pause_seconds: float = 0.0
    pieces: tuple[bytes, ...] | None = None
