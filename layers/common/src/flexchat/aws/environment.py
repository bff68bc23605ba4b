"""Environment of a Lambda function as its AWS clients use it: region, endpoints, credentials and trace.

Its variables are the whole configuration of a function's clients: it has no profile and no file of settings.
(https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime)
"""

import os
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from msgspec import Struct

from flexchat.aws.signatures import Credentials
from flexchat.egress.errors import EgressError
from flexchat.egress.urls import Address, parse_address, request_target

_CHINA: Final = re.compile(r"cn-[a-z]+-[0-9]+")
_COMMERCIAL_OR_GOV: Final = re.compile(r"(?:us-gov|[a-z]{2})-[a-z]+-[0-9]+")

_DOMAINS: Final = ((_CHINA, "amazonaws.com.cn"), (_COMMERCIAL_OR_GOV, "amazonaws.com"))
"""Domains of the endpoints, by the names of regions; the first match counts."""

_UNSUPPORTED: Final = (
    "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
    "AWS_USE_DUALSTACK_ENDPOINT",
    "AWS_USE_FIPS_ENDPOINT",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "https_proxy",
    "http_proxy",
)
"""Variables that only botocore's clients follow."""


class Endpoint(Struct, frozen=True):
    """Address of a service, and the region of its signatures."""

    address: Address
    region: str


def endpoint_of_function(service: str, environment: Mapping[str, str] = os.environ) -> Endpoint | None:
    """Return the endpoint of a service for the function that runs here.

    None outside of a function, and for settings that only botocore's clients follow: proxies, other certificates,
    endpoints for FIPS, a URL with a path, and regions of other partitions.
    """
    region = environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or ""
    domain = _domain(region)
    if "AWS_LAMBDA_FUNCTION_NAME" not in environment or domain is None or any(map(environment.get, _UNSUPPORTED)):
        return None
    url = environment.get(f"AWS_ENDPOINT_URL_{service.upper()}") or environment.get("AWS_ENDPOINT_URL")
    try:
        address = parse_address(url) if url else Address("https", f"{service}.{region}.{domain}", 443)
    except EgressError:
        return None
    if address.scheme == "https" and environment.get("AWS_CA_BUNDLE"):
        return None
    return Endpoint(address, region) if not url or request_target(url) == "/" else None


def _domain(region: str) -> str | None:
    return next((domain for pattern, domain in _DOMAINS if pattern.fullmatch(region)), None)


@cache
def credentials_source() -> Callable[[], Credentials]:
    """Return the function that returns the current credentials. Raises NoCredentialsError.

    A function has its keys in the environment, for the life of the environment. With SnapStart it has none there:
    botocore requests them from an endpoint of the runtime, and renews them.
    """
    key, secret = os.environ.get("AWS_ACCESS_KEY_ID"), os.environ.get("AWS_SECRET_ACCESS_KEY")
    if key and secret:
        fixed = Credentials(key, secret, os.environ.get("AWS_SESSION_TOKEN"))
        return lambda: fixed
    from botocore.exceptions import NoCredentialsError

    from flexchat.aws.botocore_clients import session  # a quarter of a second that only SnapStart needs

    found: Any = session().get_credentials()
    if found is None:
        raise NoCredentialsError
    return lambda: Credentials(*found.get_frozen_credentials()[:3])


def trace_header(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the trace of the current request, by which Lambda detects a loop of functions; None without one.

    https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
    """
    trace = environment.get("_X_AMZN_TRACE_ID")
    return quote(trace, safe="-=;:+&[]{}\"',") if trace else None
