"""Check of requests to servers on this machine."""

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import pytest

from dev.request_check import CheckedApplication, Receive, RequestCheck, Scope, Send, checked

PORT = 8123
HOST = ("Host", f"127.0.0.1:{PORT}")
LISTED = "https://app.example.com"
SERVICE = RequestCheck(PORT)
PAGE = RequestCheck(PORT, has_page=True)
LISTING = RequestCheck(PORT, has_page=True, origins=(LISTED,))


@pytest.mark.parametrize("check", [SERVICE, PAGE, LISTING])
@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "host.docker.internal", "host.containers.internal"],
)
def test_a_client_that_is_no_browser_may_use_each_name_of_the_machine(check: RequestCheck, host: str) -> None:
    assert check.refusal([("host", f"{host}:{PORT}"), ("Accept", "*/*")]) is None


@pytest.mark.parametrize("check", [SERVICE, PAGE, LISTING])
@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", f"evil.example:{PORT}", f"127.0.0.1.evil.example:{PORT}", f"localhost.evil.example:{PORT}"),
        *("127.0.0.1", "127.0.0.1:81", "127.0.0.1:", "localhost", "[::1]", f"::1:{PORT}", f"127.1:{PORT}"),
        *(f"2130706433:{PORT}", f"user@127.0.0.1:{PORT}", f"127.0.0.1:{PORT}.", f"127.0.0.1:{PORT}, evil.example", ""),
    ],
)
def test_another_host_is_refused(check: RequestCheck, host: str) -> None:
    assert check.refusal([("Host", host)]) == (f"the header Host is {host!r}; this server is at 127.0.0.1:{PORT}")


def test_a_missing_or_repeated_host_is_refused() -> None:
    assert SERVICE.refusal([]) == f"the header Host is missing; this server is at 127.0.0.1:{PORT}"
    assert SERVICE.refusal([HOST, ("host", "evil.example")]) == (
        f"the header Host is '127.0.0.1:{PORT}' and 'evil.example'; this server is at 127.0.0.1:{PORT}"
    )


def test_the_default_port_may_be_omitted() -> None:
    assert RequestCheck(80).refusal([("Host", "127.0.0.1")]) is None


@pytest.mark.parametrize(
    "origin",
    [
        *("null", "https://evil.example", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:8124", "http://127.0.0.1"),
        *(f"http://localhost:{PORT}", f"http://127.0.0.1:{PORT}.evil.example", "file://", f"http://127.0.0.1:{PORT}/"),
        *(LISTED.upper(), f"{LISTED}:443", ""),
    ],
)
@pytest.mark.parametrize("check", [SERVICE, PAGE, LISTING])
def test_a_page_of_another_origin_is_refused(check: RequestCheck, origin: str) -> None:
    expected = f"only pages of http://127.0.0.1:{PORT}" if check.has_page else "no web page"

    assert check.refusal([HOST, ("Origin", origin)]) == (
        f"the request comes from a page of the origin {origin!r}; {expected} may send requests here"
    )


def test_the_own_page_is_allowed_only_where_there_is_one() -> None:
    own = [HOST, ("Origin", f"http://127.0.0.1:{PORT}"), ("Sec-Fetch-Site", "same-origin")]

    assert PAGE.refusal(own) is None
    assert SERVICE.refusal(own) is not None
    assert SERVICE.refusal([HOST, ("Sec-Fetch-Site", "same-origin")]) is not None


def test_a_repeated_origin_is_refused() -> None:
    own = ("Origin", f"http://127.0.0.1:{PORT}")

    assert PAGE.refusal([HOST, own, ("Origin", "https://evil.example")]) is not None
    assert LISTING.refusal([HOST, ("Origin", LISTED), ("Origin", "null")]) is not None


def test_a_listed_origin_is_allowed_from_its_own_site() -> None:
    assert LISTING.refusal([HOST, ("Origin", LISTED), ("Sec-Fetch-Site", "cross-site")]) is None
    assert PAGE.refusal([HOST, ("Origin", LISTED), ("Sec-Fetch-Site", "cross-site")]) is not None


@pytest.mark.parametrize("check", [SERVICE, PAGE, LISTING])
@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "NONE", "none, none"])
def test_a_request_that_another_page_caused_is_refused(check: RequestCheck, site: str) -> None:
    assert check.refusal([HOST, ("Sec-Fetch-Site", site)]) == (
        f"the header Sec-Fetch-Site is {site!r}, so that another page sends this request or links here; enter the"
        " address in the browser instead"
    )
    assert check.refusal([HOST, ("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", site)]) is not None


