"""HTTP request and response without a socket."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """HTTP request: `path` is decoded, without a query or a trailing slash; the names in `headers` are lowercase."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    """HTTP response. A `cut` one ends in the middle of its body; `pause_seconds` follow each byte of its body."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    cut: bool = False
    pause_seconds: float = 0.0
