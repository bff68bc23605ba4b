"""Retrieval: searching collections, navigation, errors and layout."""

import httpx2
import pytest
from playwright.sync_api import expect

from tests.browser.retrieval_page import (
    LIST,
    OWN,
    QUERIES,
    QUERY_PATH,
    QUESTION,
    REFUSED,
    answer,
    number,
    params,
    query,
    rows,
    verdict,
)
from tests.browser.screen import Screen, Theme
from tests.e2e.commands import flexchat


def class_of(distance: float, *, match: float, partial: float) -> str:
    if distance < match:
        return "match"
    return "partial" if distance < partial else "none"


@pytest.mark.usefixtures("collection")
def test_collection_is_searched_with_the_keyboard(screen: Screen, service: httpx2.Client) -> None:
    known = answer(service, top_k=2)
    page = screen.open("retrieval")
    page.get_by_role("radio", name="Refunds & deliveries").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("heading", name="Test a collection")).to_be_visible()
    page.keyboard.press("/")
    expect(query(page)).to_be_focused()
    page.keyboard.type(QUESTION)
    passages = page.get_by_label("Passages", exact=True)
    for _ in range(3):
        if passages.evaluate("(field) => field === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(passages).to_be_focused()
    page.keyboard.type("2")

    page.keyboard.press("Control+Enter")

    expect(rows(page)).to_have_count(2)
    expect(passages).to_be_focused()
    for rank, (hit, row) in enumerate(zip(known["hits"], rows(page).all(), strict=True), start=1):
        name = class_of(hit["distance"], match=0.5, partial=0.8)
        assert row.get_by_role("cell").all_inner_texts()[0] == str(rank)
        expect(row).to_contain_text(f"{hit['distance']:.3f}")
        expect(row).to_contain_text(name)
        expect(row).to_contain_text(hit["source"])
    expect(verdict(page)).to_contain_text(known["result"])
    assert params(page) == {"collection": OWN, "query": QUESTION, "top_k": "2"}
    expect(page.get_by_role("region", name="Results").get_by_role("link")).to_have_count(0)


@pytest.mark.usefixtures("collection")
def test_full_text_of_a_passage_is_shown_and_hidden(screen: Screen) -> None:
    page = screen.open(QUERY_PATH)
    first = rows(page).filter(has_text="javascript:refunds").first
    opener = first.get_by_role("button", expanded=False)
    opener.press("Enter")

    whole = first.get_by_role("region", name="Text of Refunds")
    expect(whole).to_contain_text("A refund takes five days. " * 5)
    closer = first.get_by_role("button", expanded=True)
    expect(closer).to_be_focused()
    closer.press("Enter")
    expect(whole).to_have_count(0)


@pytest.mark.usefixtures("collection")
def test_reload_keeps_the_search_and_back_restores_the_previous_one(screen: Screen) -> None:
    page = screen.open(f"{QUERY_PATH}&top_k=2&match=0.41&partial=0.83")
    expect(rows(page)).to_have_count(2)
    query(page).fill("parcels")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("Query: “parcels”")).to_be_visible()
    first = rows(page).first.inner_text()

    page.reload()

    expect(query(page)).to_have_value("parcels")
    expect(page.get_by_role("radio", name="Refunds & deliveries")).to_be_checked()
    expect(rows(page).first).to_have_text(first, use_inner_text=True)
    expect(number(page, "Match")).to_have_value("0.41")
    expect(page.get_by_label("Passages", exact=True)).to_have_value("2")
    page.go_back()
    expect(query(page)).to_have_value(QUESTION)
    expect(page.get_by_text(f"Query: “{QUESTION}”")).to_be_visible()


@pytest.mark.usefixtures("collection")
def test_another_collection_is_searched_with_its_own_thresholds(screen: Screen) -> None:
    page = screen.open(f"{QUERY_PATH}&match=0.41&partial=0.83")
    expect(rows(page)).to_have_count(3)
    query(page).fill("Not asked yet")

    page.get_by_role("radio", name="Flexchat's documentation").check()

    expect(rows(page)).to_have_count(5)
    expect(number(page, "Partial")).not_to_have_value("0.83")
    expect(query(page)).to_have_value("Not asked yet")
    assert params(page) == {"collection": "flexchat-docs", "query": QUESTION}
    page.go_back()
    expect(number(page, "Partial")).to_have_value("0.83")
    expect(rows(page)).to_have_count(3)


@pytest.mark.usefixtures("collection")
def test_search_is_cancelled_and_repeated(screen: Screen) -> None:
    page = screen.open("retrieval?collection=page-test")
    held = screen.hold(QUERIES)
    query(page).fill(QUESTION)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status").filter(has_text="searching")).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_text("Search cancelled.")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    held.lift()
    page.get_by_role("button", name="Search").click()
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_text("Search cancelled.")).to_have_count(0)


@pytest.mark.usefixtures("collection")
def test_failed_search_keeps_the_query_and_can_be_retried(screen: Screen) -> None:
    failing = screen.route_fail(QUERIES, status=503, body=REFUSED)
    page = screen.open("retrieval?collection=page-test")
    query(page).fill(QUESTION)
    page.keyboard.press("Control+Enter")

    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("The index cannot be read.")
    expect(problem).to_contain_text("r-1")
    expect(query(page)).to_have_value(QUESTION)
    failing.lift()
    problem.get_by_role("button", name="Try again").click()
    expect(rows(page)).to_have_count(3)
    expect(problem).to_have_count(0)


@pytest.mark.usefixtures("collection")
def test_search_works_while_collections_cannot_be_listed(screen: Screen) -> None:
    down = screen.route_fail(LIST)

    page = screen.open(QUERY_PATH)

    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    expect(rows(page)).to_have_count(3)
    expect(verdict(page)).to_be_visible()
    down.lift()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("radio", name="Refunds & deliveries")).to_be_checked()


def test_missing_collection_is_named_in_the_error(screen: Screen) -> None:
    screen.expects("the server responded with a status of 404")
    page = screen.open("retrieval?collection=page-tset&query=refund")

    expect(page.get_by_role("alert")).to_contain_text("page-tset")
    expect(query(page)).to_have_value("refund")


def test_empty_view_shows_the_commands_to_create_a_collection(screen: Screen) -> None:
    screen.answer(LIST, {"collections": []})
    page = screen.open("retrieval?query=refund")

    expect(page.get_by_role("heading", name="No collections")).to_be_visible()
    shown = page.locator("pre").inner_text()
    commands = [command.split() for command in shown.split("&&")]
    assert [command[:3] for command in commands] == [
        ["flexchat", "collections", "create"],
        ["flexchat", "collections", "add"],
    ]
    for command in commands:
        assert command[-2:] == ["--stage", "local"]
        assert "--stage" in flexchat(*command[1:3], "--help")
    expect(query(page)).to_have_count(0)
    screen.axe()
    screen.shoot("retrieval-empty")


@pytest.mark.usefixtures("collection")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_results_fit_the_screen_and_are_accessible(screen: Screen, width: int, theme: Theme) -> None:
    page = screen.open(f"{QUERY_PATH}&match=0.62&partial=0.9", width=width, theme=theme)
    expect(rows(page)).to_have_count(3)
    screen.shoot("retrieval")
    rows(page).first.get_by_role("button", expanded=False).click()
    screen.shoot("retrieval-unfolded")
    screen.axe()

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
