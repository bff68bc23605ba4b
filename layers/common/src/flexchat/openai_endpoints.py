"""Addresses and headers of OpenAI, Azure and compatible servers, for the functions that have the openai package."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from msgspec import Struct

from flexchat import __version__
from flexchat.config.models.llms import LlmConfig

DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"

NO_KEY: Final = "none"
"""Key of an llm without one, which the package requires; the headers leave it out."""

_API_VERSION: Final = "api-version"

_AZURE: Final = re.compile(r"(?P<endpoint>.*?)(?:/openai)?(?:/deployments/(?P<deployment>[^/]+))?/?")


class OpenAIEndpoint(Struct, frozen=True):
    """Address of an llm. The `query` is sent with each request, and so are the `headers`; one that is None is left out.

    With an `api_version` it is one of Azure: its key is sent as `api-key`, and the paths of requests have the
    `deployment`, else their model.
    """

    base_url: str
    key: str
    headers: Mapping[str, str | None]
    query: Mapping[str, str]
    api_version: str | None = None
    deployment: str | None = None


def openai_endpoint(config: LlmConfig) -> OpenAIEndpoint:
    """Return the endpoint of an llm of type `openai`; configured headers override the service's own.

    An address with `api-version` is one of Azure. One that ends with `/v1` is not: it has the paths of OpenAI.
    """
    address, _, parameters = (config.base_url or DEFAULT_BASE_URL).partition("#")[0].partition("?")
    query = dict(parse_qsl(parameters, keep_blank_values=True))
    azure = _AZURE.fullmatch(address)
    if azure is None or not query.get(_API_VERSION) or address.rstrip("/").endswith("/v1"):
        return OpenAIEndpoint(address, config.api_key or NO_KEY, _headers(config, "authorization"), query)
    version = query.pop(_API_VERSION)
    headers = _headers(config, "api-key")
    return OpenAIEndpoint(azure["endpoint"], config.api_key or NO_KEY, headers, query, version, azure["deployment"])


def _headers(config: LlmConfig, authorization: str) -> dict[str, str | None]:
    """Return the headers of every request, without those that the package adds for statistics."""
    return {
        "accept": "application/json",
        "accept-encoding": "gzip, deflate",
        "content-type": "application/json",
        "user-agent": f"flexchat/{__version__}",
        "x-stainless-read-timeout": None,
        "x-stainless-retry-count": None,
        **({} if config.api_key else {authorization: None}),
        **{name.lower(): value for name, value in config.headers.items()},
    }
