"""Hosts of URLs of the configuration."""

from urllib.parse import urlsplit


def host_of(url: str | None) -> str | None:
    """Return the host and port of a URL; the rest may contain a secret.

    None for a URL with an `@` behind the host: a password with a `/` would be parsed as the host.
    """
    try:
        parts = urlsplit(url or "")
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if host is None or "@" in f"{parts.path}{parts.query}{parts.fragment}":
        return None
    bracketed = f"[{host}]" if ":" in host else host
    return bracketed if port is None else f"{bracketed}:{port}"
