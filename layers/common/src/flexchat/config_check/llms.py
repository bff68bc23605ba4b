"""Checks of llms: address, name, and references to secrets."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from flexchat.config.models.base import ENTRY_NAME_PATTERN
from flexchat.config.models.configuration import Configuration
from flexchat.config.problems import path_of
from flexchat.config.providers import PROVIDERS
from flexchat.config.secrets import Entry, secret_fields
from flexchat.config_check.addresses import address_problems
from flexchat.config_check.secrets import llm_key_problems
from flexchat.errors import Problem
from flexchat.messages import Json
from flexchat.secret_references import SECRET_REFERENCE, is_reserved, references_in, texts_in

ENTRY_NAME = re.compile(ENTRY_NAME_PATTERN)


def llm_problems(configuration: Configuration) -> Iterator[Problem]:
    """Return every problem of the `llms` section."""
    for name, llm in configuration.llms.items():
        path = path_of(("llms", name))
        yield from entry_problems(path, name, llm)
        if not llm.demo:
            yield from url_problems(f"{path}.base_url", llm.base_url)
        provider = PROVIDERS[llm.type]
        if llm.region is not None and not provider.aws_signed:
            yield Problem(f"{path}.region", "is for an llm of type 'bedrock' only")
        if llm.api_key is not None and provider.aws_signed:
            message = f"is not used: {provider.label} is called with the function's own role"
            yield Problem(f"{path}.api_key", message, "warning")
        yield from llm_key_problems(path, llm)
        yield from extra_body_problems(path, llm.extra_body)
        for pattern, profile in llm.profiles.items():
            yield from extra_body_problems(path_of(("llms", name, "profiles", pattern)), profile.extra_body)


def entry_problems(path: str, name: str, entry: Entry) -> Iterator[Problem]:
    """Return the problems of an entry's name and of its references to secrets."""
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


def extra_body_problems(path: str, body: Mapping[str, Json]) -> Iterator[Problem]:
    """Return the problem of an `extra_body` of the entry at `path` that names a secret, which is not resolved there."""
    if any("${" in text for _, text in texts_in({**body})):
        yield Problem(f"{path}.extra_body", "a secret cannot be named here; put it into api_key or headers")


def url_problems(path: str, url: str | None) -> Iterator[Problem]:
    """Return the problems of an address at `path`, if there is one."""
    if url is None:
        return
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
    except ValueError:
        usable = False
    if not usable:
        yield Problem(path, "must be an http or https address without a user, as 'https://api.example.com/v1'")
    elif "${" not in url:
        yield from address_problems(path, url)
    if "${" in url:
        yield Problem(path, "a secret cannot be named here; put it into api_key or headers")
