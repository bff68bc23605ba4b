"""Whether the llms and the RAG services can be called, and name their secrets as they should."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from flexchat.config.models import ENTRY_NAME_PATTERN, SECRET_REFERENCE, Configuration, LlmConfig, RagServiceConfig
from flexchat.config.problems import path_of
from flexchat.config.secrets import is_reserved, references_in, secret_fields
from flexchat.errors import Problem

ENTRY_NAME = re.compile(ENTRY_NAME_PATTERN)


def entry_problems(configuration: Configuration) -> Iterator[Problem]:
    """Every problem of the `llms` and `rag_services` sections."""
    for name, llm in configuration.llms.items():
        path = path_of(("llms", name))
        yield from _entry(path, name, llm)
        yield from _url(f"{path}.base_url", llm.base_url)
        if llm.region is not None and llm.type != "bedrock":
            yield Problem(f"{path}.region", "is for an llm of type 'bedrock' only")
        if llm.api_key is not None and llm.type == "bedrock":
            yield Problem(f"{path}.api_key", "is not used: Bedrock is called with the function's own role", "warning")
        elif llm.api_key is not None and not references_in(llm.api_key):
            message = "the key itself stands in the file; name it, as '${OPENAI_API_KEY}', and store it with "
            yield Problem(f"{path}.api_key", message + "`flexchat secrets set`", "warning")
    for name, service in configuration.rag_services.items():
        path = path_of(("rag_services", name))
        yield from _entry(path, name, service)
        yield from _service(path, service)


def _entry(path: str, name: str, entry: LlmConfig | RagServiceConfig) -> Iterator[Problem]:
    if not ENTRY_NAME.match(name):
        yield Problem(path, "the name must be 1 to 64 of the characters a-z, A-Z, 0-9, _, . and -")
    for field, text in secret_fields(entry):
        where = f"{path}.{field}"
        for reference in references_in(text):
            if is_reserved(reference):
                message = (
                    f"the secret {reference!r} belongs to the function itself; AWS_*, LAMBDA_* and _X_* cannot be named"
                )
                yield Problem(where, message)
        if "${" in SECRET_REFERENCE.sub("", text):
            yield Problem(where, "'${' begins no reference; write one as '${NAME}', of letters, digits and _")


def _service(path: str, service: RagServiceConfig) -> Iterator[Problem]:
    if service.type == "http" and service.url is None:
        yield Problem(f"{path}.url", "is required for a service of type 'http'")
    yield from _url(f"{path}.url", service.url)
    if service.match_threshold > service.partial_threshold:
        yield Problem(
            f"{path}.match_threshold",
            f"must not be above partial_threshold ({service.partial_threshold}): both are distances, smaller is nearer",
        )


def _url(path: str, url: str | None) -> Iterator[Problem]:
    if url is None:
        return
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
    except ValueError:
        usable = False
    if not usable:
        yield Problem(path, "must be an http or https address without a user, as 'https://api.example.com/v1'")
    if "${" in url:
        yield Problem(path, "a secret cannot be named here; put it into api_key or headers")
