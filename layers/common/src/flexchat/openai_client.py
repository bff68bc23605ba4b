"""Clients of the openai package for OpenAI, Azure and compatible servers.

Only functions whose own requirements name the package import this module. The package reads `OPENAI_*` variables of the
environment, and adds headers that describe the machine. Here the configuration alone decides what is sent: every
argument with a variable is given, and the default headers are none.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, override
from urllib.parse import parse_qsl, urlsplit

import httpx2
from msgspec import Struct
from openai import AzureOpenAI, Omit, OpenAI

from flexchat import __version__
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS

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

    @property
    def is_openai(self) -> bool:
        """Return whether the server is one of OpenAI or Azure; compatible servers refuse parameters that they lack."""
        host = urlsplit(self.base_url).hostname or ""
        return self.api_version is not None or f".{host}".endswith((".api.openai.com", ".openai.azure.com"))


def openai_endpoint(config: LlmConfig) -> OpenAIEndpoint:
    """Return the endpoint of an llm of type `openai`; configured headers override the service's own.

    An address with `api-version` is one of Azure. One that ends with `/v1` is not: it has the paths of OpenAI.
    """
    address, _, parameters = (config.base_url or PROVIDERS["openai"].default_url).partition("#")[0].partition("?")
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


class _DataEvents:
    """Decoder of a stream without the events that have no data, such as `retry: 3000` or those that keep it alive."""

    def __init__(self, decoder: Any) -> None:
        self._decoder = decoder

    def iter_bytes(self, iterator: Iterator[bytes]) -> Iterator[Any]:
        """Yield the events in the chunks of a body."""
        return (event for event in self._decoder.iter_bytes(iterator) if event.data)


class _OpenAI(OpenAI):
    @property
    @override
    def default_headers(self) -> dict[str, str | Omit]:
        return {}

    @override
    def _make_sse_decoder(self) -> Any:
        return _DataEvents(super()._make_sse_decoder())


class _AzureOpenAI(AzureOpenAI):
    @property
    @override
    def default_headers(self) -> dict[str, str | Omit]:
        return {}

    @override
    def _make_sse_decoder(self) -> Any:
        return _DataEvents(super()._make_sse_decoder())


def sdk_client(endpoint: OpenAIEndpoint, http_client: httpx2.Client) -> OpenAI:
    """Return a client without retries and without headers of its own. Raises InvalidURL of httpx2."""
    logging.getLogger("openai").setLevel(logging.WARNING)  # also with OPENAI_LOG
    shared: Any = {
        "api_key": endpoint.key,
        "admin_api_key": "",
        "default_query": endpoint.query,
        "max_retries": 0,
        "http_client": http_client,
    }
    if endpoint.api_version is None:
        return _OpenAI(base_url=endpoint.base_url, **shared)
    return _AzureOpenAI(
        azure_endpoint=endpoint.base_url,
        azure_deployment=endpoint.deployment,
        api_version=endpoint.api_version,
        **shared,
    )
