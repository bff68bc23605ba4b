"""Download of a document through guarded connections."""

from contextlib import closing
from urllib.parse import urljoin

from cli.tool_import.document import MAX_DOCUMENT_BYTES
from flexchat.deadline import Deadline
from flexchat.egress.client import GuardedTransport
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import parse_address
from flexchat.error_bodies import BodyTooLargeError
from flexchat.errors import ConfigError, Problem
from flexchat.http_client import BoundedHttpClient, HttpRequestError

SECONDS = 120.0
MAX_REDIRECTS = 5

ACCEPT = "application/json, application/yaml, text/yaml, */*;q=0.5"


def download(url: str, *, allow_loopback: bool = False) -> tuple[bytes, str]:
    """Return the content at `url` and its address after redirects. Raises ConfigError.

    Each host must have only public addresses, or those of this machine with `allow_loopback`, and use https.
    """
    policy = EgressPolicy(local=allow_loopback)
    with closing(GuardedTransport(policy)) as transport:
        return _followed(url, policy, BoundedHttpClient(transport=transport, headers={"accept": ACCEPT}))


def _followed(url: str, policy: EgressPolicy, client: BoundedHttpClient) -> tuple[bytes, str]:
    """Return the content after redirects, each of which is checked as the first address is."""
    due = Deadline.after(SECONDS)
    for _ in range(MAX_REDIRECTS + 1):
        try:
            policy.check_address(parse_address(url))
            response = client.send("GET", url, None, seconds=SECONDS, due=due, max_bytes=MAX_DOCUMENT_BYTES)
        except EgressError as exc:
            raise _error(url, exc.message) from exc
        except HttpRequestError as exc:
            raise _error(url, f"cannot be downloaded: {exc.detail or exc.failure}") from exc
        except BodyTooLargeError as exc:
            raise _error(url, f"has more than {MAX_DOCUMENT_BYTES} bytes") from exc
        location = response.headers.get("location")
        if response.is_success:
            return response.body, url
        if location is None or response.status not in (301, 302, 303, 307, 308):
            raise _error(url, f"the server answered with HTTP {response.status}")
        url = urljoin(url, location)
    raise _error(url, f"more than {MAX_REDIRECTS} redirects")


def _error(url: str, message: str) -> ConfigError:
    return ConfigError((Problem(url.partition("?")[0], message),))
