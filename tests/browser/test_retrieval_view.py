"""Retrieval: a question put to a collection, thresholds moved and kept, and what keeps an answer from coming."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from cli.local_stack import StackState
from flexchat.messages import Json
from tests.browser.screen import Screen, Theme
from tests.e2e.commands import flexchat

OWN = "page-test"
METADATA: dict[str, Json] = {
    "display_name": "Refunds & deliveries",
    "description": "What a shop says of both",
    "match_threshold": 0.5,
    "partial_threshold": 0.8,
    "embedding_model": "lexical",
    "title_field": "headline",
    "source_field": "file",
}
DOCUMENTS: list[dict[str, Json]] = [
    {"id": "refunds", "title": "Refunds", "source": "javascript:refunds", "text": "A refund takes five days. " * 40},
    {
        "id": "delivery",
        "title": "Delivery",
        "source": "delivery.md",
        "text": "Parcels leave on the day of the order; a refund has none.",
    },
    {"id": "returns", "title": "Returns", "source": "returns.md", "text": "A parcel that comes back earns a refund."},
]
QUESTION = "How long does a refund take?"
ASKED = f"retrieval?collection={OWN}&query=How+long+does+a+refund+take%3F"
QUERIES = "**/api/collections/*/query"
LIST = "**/api/collections"
REFUSED: Json = {"error": "unavailable", "message": "The index cannot be read.", "request_id": "r-1"}


@pytest.fixture(scope="module")
def service(stack: StackState) -> Iterator[httpx.Client]:
    """The API, as another client of the same token uses it."""
    headers = {"Authorization": f"Bearer {stack.token}"}
    with httpx.Client(base_url=stack.url, headers=headers, timeout=60, trust_env=False) as client:
        yield client


@pytest.fixture(scope="module")
def filled(service: httpx.Client) -> Iterator[None]:
    """A collection of the tests' own with three documents."""
    service.delete(f"/api/collections/{OWN}")  # of a run that was stopped; refused when there is none
    service.post("/api/collections", json={"name": OWN, "metadata": METADATA}).raise_for_status()
    service.post(f"/api/collections/{OWN}/documents", json={"documents": DOCUMENTS}).raise_for_status()
    yield
    service.delete(f"/api/collections/{OWN}").raise_for_status()


@pytest.fixture
def collection(service: httpx.Client, filled: None) -> Iterator[None]:
    """The same, with the metadata that it began with, also afterwards."""
    yield
    service.patch(f"/api/collections/{OWN}", json={"metadata": METADATA}).raise_for_status()


@pytest.fixture
def user_token() -> Iterator[str]:
    """Somebody else's, who is no operator."""
    token = flexchat("tokens", "create", "--stage", "local", "--name", "retrieval-user", "--role", "user").split()[-1]
    yield token
    flexchat("tokens", "revoke", token.split("_")[1], "--stage", "local")


def kept(service: httpx.Client) -> dict[str, Any]:
    return service.get(f"/api/collections/{OWN}").raise_for_status().json()


def answer(service: httpx.Client, top_k: int = 5) -> dict[str, Any]:
    question = {"query": QUESTION, "top_k": top_k}
    return service.post(f"/api/collections/{OWN}/query", json=question).raise_for_status().json()


def query(page: Page) -> Locator:
    return page.get_by_label("Test query")


def threshold(page: Page, which: str) -> Locator:
    return page.get_by_role("slider", name=f"{which} below")


def number(page: Page, which: str) -> Locator:
    return page.get_by_role("spinbutton", name=f"{which} below, as a number")


def rows(page: Page) -> Locator:
    return page.get_by_role("table", name="Passages found").locator("tbody tr")


def verdict(page: Page) -> Locator:
    return page.get_by_role("region", name="What happened").get_by_role("heading", level=2)


def params(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def searches(screen: Screen) -> int:
    return sum(request.url.endswith("/query") for request in screen.watch.requests)


def class_of(distance: float, *, match: float, partial: float) -> str:
    if distance < match:
        return "match"
    return "partial" if distance < partial else "none"


@pytest.mark.usefixtures("collection")
def test_a_question_is_put_to_a_collection_by_keys_alone(screen: Screen, service: httpx.Client) -> None:
    known = answer(service, top_k=2)
    page = screen.open("retrieval")
    page.get_by_role("radio", name="Refunds & deliveries").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("heading", name="How near are the passages?")).to_be_visible()
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
    expect(page.get_by_role("region", name="What happened").get_by_role("link")).to_have_count(0)


