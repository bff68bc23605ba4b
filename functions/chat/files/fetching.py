"""Pictures and files at https addresses, fetched by the guarded client."""

from typing import Final
from urllib.parse import urljoin, urlsplit

import httpx2

from flexchat.attachments import MAX_FILE_BYTES, AttachmentError
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.error_bodies import BodyTooLargeError
from flexchat.http_client import BoundedHttpClient, HttpFailure, HttpRequestError, HttpStream
from flexchat.messages import file_size
from flexchat.observability import logger

FETCH_SECONDS: Final = 10.0
"""Most time for one picture, its redirects included."""

MAX_REDIRECTS: Final = 3

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})

_FAILED: Final = "failed_to_download_image"

_REASONS: Final[dict[HttpFailure, str]] = {
    "unreachable": "no connection could be made to its host",
    "timeout": f"it did not arrive within {FETCH_SECONDS:.0f} seconds",
    "refused": "its host must have public IP addresses only",
    "invalid_address": "it is no valid address",
}


class PictureFetcher:
    """Fetches pictures and files; every connection, also of a redirect, is checked by the rules of `egress`.

    `transport` replaces the network. No error and no log line has more of an address than its host: it may be signed.
    """

    def __init__(self, egress: EgressPolicy = PUBLIC, *, transport: httpx2.BaseTransport | None = None) -> None:
        self._egress = egress
        self._transport = transport
        self._client: BoundedHttpClient | None = None

    def __call__(self, url: str, deadline: Deadline) -> bytes:
        """Return the content at `url`. Raises AttachmentError."""
        due = deadline.within(FETCH_SECONDS)
        for _ in range(MAX_REDIRECTS + 1):
            body, location = self._request(url, due)
            if location is None:
                return body
            url = urljoin(url, location)
            if not url.startswith("https://"):
                raise AttachmentError("could not be fetched: it redirects to an address without https", code=_FAILED)
        raise AttachmentError(f"could not be fetched: it redirects more than {MAX_REDIRECTS} times", code=_FAILED)

    def _request(self, url: str, due: Deadline) -> tuple[bytes, str | None]:
        """Return the body, or the location of a redirect."""
        try:
            with self._http.stream("GET", url, None, seconds=due.remaining(), due=due) as response:
                return _read(response)
        except HttpRequestError as exc:
            logger.info("picture not fetched", host=_host(url), failure=exc.failure)
            reason = _REASONS.get(exc.failure, "the connection broke")
            raise AttachmentError(f"could not be fetched: {reason}", code=_FAILED) from exc
        except TimeoutError as exc:
            raise AttachmentError(f"could not be fetched: {_REASONS['timeout']}", code=_FAILED) from exc
        except BodyTooLargeError as exc:
            message = f"has more than {file_size(MAX_FILE_BYTES)}; send a smaller one"
            raise AttachmentError(message, code="image_too_large") from exc

    @property
    def _http(self) -> BoundedHttpClient:
        if self._client is None:
            headers = {"accept": "image/*, application/pdf, text/*, */*;q=0.1"}
            self._client = BoundedHttpClient(headers=headers, egress=self._egress, transport=self._transport)
        return self._client


def _read(response: HttpStream) -> tuple[bytes, str | None]:
    if response.status in _REDIRECTS and (location := response.headers.get("location")):
        return b"", location
    if not response.is_success:
        raise AttachmentError(f"could not be fetched: its server answered {response.status}", code=_FAILED)
    return response.read(MAX_FILE_BYTES), None


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
