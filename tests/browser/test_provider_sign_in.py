"""Sign-in with an identity provider: response, errors, refresh in several tabs, and sign-out."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jwt
import pytest
from playwright.sync_api import Browser, Page, Request, expect

from flexchat.messages import Json
from tests.browser.conftest import REPORT, save_failure
from tests.browser.layout import document_width, small_targets
from tests.browser.screen import KEEP_LABELS, Keep, Screen, open_screen
from tests.browser.test_account import account
from tests.browser.trace_pages import Response, StubApi, page_server
from tests.code_flow import CLIENT_ID, CodeFlow
from tests.issuer import Issuer, running_issuer

BUTTON = "Sign in with Acme ID"


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with running_issuer() as issuer:
        yield issuer


@pytest.fixture
def flow(issuer: Issuer) -> CodeFlow:
    return issuer.flow


@pytest.fixture
def acme(
    chromium: Browser, issuer: Issuer, api: StubApi, shots: Path, request: pytest.FixtureRequest
) -> Iterator[Screen]:
    """The page of a stage whose people sign in at the issuer."""
    api.set("GET /api/me", lambda sent: me(sent, issuer))
    api.set("GET /api/sessions", lambda sent: answered(sent, issuer, {"sessions": []}))
    api.set("GET /api/collections", {"collections": []})
    variables = {
        "oidcIssuer": issuer.url,
        "oidcClientId": CLIENT_ID,
        "oidcScopes": "openid,profile,offline_access",
        "oidcName": "Acme_ID",
    }
    with (
        page_server(variables) as url,
        open_screen(chromium, url=url, token="stub", shots=shots) as opened,
    ):
        issuer.flow.redirect_uris.add(f"{url}/")
        opened.watch.allow(issuer.url)
        api.install(opened.page)
        yield opened
        report = request.node.stash.get(REPORT, None)
        if report is not None and report.failed:
            save_failure(opened, request.node.name)


def claims(request: Request, issuer: Issuer) -> dict[str, Any] | None:
    """Return the claims of a request's token; None for one that the API would not accept."""
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    try:
        key: Any = issuer.keys["first"].public_key()
        return jwt.decode(token, key, algorithms=["RS256"], audience="flexchat", issuer=issuer.url)
    except jwt.PyJWTError:
        return None


def answered(request: Request, issuer: Issuer, body: Json) -> Response:
    if claims(request, issuer) is None:
        return 401, {"error": "unauthorized", "message": "unknown token", "request_id": "r"}
    return body


def me(request: Request, issuer: Issuer) -> Response:
    found = claims(request, issuer) or {}
    changes: dict[str, Any] = {
        "principal": "oidc_7f3c",
        "name": found.get("name", ""),
        "expires_at": datetime.fromtimestamp(found.get("exp", 0), UTC).isoformat(),
    }
    return answered(request, issuer, account(**changes))


def sign_in(page: Page, keep: Keep = "tab") -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=KEEP_LABELS[keep]).check()
    dialog.get_by_role("button", name=BUTTON).click()


