"""An llm's address, key and headers, checked before anything is sent to or with them."""

from urllib.parse import urlsplit

from flexchat.config.models.llms import LlmConfig
from flexchat.errors import ConfigError, Problem


def check_endpoint(name: str, config: LlmConfig) -> None:
    """Raises ConfigError for what no HTTP client could send; it never quotes a key or a header."""
    values = {"api_key": config.api_key or "", **{f"headers.{key}": value for key, value in config.headers.items()}}
    problems = [
        Problem(f"llms.{name}.{field}", "must be printable ASCII on one line")
        for field, value in values.items()
        if not (value.isascii() and value.isprintable())
    ]
    if config.base_url is not None and not _is_http_address(config.base_url):
        problems.append(Problem(f"llms.{name}.base_url", "must be an address such as 'https://host/v1'"))
    if problems:
        raise ConfigError(tuple(problems))


def _is_http_address(address: str) -> bool:
    try:
        url = urlsplit(address)
        return url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        return False
