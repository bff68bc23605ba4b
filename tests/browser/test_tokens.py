"""API tokens in the page: list, create, limit, revoke, and views on demand."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from flexchat.messages import Json
from flexchat.tokens import Role, TokenRecord, issue
from tests.browser.configuration_stub import TOKENS, ConfigurationStub
from tests.browser.layout import document_width, small_targets
from tests.browser.screen import Screen, Theme
from tests.browser.trace_pages import PRINCIPAL, StubApi
from tests.functional.configuration.harness import source

VIEW = "configuration?mode=tokens"


def record(name: str, *roles: Role, days: int = 90, **changes: Any) -> TokenRecord:
    created = issue(name=name, roles=roles, lifetime=timedelta(days=days), now=datetime.now(UTC)).record
    values = {field: changes.get(field, getattr(created, field)) for field in created.__struct_fields__}
    return TokenRecord(**values)


def stage_of(api: StubApi, **options: bool) -> ConfigurationStub:
    stub = ConfigurationStub(**options)
    stub.records.records = [
        record("Ada's laptop", "user", id="abcdefghjk", created_by="grace (token k3m9x2p7qd)"),
        record("Support desk", "user", "service", days=5),
        record("ops", "operator", id=PRINCIPAL),
        record("An application with a name that is as long as names may be here.", "user"),
    ]
    limits: Any = {
        "caller": {"requests_per_minute": 20},
        "principals": {"abcdefghjk": {"tokens_per_day": 5_000, "requests_per_minute": None}},
    }
    stub.push(source(limits=limits), "limits")
    stub.install(api)
    return stub


@pytest.fixture
def stage(api: StubApi) -> ConfigurationStub:
    """A stage with four tokens, one of which is that of the page."""
    return stage_of(api)


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has_text=name)


@pytest.mark.parametrize("width", [1280, 390])
def test_tokens_are_listed_with_states_and_limits_in_words(
    stubbed: Screen, stage: ConfigurationStub, width: int
) -> None:
    page = stubbed.open(VIEW, width=width)

    ada = row(page, "Ada's laptop")
    expect(ada).to_contain_text("live")
    expect(ada).to_contain_text(re.compile(r"expires in \d+ days"))
    expect(ada).to_contain_text("no limit of requests a minute own")
    expect(ada).to_contain_text("5,000 tokens a day own")
    expect(ada).to_contain_text("by grace (token k3m9x2p7qd)")
    expect(ada).to_contain_text(re.compile(r"fc_abcdefghjk_…\w{4}|fc_abcdefghjk_…"))
    expect(row(page, "Support desk")).to_contain_text(re.compile("expires soon.*in [45] days.*20 requests a minute"))
    expect(row(page, "ops")).to_contain_text("this page")
    page.get_by_label("Filter by name or id").fill("abcdefg")
    expect(page.get_by_role("row")).to_have_count(2)
    expect(page).to_have_url(re.compile("filter=abcdefg"))
    page.get_by_label("Filter by name or id").fill("nobody")
    expect(page.get_by_text("No token matches “nobody”.")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_view_and_dialogs_are_accessible_and_fit(
    stubbed: Screen, stage: ConfigurationStub, width: int, theme: Theme
) -> None:
    page = stubbed.open(VIEW, width=width, theme=theme)
    expect(row(page, "ops")).to_be_visible()
    stubbed.shoot("tokens")
    stubbed.axe()
    assert document_width(page) <= width
    if width < 800:
        assert small_targets(page) == []

    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_role("dialog")).to_contain_text("Expires on")
    stubbed.shoot("tokens-create", whole=False)
    stubbed.axe(within="dialog[open]")
    page.get_by_label("Name", exact=True).fill("New")
    page.get_by_role("dialog").get_by_role("button", name="Create token").click()
    expect(page.get_by_label("Token", exact=True)).to_be_focused()
    stubbed.shoot("tokens-created", whole=False)
    stubbed.axe(within="dialog[open]")
    page.get_by_role("button", name="I have stored it").click()

    page.get_by_role("button", name="Set limits of Ada's laptop").click()
    expect(page.get_by_label("Most tokens a day")).to_have_value("5000")
    stubbed.shoot("tokens-limits", whole=False)
    stubbed.axe(within="dialog[open]")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()

    page.get_by_role("button", name="Revoke ops").click()
    expect(page.get_by_role("dialog")).to_contain_text("you are signed out here")
    stubbed.shoot("tokens-revoke", whole=False)
    stubbed.axe(within="dialog[open]")


def test_a_token_is_created_by_keyboard_alone_and_shown_once(
    stubbed: Screen, stage: ConfigurationStub, api: StubApi
) -> None:
    page = stubbed.open(VIEW)
    expect(row(page, "ops")).to_be_visible()

    page.get_by_role("button", name="Create token").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("Build server")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # user off
    expect(page.get_by_text("Choose at least one role.")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # service, which needs user
    expect(page.get_by_role("checkbox", name="user:")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("30")
    expected = datetime.now() + timedelta(days=30)  # noqa: DTZ005  # the date of the browser
    expect(page.get_by_role("dialog")).to_contain_text(f"Expires on {expected.day} {expected:%b %Y}")
    page.keyboard.press("Enter")

    field = page.get_by_label("Token", exact=True)
    expect(field).to_be_focused()
    token = field.input_value()
    created = stage.records.records[0]
    assert token.startswith(f"fc_{created.id}_")
    assert (created.name, created.roles) == ("Build server", ("user", "service"))
    page.keyboard.press("Escape")  # does not close it
    expect(field).to_be_visible()
    page.get_by_role("button", name="Copy token").click()
    expect(page.get_by_text("copied ✓")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == token
    page.get_by_role("button", name="I have stored it").press("Enter")

    expect(row(page, "Build server")).to_contain_text("user, service")
    assert token not in page.content()
    stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, location.href])")
    assert token.split("_", 2)[2] not in stored
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_label("Token", exact=True)).to_have_count(0)
    assert len(api.sent(f"POST {TOKENS}")) == 1


def test_a_second_click_creates_no_second_token(stubbed: Screen, stage: ConfigurationStub, api: StubApi) -> None:
    page = stubbed.open(VIEW)
    page.get_by_role("button", name="Create token").click()
    page.get_by_label("Name", exact=True).fill("Build server")

    page.get_by_role("dialog").get_by_role("button", name="Create token").dblclick()

    expect(page.get_by_label("Token", exact=True)).to_be_visible()
    assert len(api.sent(f"POST {TOKENS}")) == 1


def test_a_failed_creation_says_that_the_token_may_exist(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(VIEW)
    page.get_by_role("button", name="Create token").click()
    page.get_by_label("Name", exact=True).fill("Build server")
    error: Json = {"error": "unavailable", "message": "the table does not answer", "request_id": "r-7"}
    stubbed.answer(f"**{TOKENS}", error, status=503)

    page.get_by_role("dialog").get_by_role("button", name="Create token").click()

    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("It may have been created all the same.")
    expect(dialog).to_contain_text("r-7")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Build server")


def test_a_token_is_revoked_after_a_confirmation_that_names_it(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(VIEW)

    page.get_by_role("button", name="Revoke Ada's laptop").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Revoke “Ada's laptop”?")
    expect(dialog).not_to_contain_text("signed out")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert len(stage.records.records) == 4
    page.get_by_role("button", name="Revoke Ada's laptop").click()
    dialog.get_by_role("button", name="Revoke token").click()

    notice = page.get_by_text("The token “Ada's laptop” is revoked. The API refuses it within a minute.")
    expect(notice).to_be_visible()
    expect(page.locator(":focus")).to_contain_text("is revoked")
    expect(row(page, "Ada's laptop")).to_have_count(0)


def test_a_token_that_another_operator_revoked_is_not_found(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(VIEW)
    page.get_by_role("button", name="Revoke Ada's laptop").click()
    stage.records.revoke("abcdefghjk")
    stubbed.watch.tolerate("the server responded with a status of 404")

    page.get_by_role("dialog").get_by_role("button", name="Revoke token").click()

    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Token not found")


def test_revoking_the_token_of_the_page_signs_out(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(VIEW)

    page.get_by_role("button", name="Revoke ops").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke token").click()

    expect(page.get_by_role("dialog")).to_contain_text("You revoked this token.")
    assert page.evaluate("sessionStorage.getItem('flexchat.token')") is None


def test_limits_become_a_change_of_the_draft_that_is_published(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(VIEW)

    page.get_by_role("button", name="Set limits of Ada's laptop").click()
    expect(page.get_by_label("Requests a minute")).to_have_value("none")
    page.get_by_label("Requests a minute").select_option("Inherited: 20 requests a minute")
    page.get_by_label("Tool calls a minute").select_option("At most …")
    page.get_by_label("Most tool calls a minute").fill("7")
    page.get_by_role("button", name="Add to the draft").click()

    expect(page).to_have_url(re.compile("mode=edit.*token_limits"))
    entry = page.get_by_label("Whole entry as JSON")
    expect(entry).to_have_value(re.compile("tool_calls_per_minute"))
    assert json.loads(entry.input_value()) == {"tokens_per_day": 5_000, "tool_calls_per_minute": 7}
    expect(page.get_by_text("1 change, no problems")).to_be_visible()
    page.get_by_role("tab", name="Changes").click()
    expect(page.locator("ins")).to_contain_text(re.compile('"tool_calls_per_minute": 7'))
    stubbed.shoot("tokens-limits-changes")
    page.get_by_label("Comment").fill("a limit for Ada")
    page.get_by_role("button", name="Publish").click()

    expect(page.get_by_text("is published.")).to_be_visible()
    page.get_by_role("button", name="API tokens").click()
    expect(row(page, "Ada's laptop")).to_contain_text("7 tool calls a minute own")
    expect(row(page, "Ada's laptop")).to_contain_text("20 requests a minute")


def test_the_last_own_limit_is_removed_with_its_entry(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(VIEW)
    page.get_by_role("button", name="Set limits of Ada's laptop").click()
    page.get_by_label("Requests a minute").select_option("inherited")
    page.get_by_label("Tokens a day", exact=True).select_option("inherited")
    page.get_by_role("button", name="Add to the draft").click()
    page.get_by_role("tab", name="Changes").click()
    expect(page.locator(".conf-changes")).to_contain_text("removed")
    page.get_by_role("button", name="Publish").click()

    expect(page.get_by_text("is published.")).to_be_visible()
    assert "principals" not in stage.newest().configuration()["limits"]  # type: ignore[operator]


def test_a_stage_without_management_lists_tokens_and_names_the_command(stubbed: Screen, api: StubApi) -> None:
    stage_of(api, managed=False, editing=False)
    page = stubbed.open(VIEW)

    expect(page.get_by_text("TokenManagement=on")).to_be_visible()
    expect(row(page, "ops")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Create token|Revoke"))).to_have_count(0)
    page.get_by_role("button", name="Set limits of ops").click()
    expect(page.get_by_role("dialog")).to_contain_text("ConfigurationEditing=on")
    expect(page.get_by_role("button", name="Add to the draft")).to_be_disabled()
    stubbed.shoot("tokens-not-managed")


def test_a_stage_without_tokens_says_what_they_are_for(stubbed: Screen, stage: ConfigurationStub) -> None:
    stage.records.records.clear()
    page = stubbed.open(VIEW)

    expect(page.get_by_role("heading", name="No tokens")).to_be_visible()


def test_a_view_that_cannot_be_loaded_says_so_and_is_loaded_again(stubbed: Screen, stage: ConfigurationStub) -> None:
    failing = stubbed.route_fail("**/modules/views*.js")
    page = stubbed.open(VIEW)

    expect(page.get_by_role("heading", name="View not loaded")).to_be_visible()
    expect(page.get_by_role("button", name="Reload page")).to_be_visible()
    stubbed.shoot("view-not-loaded")
    stubbed.axe()
    failing.lift()
    page.get_by_role("button", name="Reload page").click()
    expect(row(page, "ops")).to_be_visible()


def test_the_chat_loads_no_other_view_until_the_navigation_is_used(stubbed: Screen, api: StubApi) -> None:
    api.set("GET /api/collections", {"collections": []})
    api.set("GET /api/sessions", {"sessions": [], "cursor": None})
    requested: list[str] = []
    stubbed.page.on("request", lambda request: requested.append(request.url))
    page = stubbed.open("chat")
    expect(page.get_by_role("link", name="Usage")).to_be_visible()
    assert not [url for url in requested if "/modules/" in url]

    page.get_by_role("link", name="Usage").hover()
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some(({name}) => name.includes('/modules/views'))"
    )


def test_a_token_is_created_used_and_revoked_in_the_page_of_a_stack(screen: Screen) -> None:
    page = screen.open(VIEW)
    page.get_by_role("button", name="Create token").click()
    page.get_by_label("Name", exact=True).fill("browser-created")
    page.get_by_role("dialog").get_by_role("button", name="Create token").click()
    token = page.get_by_label("Token", exact=True).input_value()
    page.get_by_role("button", name="I have stored it").click()
    token_id = token.split("_")[1]
    expect(row(page, token_id)).to_contain_text("browser-created")

    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=screen.url, headers=headers, timeout=60, trust_env=False) as client:
        me = client.get("/api/me").raise_for_status().json()
        assert (me["principal"], me["name"], me["roles"]) == (token_id, "browser-created", ["user"])
        assert client.get("/api/tokens").status_code == 403
        assert client.get("/v1/models").status_code == 200

        page.get_by_role("button", name=f"Revoke browser-created, {token_id}").click()
        page.get_by_role("dialog").get_by_role("button", name="Revoke token").click()
        expect(page.get_by_text("The token “browser-created” is revoked.")).to_be_visible()
        # The other routes accept it for up to a minute, from the cache of the API.
        assert client.get("/v1/models").status_code == 401
