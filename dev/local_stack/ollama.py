"""Address and availability of a real Ollama of the operator."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

DEFAULT_ADDRESS = "http://127.0.0.1:11434"
DEFAULT_PORT = 11434
PATIENCE_SECONDS = 1.0


def ollama_address(environ: Mapping[str, str]) -> str:
    """Return the address in OLLAMA_HOST, parsed as Ollama does: scheme, host and port are optional."""
    named = environ.get("OLLAMA_HOST", "").strip().rstrip("/")
    if not named:
        return DEFAULT_ADDRESS
    scheme, separator, rest = named.rpartition("://")
    host, colon, port = rest.rpartition(":") if not rest.endswith("]") else (rest, "", "")
    if not colon:
        host, port = rest, "" if separator else str(DEFAULT_PORT)
    if host in ("", "0.0.0.0", "[::]"):  # noqa: S104 - a server on all interfaces is reached on loopback
        host = "127.0.0.1"
    return f"{scheme or 'http'}://{host}" + (f":{port}" if port else "")


def is_ollama(address: str, *, transport: "httpx2.BaseTransport | None" = None) -> bool:
    """Return true when an Ollama answers at `address` within a second."""
    import httpx2

    try:
        with httpx2.Client(transport=transport, timeout=PATIENCE_SECONDS, trust_env=False) as client:
            answer = client.get(f"{address}/api/version")
            return answer.is_success and "version" in answer.json()
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError):
        return False