@pytest.mark.usefixtures("collection")
def test_thresholds_are_moved_by_keys_and_seen_at_once_without_asking_again(
    screen: Screen, service: httpx.Client
) -> None:
    distances = [hit["distance"] for hit in answer(service)["hits"]]
    page = screen.open(ASKED)
    expect(rows(page)).to_have_count(len(distances))
    asked = searches(screen)

    number(page, "Match").fill("0")
    number(page, "Match").press("Enter")
    number(page, "Partial").fill("0")
    number(page, "Partial").press("Tab")
    expect(verdict(page)).to_contain_text("none")
    expect(page.get_by_text("By the collection's own thresholds it is")).to_be_visible()
    threshold(page, "Match").press("End")

    expect(verdict(page)).to_contain_text("match")
    expect(rows(page).filter(has_text="match")).to_have_count(len(distances))
    threshold(page, "Match").press("ArrowLeft")
    match = float(number(page, "Match").input_value())
    assert match == pytest.approx(float(number(page, "Partial").input_value()) - 0.001)
    page.wait_for_url(re.compile(rf"[?&]match={match}&"))
    page.get_by_role("button", name="Back to the collection's").click()
    expect(number(page, "Match")).to_have_value("0.5")
    expect(number(page, "Partial")).to_have_value("0.8")
    page.wait_for_url(re.compile(r"^(?!.*match=)"))
    assert searches(screen) == asked


@pytest.mark.usefixtures("collection")
def test_partial_is_never_below_match_whichever_is_moved(screen: Screen) -> None:
    page = screen.open(ASKED)
    expect(verdict(page)).to_be_visible()

    number(page, "Partial").fill("0.3")
    number(page, "Partial").press("Enter")
    expect(number(page, "Match")).to_have_value("0.3")
    number(page, "Match").fill("0.9")
    number(page, "Match").press("Enter")
    expect(number(page, "Partial")).to_have_value("0.9")
    threshold(page, "Partial").press("Home")
    expect(number(page, "Match")).to_have_value(number(page, "Partial").input_value())

    number(page, "Match").fill("2.5")
    number(page, "Match").press("Enter")
    expect(number(page, "Match")).to_have_value(number(page, "Partial").input_value())


@pytest.mark.usefixtures("collection")
def test_number_being_typed_survives_a_render(screen: Screen) -> None:
    page = screen.open(ASKED)
    expect(verdict(page)).to_be_visible()

    number(page, "Partial").fill("0.3")
    threshold(page, "Match").evaluate(
        "slider => { slider.value = 0.45; slider.dispatchEvent(new Event('input', { bubbles: true })) }"
    )
    expect(number(page, "Match")).to_have_value("0.45")
    expect(number(page, "Partial")).to_have_value("0.3")
    number(page, "Partial").press("Enter")

    expect(number(page, "Match")).to_have_value("0.3")
    screen.open(f"{ASKED}&match=0.6&partial=0.4")
    expect(number(page, "Partial")).to_have_value("0.6")


@pytest.mark.usefixtures("collection")
def test_what_is_kept_is_the_collections_and_leaves_the_rest_of_it_alone(screen: Screen, service: httpx.Client) -> None:
    before = kept(service)
    page = screen.open(f"{ASKED}&match=0.41&partial=0.83")
    expect(verdict(page)).to_be_visible()
    expect(page.get_by_text("match < 0.500, partial < 0.800: set by an operator")).to_be_visible()

    page.get_by_role("button", name="Keep these").click()

    expect(page.get_by_text("kept ✓")).to_be_visible()
    expect(page.get_by_text("match < 0.410, partial < 0.830: set by an operator")).to_be_visible()
    expect(page.get_by_role("button", name="Keep these")).to_be_disabled()
    changed = kept(service)
    own = {**before["metadata"], "match_threshold": 0.41, "partial_threshold": 0.83}
    assert changed == {**before, "metadata": own, "updated_at": changed["updated_at"]}
    assert answer(service)["thresholds"] == {"match": 0.41, "partial": 0.83}

    page.get_by_role("button", name="Have them told from the passages").click()
    expect(page.get_by_text("told from its passages")).to_be_visible()
    expect(page.get_by_role("button", name="Have them told from the passages")).to_have_count(0)
    told = kept(service)
    assert told["calibrated_passages"] == before["passages"]
    expect(number(page, "Match")).to_have_value(f"{told['metadata']['match_threshold']:g}")


