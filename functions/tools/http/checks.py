"""Checks of an http tool's configuration against the definition of its tool."""

from collections.abc import Iterator, Mapping

from flexchat.config.models.http_auth import OAuth2Auth
from flexchat.config.suggestions import did_you_mean
from flexchat.config_check.addresses import local_address_warnings
from flexchat.errors import Problem
from flexchat.messages import Json
from functions.tools.http.implementation import Implementation, template_address
from functions.tools.http.requests import placeholders

_COMPOSED = frozenset({"$ref", "allOf", "anyOf", "oneOf", "patternProperties"})
"""Keywords of a schema whose parameters are not all in its `properties`."""


def definition_problems(
    implementation: Implementation, parameters: Mapping[str, Json], *, idempotent: bool
) -> Iterator[Problem]:
    """Return the problems of an implementation for a tool with `parameters`; paths are relative to it."""
    properties = parameters.get("properties", {})
    if isinstance(properties, dict) and _COMPOSED.isdisjoint(parameters):
        yield from _unknown_parameters(implementation, properties)
        yield from _address_problems(implementation, properties, parameters.get("required"))
        yield from _collisions(implementation, properties)
    yield from _warnings(implementation, idempotent=idempotent)
    yield from local_address_warnings("url", _origin(implementation.url.partition("?")[0]))
    if isinstance(implementation.auth, OAuth2Auth):
        yield from local_address_warnings("auth.token_url", _origin(implementation.auth.token_url))


def _unknown_parameters(implementation: Implementation, properties: Mapping[str, Json]) -> Iterator[Problem]:
    for name in implementation.params_mapping:
        if name not in properties:
            message = f"{name!r} is not a parameter of the tool{did_you_mean(name, properties)}"
            yield Problem(f"params_mapping.{name}", message)
    for name in dict.fromkeys(placeholders(implementation.body.template)):
        if name not in properties:
            message = f"{{{{{name}}}}} is not a parameter of the tool{did_you_mean(name, properties)}"
            yield Problem("body.template", message)


def _address_problems(
    implementation: Implementation, properties: Mapping[str, Json], required: Json
) -> Iterator[Problem]:
    places = {name: implementation.place_of(name) for name in properties}
    filled = {place.name: name for name, place in places.items() if place and place.location == "path"}
    for name in implementation.path_parameters:
        if name not in filled:
            message = f"no parameter of the tool fills {{{name}}}{did_you_mean(name, properties)}"
            yield Problem("url", message)
        elif not isinstance(required, list) or filled[name] not in required:
            message = f"{filled[name]!r} is a part of the address, but the parameter is not required"
            yield Problem("url", message, "warning")


def _collisions(implementation: Implementation, properties: Mapping[str, Json]) -> Iterator[Problem]:
    first: dict[tuple[str, str], str] = {}
    for name in properties:
        place = implementation.place_of(name)
        if place is not None and (other := first.setdefault((place.location, place.name), name)) != name:
            message = f"{other!r} and {name!r} are both sent as {place.name!r} of the {place.location}"
            yield Problem("params_mapping", message)


def _warnings(implementation: Implementation, *, idempotent: bool) -> Iterator[Problem]:
    retry, method = implementation.retry, implementation.method
    if retry.max_attempts > 1 and not implementation.is_idempotent and not idempotent:
        message = f"no effect: a {method} request is repeated only for a tool with 'idempotent': true"
        yield Problem("retry.max_attempts", message, "warning")
    pauses = retry.backoff_ms * (2 ** (retry.max_attempts - 1) - 1)
    timeout_ms = implementation.timeout_ms
    if timeout_ms is not None and pauses >= timeout_ms:
        message = f"the pauses may take {pauses} ms, but the call ends after {timeout_ms} ms (timeout_ms)"
        yield Problem("retry.backoff_ms", message, "warning")
    if implementation.cache_seconds and method not in ("GET", "HEAD"):
        yield Problem("cache_seconds", f"the results of a {method} request are cached; it should only read", "warning")
    if implementation.response_path is not None and implementation.response_format in ("text", "html"):
        message = f"selects nothing in the format {implementation.response_format!r}; use 'json'"
        yield Problem("response_path", message, "warning")


def _origin(url: str) -> str:
    """Return the scheme and the host of a URL, whose path may have parameters and references."""
    address = template_address(url)
    return f"{address.scheme}://{address.netloc}/"
