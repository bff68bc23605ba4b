"""Pictures at https addresses: which hosts are reached, redirects, and limits."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import httpx2
import pytest

from flexchat.attachments import MAX_FILE_BYTES, AttachmentError
from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from functions.chat.files.fetching import PictureFetcher
from tests.pictures import png

URL: Final = "https://pictures.example/red.png?signature=canary"


def fetch(
    *answers: httpx2.Response | Callable[[httpx2.Request], httpx2.Response], url: str = URL
) -> tuple[bytes, list[str]]:
    """Content at `url`, and the addresses of the requests, of which each gets the next answer."""
    sent: list[str] = []
    script = [*answers]

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(str(request.url))
        found = script.pop(0)
        return found(request) if callable(found) else found

    content = PictureFetcher(transport=httpx2.MockTransport(answer))(url, Deadline.after(30))
    return content, sent


def refused(*answers: Any, url: str = URL) -> str:
    with pytest.raises(AttachmentError) as caught:
        fetch(*answers, url=url)
    assert "canary" not in caught.value.message
    return caught.value.message


def moved(location: str) -> httpx2.Response:
    return httpx2.Response(302, headers={"location": location})


def test_a_picture_is_fetched() -> None:
    assert fetch(httpx2.Response(200, content=png())) == (png(), [URL])


def test_redirects_are_followed_to_https_addresses() -> None:
    content, sent = fetch(moved("/blue.png"), moved("https://cdn.example/b"), httpx2.Response(200, content=png()))

    assert (content, sent) == (png(), [URL, "https://pictures.example/blue.png", "https://cdn.example/b"])


@pytest.mark.parametrize("location", ["http://cdn.example/b", "file:///etc/passwd", "ftp://cdn.example/b"])
def test_a_redirect_to_another_scheme_is_refused(location: str) -> None:
    assert refused(moved(location)) == "could not be fetched: it redirects to an address without https"


def test_more_than_3_redirects_are_refused() -> None:
    assert refused(*[moved("/next")] * 4) == "could not be fetched: it redirects more than 3 times"


@pytest.mark.parametrize("status", [400, 401, 404, 500])
def test_an_error_of_the_server_is_named_without_its_text(status: int) -> None:
    message = refused(httpx2.Response(status, content=b"canary"))

    assert message == f"could not be fetched: its server answered {status}"


def test_a_picture_that_is_too_large_is_refused() -> None:
    assert (
        refused(httpx2.Response(200, content=b"x" * (MAX_FILE_BYTES + 1)))
        == "has more than 20.0 MB; send a smaller one"
    )


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (httpx2.ConnectError("canary"), "no connection could be made to its host"),
        (httpx2.ReadTimeout("canary"), "it did not arrive within 10 seconds"),
        (httpx2.ReadError("canary"), "the connection broke"),
    ],
)
def test_a_failed_connection_is_named(error: Exception, reason: str) -> None:
    def fail(_request: httpx2.Request) -> httpx2.Response:
        raise error

    assert refused(fail) == f"could not be fetched: {reason}"


FORBIDDEN: Final[Sequence[str]] = (
    "https://127.0.0.1/red.png",
    "https://localhost/red.png",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/red.png",
    "https://[::ffff:169.254.169.254]/red.png",
    "https://10.0.0.1/red.png",
    "https://192.168.1.1/red.png",
    "https://100.64.0.1/red.png",
    "https://0.0.0.0/red.png",
    "https://2130706433/red.png",
    "https://0x7f.1/red.png",
)
"""Addresses inside of a network, in their usual and in unusual forms."""


@pytest.mark.parametrize("url", FORBIDDEN)
def test_no_address_inside_of_the_network_is_reached(url: str) -> None:
    with pytest.raises(AttachmentError) as caught:
        PictureFetcher()(url, Deadline.after(5))

    assert caught.value.code == "failed_to_download_image"
    assert caught.value.message in (
        "could not be fetched: its host must have public IP addresses only",
        "could not be fetched: it is no valid address",
    )


def test_hosts_that_a_deployment_does_not_allow_are_not_reached() -> None:
    fetcher = PictureFetcher(EgressPolicy(allowed_hosts=frozenset({"api.openai.com"})))

    with pytest.raises(AttachmentError, match="its host must have public IP addresses only"):
        fetcher(URL, Deadline.after(5))