@pytest.mark.usefixtures("collection")
def test_a_token_that_may_not_keep_thresholds_moves_them_and_is_offered_no_more(
    screen: Screen, user_token: str
) -> None:
    page = screen.open(f"{ASKED}&match=0.41&partial=0.83", signed_in=False)
    screen.sign_in(user_token)
    expect(verdict(page)).to_be_visible()

    expect(page.get_by_role("button", name="Copy as configuration")).to_be_visible()
    expect(page.get_by_role("button", name="Keep these")).to_have_count(0)
    expect(number(page, "Match")).to_have_value("0.41")
    expect(rows(page).first).to_be_visible()


@pytest.mark.usefixtures("collection")
def test_thresholds_are_copied_as_an_entry_of_the_configuration(screen: Screen) -> None:
    page = screen.open(f"{ASKED}&match=0.41&partial=0.83")

    page.get_by_role("button", name="Copy as configuration").click()

    expect(page.get_by_text("copied ✓")).to_be_visible()
    copied = json.loads(page.evaluate("() => navigator.clipboard.readText()"))
    assert copied == {
        "rag_services": {
            "docs": {"type": "internal", "collections": [OWN], "match_threshold": 0.41, "partial_threshold": 0.83}
        }
    }


@pytest.mark.usefixtures("collection")
def test_a_text_is_unfolded_as_it_is_and_folded_again(screen: Screen) -> None:
    page = screen.open(ASKED)
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
def test_a_reload_shows_the_same_and_going_back_the_question_before(screen: Screen) -> None:
    page = screen.open(f"{ASKED}&top_k=2&match=0.41&partial=0.83")
    expect(rows(page)).to_have_count(2)
    query(page).fill("parcels")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("asked: “parcels”")).to_be_visible()
    first = rows(page).first.inner_text()

    page.reload()

    expect(query(page)).to_have_value("parcels")
    expect(page.get_by_role("radio", name="Refunds & deliveries")).to_be_checked()
    expect(rows(page).first).to_have_text(first, use_inner_text=True)
    expect(number(page, "Match")).to_have_value("0.41")
    expect(page.get_by_label("Passages", exact=True)).to_have_value("2")
    page.go_back()
    expect(query(page)).to_have_value(QUESTION)
    expect(page.get_by_text(f"asked: “{QUESTION}”")).to_be_visible()


@pytest.mark.usefixtures("collection")
def test_another_collection_is_asked_the_same_and_judged_by_thresholds_of_its_own(screen: Screen) -> None:
    page = screen.open(f"{ASKED}&match=0.41&partial=0.83")
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
def test_a_search_is_cancelled_and_made_after_all(screen: Screen) -> None:
    page = screen.open("retrieval?collection=page-test")
    held = screen.hold(QUERIES)
    query(page).fill(QUESTION)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status").filter(has_text="searching")).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_text("The search was cancelled.")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    held.lift()
    page.get_by_role("button", name="Search").click()
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_text("The search was cancelled.")).to_have_count(0)


@pytest.mark.usefixtures("collection")
def test_a_failed_search_says_why_keeps_the_question_and_is_tried_again(screen: Screen) -> None:
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
def test_collections_that_cannot_be_listed_can_still_be_searched(screen: Screen) -> None:
    down = screen.route_fail(LIST)

    page = screen.open(ASKED)

    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    expect(rows(page)).to_have_count(3)
    expect(verdict(page)).to_be_visible()
    down.lift()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("radio", name="Refunds & deliveries")).to_be_checked()


def test_a_collection_that_is_gone_is_named(screen: Screen) -> None:
    screen.expects("the server responded with a status of 404")
    page = screen.open("retrieval?collection=page-tset&query=refund")

    expect(page.get_by_role("alert")).to_contain_text("page-tset")
    expect(query(page)).to_have_value("refund")


def test_without_collections_the_command_that_makes_one_is_told(screen: Screen) -> None:
    screen.answer(LIST, {"collections": []})
    page = screen.open("retrieval?query=refund")

    expect(page.get_by_role("heading", name="No collection yet")).to_be_visible()
    told = page.locator("pre").inner_text()
    commands = [command.split() for command in told.split("&&")]
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
def test_what_was_found_fits_the_screen_and_keeps_nobody_out(screen: Screen, width: int, theme: Theme) -> None:
    page = screen.open(f"{ASKED}&match=0.62&partial=0.9", width=width, theme=theme)
    expect(rows(page)).to_have_count(3)
    screen.shoot("retrieval")
    rows(page).first.get_by_role("button", expanded=False).click()
    screen.shoot("retrieval-unfolded")
    screen.axe()

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
