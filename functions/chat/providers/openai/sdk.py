"""Clients of the openai package for the endpoint of an llm.

The package reads `OPENAI_*` variables of the environment, and adds headers that describe the machine. Here the
configuration alone decides what is sent: every argument with a variable is given, and the default headers are none.
"""

import logging
from collections.abc import Iterator
from typing import Any, override

import httpx2
from openai import AzureOpenAI, Omit, OpenAI

from flexchat.openai_endpoints import OpenAIEndpoint


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
