"""Server of an llm, as a record of validation names it."""

from collections.abc import Mapping

from flexchat.config.hosts import host_of
from flexchat.config.models.llms import LlmConfig


def server_of(llm: str, llms: Mapping[str, LlmConfig]) -> str:
    """Return the host of an llm, its provider for the provider's own address, empty for an unknown llm."""
    config = llms.get(llm)
    return "" if config is None else host_of(config.base_url) or config.type
