"""People who sign in at an identity provider, on the real stack: the page, the authorizer and the API."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from cli.layout import Layout
from cli.local_stack import StackState
from tests.browser.chat_page import SUM, parameter, send_message
from tests.browser.conftest import REPORT, save_failure
from tests.browser.screen import TOKEN_KEY, Screen, open_screen
from tests.browser.stage_with_people import NAME, OPERATORS, STAFF, PeopleStage, people_stage
from tests.browser.test_firefox import LONGEST_SECONDS, find_firefox
from tests.issuer import AUDIENCE, OTHER_KEY, unsigned

FIREFOX = Path(__file__).parent / "firefox" / "sign_in.mjs"
EXPIRED_SECONDS = 120
"""Age of an expired token, beyond the difference of clocks that the authorizer accepts."""


@pytest.fixture(scope="module")
def stage(stack: StackState, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PeopleStage]:
    with people_stage(stack, tmp_path_factory.mktemp("people")) as stage:
        # API tokens remain valid; the functions behind this gateway have started then.
        headers = {"Authorization": f"Bearer {stack.token}"}
        answer = httpx2.post(
            f"{stage.url}/api/chat", json={"message": SUM}, headers=headers, timeout=60, trust_env=False
        )
        answer.raise_for_status()
        assert me(stage, stage.token(STAFF)).status_code == 200
        yield stage


@pytest.fixture
def person(chromium: Browser, stage: PeopleStage, shots: Path, request: pytest.FixtureRequest) -> Iterator[Screen]:
    """A tab in which nobody has signed in; people have the role `user` unless a test admits others."""
    stage.admit(STAFF)
    with open_screen(chromium, url=stage.url, token="", shots=shots) as opened:
        opened.watch.allow(stage.issuer.url)
        yield opened
        report = request.node.stash.get(REPORT, None)
        if report is not None and report.failed:
            save_failure(opened, request.node.name)


def sign_in(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name=f"Sign in with {NAME}").click()


def expect_signed_in(page: Page) -> None:
    expect(page.get_by_role("button", name="Account: Ada Lovelace")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def token_of(page: Page) -> str:
    return page.evaluate("(key) => sessionStorage[key] ?? ''", TOKEN_KEY)


def keep_expired(page: Page, token: str) -> None:
    """Put an expired token into the sign-in that the tab has kept, which is hours old."""
    page.evaluate(
        """([key, token]) => {
          const grant = JSON.parse(sessionStorage["flexchat.grant"]);
          sessionStorage["flexchat.grant"] = JSON.stringify({ ...grant, issued: 0 });
          sessionStorage[key] = token;
        }""",
        [TOKEN_KEY, token],
    )


def me(stage: PeopleStage, token: str) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx2.get(f"{stage.url}/api/me", headers=headers, timeout=60, trust_env=False)


def assert_rejected(response: httpx2.Response) -> None:
    """Assert that API Gateway refused a token; its header tells it from a 403 of the service about a role."""
    assert (response.status_code, response.json()["message"]) == (403, "this token is unknown, expired or revoked")
    assert "x-amzn-errortype" in response.headers


def test_person_signs_in_chats_and_signs_out(person: Screen, stage: PeopleStage, service: httpx2.Client) -> None:
    flow = stage.issuer.flow
    page = person.open("chat", signed_in=False)
    sign_in(page)
    expect_signed_in(page)
    assert [query["code_challenge_method"] for query in flow.sign_ins] == ["S256"]

    send_message(page, SUM)
    expect(page.get_by_role("article").first).to_contain_text("6.75")
    page.get_by_role("button", name="Account").click()
    menu = page.locator("#account")
    expect(menu).to_contain_text(re.compile(r"Role\s*user"))
    expect(menu).to_contain_text(f"Signed in with{NAME}")
    expect(menu).to_contain_text(re.compile(r"expires in \d+ minutes, renewed before"))
    person.shoot("people-account", whole=False)
    access = token_of(page)
    own: dict[str, Any] = me(stage, access).json()
    expect(menu).to_contain_text(own["principal"])
    expect(page.get_by_role("link", name="Configuration")).to_have_count(0)
    session = parameter(page, "session")
    assert session
    assert service.get(f"/api/sessions/{session}").status_code == 404

    menu.get_by_role("button", name="Sign out").click()

    page.wait_for_url(f"{person.url}/")
    expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
    assert token_of(page) == ""
    assert len(flow.revoked) == 1
    assert [query["post_logout_redirect_uri"] for query in flow.logouts] == [f"{person.url}/"]


def test_operator_of_the_provider_sees_the_configuration(person: Screen, stage: PeopleStage) -> None:
    stage.admit(OPERATORS)
    page = person.open("configuration", signed_in=False)
    sign_in(page)
    expect_signed_in(page)

    expect(page.get_by_role("heading", name="Configuration").first).to_be_visible()
    person.settle()
    assert set(me(stage, token_of(page)).json()["roles"]) == {"operator"}


def test_expired_token_is_refused_by_the_api_and_renewed(person: Screen, stage: PeopleStage) -> None:
    person.watch.tolerate("the server responded with a status of 403")
    page = person.open("chat", signed_in=False)
    sign_in(page)
    expect_signed_in(page)
    refreshes = stage.issuer.flow.refreshes
    expired = stage.token(STAFF, exp=int(time.time()) - EXPIRED_SECONDS)
    assert_rejected(me(stage, expired))

    keep_expired(page, expired)
    page.reload()

    expect_signed_in(page)
    page.wait_for_function("([key, token]) => sessionStorage[key] !== token", arg=[TOKEN_KEY, expired])
    assert stage.issuer.flow.refreshes == refreshes + 1
    send_message(page, SUM)
    expect(page.get_by_role("article").first).to_contain_text("6.75")


def test_chat_goes_on_after_an_ended_sign_in_and_another_one(person: Screen, stage: PeopleStage) -> None:
    person.watch.tolerate("the server responded with a status of 40")
    page = person.open("chat", signed_in=False)
    sign_in(page)
    expect_signed_in(page)
    keep_expired(page, stage.token(STAFF, exp=int(time.time()) - EXPIRED_SECONDS))
    stage.issuer.flow.end_sign_ins()
    page.reload()

    dialog = page.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_contain_text(f"Your sign-in at {NAME} has ended.")
    assert token_of(page) == ""
    sign_in(page)
    expect_signed_in(page)
    send_message(page, SUM)
    expect(page.get_by_role("article").first).to_contain_text("6.75")


def test_person_without_a_role_has_no_access(person: Screen, stage: PeopleStage) -> None:
    person.watch.tolerate("the server responded with a status of 403")
    stage.admit("guests")
    page = person.open("chat", signed_in=False)
    sign_in(page)

    expect(page.get_by_role("alert")).to_contain_text("you have no access to this service")
    assert token_of(page) == ""


def test_api_accepts_the_tokens_of_people_by_their_claims(stage: PeopleStage) -> None:
    expiry = int(time.time()) + 240
    accepted = me(stage, stage.token(STAFF, exp=expiry))
    body = accepted.json()
    assert (accepted.status_code, body["name"], body["roles"]) == (200, "Ada Lovelace", ["user"])
    assert body["principal"].startswith("oidc_")
    assert datetime.fromisoformat(body["expires_at"]) == datetime.fromtimestamp(expiry, UTC)
    assert me(stage, stage.token(STAFF, sub="grace")).json()["principal"] != body["principal"]

    for refused in (
        stage.token(STAFF, aud="another"),
        stage.token(STAFF, iss="https://login.example.com"),
        stage.token(STAFF, key=OTHER_KEY),
        unsigned(
            {"alg": "none", "typ": "JWT"}, {"iss": stage.issuer.url, "aud": AUDIENCE, "sub": "ada", "exp": expiry}
        ),
    ):
        assert_rejected(me(stage, refused))
    without_role = me(stage, stage.token("guests"))
    assert (without_role.status_code, without_role.json()["error"]) == (403, "forbidden")
    assert "x-amzn-errortype" not in without_role.headers


def test_person_signs_in_chats_and_signs_out_in_firefox(stage: PeopleStage, layout: Layout, shots: Path) -> None:
    firefox = find_firefox()
    if firefox is None:
        pytest.skip("no Firefox: apt-get install firefox-esr, or FIREFOX=/path/to/firefox")
    stage.admit(STAFF)
    flow = stage.issuer.flow
    refreshes = flow.refreshes
    expired = stage.token(STAFF, exp=int(time.time()) - EXPIRED_SECONDS)

    done = subprocess.run(  # noqa: S603 - the browser of this machine
        [layout.root / ".venv" / "bin" / "node", FIREFOX, firefox, stage.url, NAME, expired, shots],
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        check=False,
    )

    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert [step["step"] for step in steps] == ["signed in", "answered", "account", "renewed", "signed out"]
    account = next(step["text"] for step in steps if step["step"] == "account")
    assert re.search(rf"Role\s+user\s+Signed in with\s+{NAME}\s+Expiry\s+expires in \d+ minutes", account), account
    assert flow.refreshes == refreshes + 1