@pytest.mark.parametrize("check", [SERVICE, PAGE, LISTING])
def test_an_address_that_the_user_enters_is_allowed(check: RequestCheck) -> None:
    assert check.refusal([HOST, ("Sec-Fetch-Site", "none"), ("Sec-Fetch-Mode", "navigate")]) is None


FROM_PROVIDER = (HOST, ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"))
RESPONSE = "/?code=c-1&state=s-1"


@pytest.mark.parametrize("target", [RESPONSE, "/?error=access_denied&state=s-1", "/", "/?"])
def test_an_identity_provider_may_send_a_tab_back_to_the_page(target: str) -> None:
    assert PAGE.refusal(FROM_PROVIDER, method="GET", target=target) is None
    assert SERVICE.refusal(FROM_PROVIDER, method="GET", target=target) is not None


@pytest.mark.parametrize(
    ("method", "target", "more"),
    [
        ("POST", RESPONSE, ()),
        ("GET", "/chat?code=c-1&state=s-1", ()),
        ("GET", "/?state=s-1", ()),
        ("GET", "/?message=hello", ()),
        ("GET", "/api/me?code=c-1&state=s-1", ()),
        ("GET", RESPONSE, (("Origin", "https://evil.example"),)),
        ("GET", RESPONSE, (("Sec-Fetch-Dest", "iframe"),)),
    ],
)
def test_other_requests_of_foreign_pages_are_refused(
    method: str, target: str, more: tuple[tuple[str, str], ...]
) -> None:
    assert PAGE.refusal([*FROM_PROVIDER, *more], method=method, target=target) is not None


@pytest.mark.parametrize("header", ["Sec-Fetch-Mode", "Sec-Fetch-Dest"])
def test_a_script_of_a_foreign_page_does_not_read_the_page(header: str) -> None:
    fetched = [line for line in FROM_PROVIDER if line[0] != header]

    assert PAGE.refusal(fetched, method="GET", target=RESPONSE) is not None
    assert PAGE.refusal([*fetched, (header, "no-cors")], method="GET", target=RESPONSE) is not None


def test_a_long_value_is_cut_in_the_reason() -> None:
    reason = SERVICE.refusal([("Host", "a" * 5000)])

    assert reason is not None
    assert len(reason) < 300


def sent_by(application: CheckedApplication, scope: Scope) -> list[MutableMapping[str, Any]]:
    """Return the messages that an application sends for `scope`."""
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": f"{scope['type']}.connect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(application(scope, receive, send))
    return sent


async def reached(scope: Scope, _: Receive, send: Send) -> None:
    await send({"type": "reached", "scope": scope["type"]})


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_an_allowed_request_reaches_the_application(kind: str) -> None:
    scope = {"type": kind, "headers": [(b"host", f"127.0.0.1:{PORT}".encode())]}

    assert sent_by(checked(reached, SERVICE), scope) == [{"type": "reached", "scope": kind}]


def test_the_lifespan_of_a_server_is_not_checked() -> None:
    assert sent_by(checked(reached, SERVICE), {"type": "lifespan"}) == [{"type": "reached", "scope": "lifespan"}]


def test_a_refused_request_is_answered_without_cors_headers() -> None:
    start, body = sent_by(checked(reached, SERVICE), {"type": "http", "headers": [(b"host", b"evil.example")]})

    assert (start["status"], dict(start["headers"])) == (
        403,
        {
            b"content-type": b"application/json",
            b"content-length": str(len(body["body"])).encode(),
            b"connection": b"close",
        },
    )
    assert json.loads(body["body"]) == {
        "error": "forbidden",
        "message": f"the header Host is 'evil.example'; this server is at 127.0.0.1:{PORT}",
    }


def test_a_refused_websocket_is_closed_before_it_is_accepted() -> None:
    sent = sent_by(checked(reached, SERVICE), {"type": "websocket", "headers": [(b"host", b"evil.example")]})

    assert sent == [{"type": "websocket.close", "code": 1008}]