def expect_signed_in(page: Page) -> None:
    expect(page.get_by_role("button", name="Account: Ada Lovelace")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def stored(page: Page) -> dict[str, dict[str, str]]:
    return page.evaluate("() => ({ tab: { ...sessionStorage }, browser: { ...localStorage } })")


def tokens_of(page: Page) -> str:
    """Return the token that the tab has stored."""
    return page.evaluate("() => sessionStorage['flexchat.token'] ?? localStorage['flexchat.token /'] ?? ''")


def expire(page: Page) -> None:
    """Let the access token of a tab be near its end, as after five minutes, and the tab be looked at again."""
    page.evaluate(
        """() => {
          for (const [store, key] of [[sessionStorage, "flexchat.grant"], [localStorage, "flexchat.grant /"]]) {
            if (store[key]) store[key] = JSON.stringify({ ...JSON.parse(store[key]), expires: Date.now() - 1000 });
          }
        }"""
    )


@pytest.mark.parametrize("width", [1280, 390])
def test_person_signs_in_and_returns_to_the_view(acme: Screen, flow: CodeFlow, width: int) -> None:
    page = acme.open("traces?outcome=failed", width=width, signed_in=False)
    dialog = page.get_by_role("dialog", name="Sign in")
    expect(dialog.get_by_role("button", name=BUTTON)).to_be_focused()
    acme.shoot("provider-sign-in", whole=False)
    acme.axe(within="dialog[open]")
    assert document_width(page) == width
    assert small_targets(page) == []

    sign_in(page)

    expect_signed_in(page)
    assert page.url == f"{acme.url}/traces?outcome=failed"
    (query,) = flow.sign_ins
    assert query["scope"] == "openid profile offline_access"
    assert query["code_challenge_method"] == "S256"
    assert len(query["state"]) >= 43
    assert len(query["nonce"]) >= 43
    page.get_by_role("button", name="Account").click()
    menu = page.locator("#account")
    expect(menu).to_contain_text("Signed in withAcme ID")
    expect(menu).to_contain_text("renewed before")
    acme.shoot("provider-account", whole=False)
    acme.axe(within="#account")


def test_tokens_are_in_no_address_and_no_cookie(acme: Screen, flow: CodeFlow) -> None:
    page = acme.open("chat", signed_in=False)
    sign_in(page)
    expect_signed_in(page)

    secrets = [tokens_of(page), *flow.refresh_tokens]
    assert page.context.cookies() == []
    assert [request.url for request in acme.watch.requests if any(secret in request.url for secret in secrets)] == []
    assert [key for key in stored(page)["tab"] if key == "flexchat.sign-in"] == []  # the verifier is used once


@pytest.mark.parametrize("keep", ["page", "tab", "browser"])
def test_sign_in_is_kept_where_the_person_chose(acme: Screen, keep: Keep) -> None:
    page = acme.open("chat", signed_in=False)
    sign_in(page, keep)
    expect_signed_in(page)

    found = {
        name: sorted(key for key in keys if "token" in key or "grant" in key) for name, keys in stored(page).items()
    }
    assert found == {
        "tab": ["flexchat.grant", "flexchat.token"] if keep == "tab" else [],
        "browser": ["flexchat.grant /", "flexchat.token /"] if keep == "browser" else [],
    }
    page.reload()
    if keep == "page":
        expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
    else:
        expect_signed_in(page)


def test_response_of_a_sign_in_that_this_tab_did_not_start_is_not_used(acme: Screen, flow: CodeFlow) -> None:
    flow.foreign_state = "of-another-tab"
    page = acme.open("chat", signed_in=False)
    sign_in(page)

    dialog = page.get_by_role("dialog", name="Sign in")
    expect(dialog.get_by_role("alert")).to_contain_text("does not belong to this tab")
    assert page.url == f"{acme.url}/"
    assert flow.refresh_tokens == {}
    acme.shoot("provider-wrong-state", whole=False)

    flow.foreign_state = ""
    sign_in(page)
    expect_signed_in(page)


def test_response_of_another_issuer_is_not_used(acme: Screen, flow: CodeFlow) -> None:
    flow.iss = "https://login.example.net"
    page = acme.open("chat", signed_in=False)
    sign_in(page)

    expect(page.get_by_role("alert")).to_contain_text("not a valid one of Acme ID")
    assert flow.refresh_tokens == {}


def test_metadata_of_another_issuer_is_not_used(acme: Screen, issuer: Issuer) -> None:
    other = json.dumps({"issuer": "https://login.example.net", **issuer.flow.metadata()}).encode()
    issuer.answers["/.well-known/openid-configuration"] = (200, other)
    page = acme.open("chat", signed_in=False)
    sign_in(page)

    expect(page.get_by_role("alert")).to_contain_text("An operator has to correct OidcIssuer.")
    assert issuer.flow.sign_ins == []


@pytest.mark.parametrize("width", [1280, 390])
def test_denied_sign_in_is_said_in_words(acme: Screen, flow: CodeFlow, width: int) -> None:
    flow.denied = "access_denied"
    page = acme.open("traces", width=width, signed_in=False)
    sign_in(page)

    alert = page.get_by_role("dialog").get_by_role("alert")
    expect(alert).to_contain_text("Acme ID did not sign you in")
    expect(alert).to_contain_text("Acme ID says: “the person cancelled”")
    assert page.url == f"{acme.url}/traces"
    acme.shoot("provider-denied", whole=False)
    acme.axe(within="dialog[open]")

    flow.denied = ""
    sign_in(page)
    expect_signed_in(page)


def test_code_that_the_provider_refuses_leads_to_another_sign_in(acme: Screen, issuer: Issuer) -> None:
    acme.watch.tolerate("the server responded with a status of 400")
    issuer.answers["/token"] = (400, b'{"error": "invalid_grant"}')
    page = acme.open("chat", signed_in=False)
    sign_in(page)
    expect(page.get_by_role("alert")).to_contain_text("did not accept the code of this sign-in")

    issuer.answers.clear()
    sign_in(page)
    expect_signed_in(page)


def test_token_that_the_api_does_not_accept_names_the_parameters(acme: Screen, api: StubApi) -> None:
    acme.watch.tolerate("the server responded with a status of 401")
    api.set("GET /api/me", (401, {"error": "unauthorized", "message": "no", "request_id": "r"}))
    page = acme.open("chat", signed_in=False)
    sign_in(page)

    expect(page.get_by_role("alert")).to_contain_text("compare OidcAudiences and OidcScopes")
    assert tokens_of(page) == ""


def test_unreachable_provider_names_the_settings(acme: Screen, issuer: Issuer) -> None:
    acme.route_fail(f"{issuer.url}/**")
    page = acme.open("chat", signed_in=False)
    sign_in(page)

    expect(page.get_by_role("alert")).to_contain_text("No response of Acme ID.")
    expect(page.get_by_role("alert")).to_contain_text("OidcOrigins")


def test_api_token_remains_another_way(acme: Screen, api: StubApi) -> None:
    api.set("GET /api/me", account())
    api.set("GET /api/sessions", {"sessions": []})
    page = acme.open("chat", signed_in=False)
    page.get_by_role("dialog").get_by_text("Use an API token").click()
    acme.shoot("provider-api-token", whole=False)
    acme.sign_in("fc_aaaaaaaaaa_secret")

    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Account").click()
    expect(page.locator("#account")).to_contain_text("Token id")


def test_expiring_token_is_renewed_before_a_request_and_the_view_stays(
    acme: Screen, api: StubApi, flow: CodeFlow
) -> None:
    page = acme.open("chat", signed_in=False)
    sign_in(page)
    expect_signed_in(page)
    first = tokens_of(page)
    expire(page)
    page.reload()

    expect_signed_in(page)
    page.wait_for_function("(first) => sessionStorage['flexchat.token'] !== first", arg=first)
    assert flow.refreshes == 1
    page.get_by_label("Message", exact=True).fill("Not sent yet")
    sessions = len(api.sent("GET /api/sessions"))
    expire(page)
    page.get_by_role("button", name="Account").click()  # a request of the menu
    expect(page.locator("#account")).to_contain_text("oidc_7f3c")
    expect(page.get_by_label("Message", exact=True)).to_have_value("Not sent yet")
    assert len(api.sent("GET /api/sessions")) == sessions  # another token of the same sign-in loads nothing again
    assert flow.reused == []


def test_rejected_token_is_renewed_and_its_request_repeated(acme: Screen, api: StubApi, flow: CodeFlow) -> None:
    acme.watch.tolerate("the server responded with a status of 401")
    page = acme.open("chat", signed_in=False)
    sign_in(page)
    expect_signed_in(page)
    revoked = tokens_of(page)
    page.evaluate(
        "() => { const grant = JSON.parse(sessionStorage['flexchat.grant']);"
        " sessionStorage['flexchat.grant'] = JSON.stringify({ ...grant, issued: 0 }); }"
    )
    page.reload()
    expect_signed_in(page)

    def once_revoked(request: Request) -> Response:
        if revoked in request.headers["authorization"]:
            return 401, {"error": "unauthorized", "message": "revoked", "request_id": "r"}
        return account(principal="oidc_7f3c")

    api.set("GET /api/me", once_revoked)
    page.get_by_role("button", name="Account").click()

    expect(page.locator("#account")).to_contain_text("oidc_7f3c")
    assert flow.refreshes == 1


def test_ended_sign_in_keeps_the_typed_text_over_the_next_one(acme: Screen, flow: CodeFlow) -> None:
    acme.watch.tolerate("the server responded with a status of 400")
    acme.watch.tolerate("the server responded with a status of 404")
    acme.page.clock.install()
    page = acme.open("chat", signed_in=False)
    sign_in(page)
    expect_signed_in(page)
    page.get_by_label("Message", exact=True).fill("What is 15% of 45?")
    flow.end_sign_ins()
    page.clock.fast_forward(270_000)  # the refresh is due a minute before the expiry

    dialog = page.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_contain_text("Your sign-in at Acme ID has ended.")
    acme.shoot("provider-sign-in-again", whole=False)
    acme.axe(within="dialog[open]")
    sign_in(page)

    expect_signed_in(page)
    expect(page.get_by_label("Message", exact=True)).to_have_value("What is 15% of 45?")
    page.get_by_label("Message", exact=True).press("End")
    page.keyboard.type(" Round it.")
    expect(page.get_by_label("Message", exact=True)).to_have_value("What is 15% of 45? Round it.")


def test_two_tabs_refresh_once(acme: Screen, api: StubApi, flow: CodeFlow) -> None:
    page = acme.open("chat", signed_in=False)
    sign_in(page, "browser")
    expect_signed_in(page)
    first = tokens_of(page)
    other = page.context.new_page()
    api.install(other)
    other.goto(f"{acme.url}/chat")
    expect_signed_in(other)

    expire(page)
    page.evaluate("() => location.reload()")
    other.reload()
    for each in (page, other):
        expect_signed_in(each)
        each.wait_for_function("(first) => localStorage['flexchat.token /'] !== first", arg=first)
        each.get_by_role("button", name="Account").click()
        expect(each.locator("#account")).to_contain_text("oidc_7f3c")
    assert (flow.refreshes, flow.reused) == (1, [])


def test_duplicated_tab_gets_the_refreshed_token(acme: Screen, api: StubApi, flow: CodeFlow) -> None:
    page = acme.open("chat", signed_in=False)
    sign_in(page)
    expect_signed_in(page)
    copied = stored(page)["tab"]
    other = page.context.new_page()
    api.install(other)
    other.goto(f"{acme.url}/assets/any/icon.svg")
    copy = "(copied) => { for (const [key, value] of Object.entries(copied)) sessionStorage[key] = value; }"
    other.evaluate(copy, copied)
    expire(page)
    page.reload()
    expect_signed_in(page)
    page.wait_for_function("(first) => sessionStorage['flexchat.token'] !== first", arg=copied["flexchat.token"])
    assert flow.refreshes == 1

    expire(other)
    other.goto(f"{acme.url}/chat")
    expect_signed_in(other)

    other.wait_for_function("(first) => sessionStorage['flexchat.token'] !== first", arg=copied["flexchat.token"])
    assert tokens_of(other) == tokens_of(page)
    assert (flow.refreshes, flow.reused) == (1, [])


def test_provider_that_does_not_answer_ends_no_sign_in(acme: Screen, issuer: Issuer, flow: CodeFlow) -> None:
    acme.watch.tolerate("the server responded with a status of 503")
    page = acme.open("chat", signed_in=False)
    sign_in(page)
    expect_signed_in(page)
    issuer.answers["/token"] = (503, b"down")
    expire(page)
    page.reload()

    expect(page.get_by_text("could not be renewed").first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    acme.shoot("provider-unreachable", whole=False)
    issuer.answers.clear()
    page.reload()
    expect_signed_in(page)
    assert flow.reused == []


def test_sign_out_ends_the_session_at_the_provider_and_in_other_tabs(
    acme: Screen, api: StubApi, flow: CodeFlow
) -> None:
    page = acme.open("chat", signed_in=False)
    sign_in(page, "browser")
    expect_signed_in(page)
    other = page.context.new_page()
    api.install(other)
    other.goto(f"{acme.url}/chat")
    expect_signed_in(other)
    (refresh,) = flow.refresh_tokens
    page.get_by_role("button", name="Account").click()
    page.get_by_role("button", name="Sign out").click()

    page.wait_for_url(f"{acme.url}/")
    for each in (page, other):
        expect(each.get_by_role("dialog", name="Sign in")).to_be_visible()
        kept = [key for keys in stored(each).values() for key in keys if re.search("token|grant|caller", key)]
        assert kept == []
    assert flow.revoked == [refresh]
    (query,) = flow.logouts
    assert query["post_logout_redirect_uri"] == f"{acme.url}/"
    assert query["id_token_hint"].count(".") == 2
    acme.shoot("provider-signed-out", whole=False)


def test_sign_out_without_the_provider_says_so(acme: Screen, issuer: Issuer) -> None:
    page = acme.open("chat", signed_in=False)
    sign_in(page)
    expect_signed_in(page)
    page.reload()
    expect_signed_in(page)
    acme.route_fail(f"{issuer.url}/**")
    page.get_by_role("button", name="Account").click()
    page.get_by_role("button", name="Sign out").click()

    expect(page.get_by_role("dialog", name="Sign in")).to_contain_text("You are signed out here, but not at Acme ID")
    assert tokens_of(page) == ""


def test_shared_link_is_open_after_the_sign_in_with_its_secret(acme: Screen, api: StubApi) -> None:
    acme.watch.tolerate("the server responded with a status of 404")
    page = acme.open("shared/l-1#secret-of-the-link", signed_in=False)
    sign_in(page)

    expect_signed_in(page)
    assert page.url == f"{acme.url}/shared/l-1#secret-of-the-link"
