"""Redirects of http tools."""

from typing import Any

import httpx2
import pytest

from tests.unit.http_tool.scripted_api import Api, answer


def redirect(location: str, status: int = 302) -> httpx2.Response:
    return httpx2.Response(status, headers={"location": location})


def test_a_redirect_is_refused_unless_the_tool_follows_it() -> None:
    api = Api(redirect("https://api.example.com/other"), answer({"ok": True}))

    assert "does not follow" in api.error().message
    assert len(api.requests) == 1
    assert Api(redirect("/other"), answer({"ok": True})).call(follow_redirects=1) == {"ok": True}


def test_a_redirect_to_another_host_loses_credentials_and_needs_an_allowed_host() -> None:
    values: dict[str, Any] = {
        "follow_redirects": 2,
        "headers": {"X-Key": "canary"},
        "auth": {"type": "bearer", "token": "canary"},
    }
    api = Api(redirect("https://cdn.example.net/items"), answer({"ok": True}))

    assert api.call(allowed_hosts=["cdn.example.net"], **values) == {"ok": True}
    assert "canary" not in str(api.requests[1].headers.multi_items())
    refused = Api(redirect("https://evil.example.net/items"))
    assert refused.error(**values).message == "The address of the tool is not allowed"
    assert len(refused.requests) == 1


@pytest.mark.parametrize(
    ("url", "location", "allowed"),
    [
        ("https://api.example.com/items", "https://api.example.com:8443/items", "api.example.com:8443"),
        ("https://api.example.com:8443/items", "https://api.example.com/items", "api.example.com"),
        ("https://api.example.com:8443/items", "https://api.example.com:9443/items", "api.example.com:9443"),
        ("https://api.example.com/items", "https://cdn.example.net:8443/items", "cdn.example.net:8443"),
    ],
)
def test_a_redirect_to_another_port_needs_an_allowed_host_with_this_port(url: str, location: str, allowed: str) -> None:
    values: dict[str, Any] = {"url": url, "follow_redirects": 1}
    others = {"api.example.com", "cdn.example.net", "api.example.com:7443"} - {allowed}

    for hosts in ([], sorted(others)):
        refused = Api(redirect(location), answer({}))
        error = refused.error(allowed_hosts=hosts, **values)
        assert (error.message, len(refused.requests)) == ("The address of the tool is not allowed", 1)
    api = Api(redirect(location), answer({"ok": True}))
    assert api.call(allowed_hosts=[allowed], auth={"type": "bearer", "token": "canary"}, **values) == {"ok": True}
    assert "canary" not in str(api.requests[1].headers.multi_items())


@pytest.mark.parametrize("location", ["http://api.example.com/", "file:///etc/passwd", "https://api.example.com@evil/"])
def test_a_redirect_to_an_address_that_is_not_allowed_is_refused(location: str) -> None:
    api = Api(redirect(location), answer({}))

    assert (api.error(follow_redirects=5).type, len(api.requests)) == ("configuration", 1)


def test_a_loop_of_redirects_ends() -> None:
    api = Api(redirect("/again"))

    assert api.error(follow_redirects=3).message == "The API redirected the request more than 3 times"
    assert len(api.requests) == 4


def test_a_post_becomes_a_get_after_see_other_and_keeps_its_body_after_temporary_redirect() -> None:
    seen = Api(redirect("/done", 303), answer({}))
    preserved = Api(redirect("/done", 307), answer({}))

    for api in (seen, preserved):
        api.call({"a": 1}, method="POST", follow_redirects=1)

    assert (seen.requests[1].method, seen.requests[1].content) == ("GET", b"")
    assert (preserved.requests[1].method, preserved.requests[1].content) == ("POST", b'{"a":1}')


def test_a_body_is_not_sent_to_another_host() -> None:
    api = Api(redirect("https://cdn.example.net/", 307))

    error = api.error({"a": 1}, method="POST", follow_redirects=1, allowed_hosts=["cdn.example.net"])

    assert (error.message, len(api.requests)) == ("The API redirected a request with a body to another origin", 1)
