"""Retrieval: adjusting, saving and copying thresholds."""

import json
import re
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.retrieval_page import OWN, QUERY_PATH, answer, number, rows, verdict
from tests.browser.screen import Screen


def stored_collection(service: httpx2.Client) -> dict[str, Any]:
    return service.get(f"/api/collections/{OWN}").raise_for_status().json()


def threshold(page: Page, which: str) -> Locator:
    return page.get_by_role("slider", name=f"{which} below")


def searches(screen: Screen) -> int:
    return sum(request.url.endswith("/query") for request in screen.watch.requests)


@pytest.mark.usefixtures("collection")
def test_adjusted_thresholds_apply_without_another_search(screen: Screen, service: httpx2.Client) -> None:
    distances = [hit["distance"] for hit in answer(service)["hits"]]
    page = screen.open(QUERY_PATH)
    expect(rows(page)).to_have_count(len(distances))
    searches_before = searches(screen)

    number(page, "Match").fill("0")
    number(page, "Match").press("Enter")
    number(page, "Partial").fill("0")
    number(page, "Partial").press("Tab")
    expect(verdict(page)).to_contain_text("none")
    expect(page.get_by_text("With the collection's saved thresholds:")).to_be_visible()
    threshold(page, "Match").press("End")

    expect(verdict(page)).to_contain_text("match")
    expect(rows(page).filter(has_text="match")).to_have_count(len(distances))
    threshold(page, "Match").press("ArrowLeft")
    match = float(number(page, "Match").input_value())
    assert match == pytest.approx(float(number(page, "Partial").input_value()) - 0.001)
    page.wait_for_url(re.compile(rf"[?&]match={match}&"))
    page.get_by_role("button", name="Reset thresholds").click()
    expect(number(page, "Match")).to_have_value("0.5")
    expect(number(page, "Partial")).to_have_value("0.8")
    page.wait_for_url(re.compile(r"^(?!.*match=)"))
    assert searches(screen) == searches_before


@pytest.mark.usefixtures("collection")
def test_partial_is_never_below_match(screen: Screen) -> None:
    page = screen.open(QUERY_PATH)
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
def test_partly_typed_number_survives_a_render(screen: Screen) -> None:
    page = screen.open(QUERY_PATH)
    expect(verdict(page)).to_be_visible()

    number(page, "Partial").fill("0.3")
    threshold(page, "Match").evaluate(
        "slider => { slider.value = 0.45; slider.dispatchEvent(new Event('input', { bubbles: true })) }"
    )
    expect(number(page, "Match")).to_have_value("0.45")
    expect(number(page, "Partial")).to_have_value("0.3")
    number(page, "Partial").press("Enter")

    expect(number(page, "Match")).to_have_value("0.3")
    screen.open(f"{QUERY_PATH}&match=0.6&partial=0.4")
    expect(number(page, "Partial")).to_have_value("0.6")


@pytest.mark.usefixtures("collection")
def test_saved_thresholds_change_no_other_metadata_and_can_be_recalibrated(
    screen: Screen, service: httpx2.Client
) -> None:
    before = stored_collection(service)
    page = screen.open(f"{QUERY_PATH}&match=0.41&partial=0.83")
    expect(verdict(page)).to_be_visible()
    expect(page.get_by_text("match < 0.500, partial < 0.800: set by an operator")).to_be_visible()

    page.get_by_role("button", name="Save thresholds").click()

    expect(page.get_by_text("saved ✓")).to_be_visible()
    expect(page.get_by_text("match < 0.410, partial < 0.830: set by an operator")).to_be_visible()
    expect(page.get_by_role("button", name="Save thresholds")).to_be_disabled()
    changed = stored_collection(service)
    own = {**before["metadata"], "match_threshold": 0.41, "partial_threshold": 0.83}
    assert changed == {**before, "metadata": own, "updated_at": changed["updated_at"]}
    assert answer(service)["thresholds"] == {"match": 0.41, "partial": 0.83}

    page.get_by_role("button", name="Recalibrate thresholds").click()
    expect(page.get_by_text("calibrated from passages")).to_be_visible()
    expect(page.get_by_role("button", name="Recalibrate thresholds")).to_have_count(0)
    recalibrated = stored_collection(service)
    assert recalibrated["calibrated_passages"] == before["passages"]
    expect(number(page, "Match")).to_have_value(f"{recalibrated['metadata']['match_threshold']:g}")


@pytest.mark.usefixtures("collection")
def test_user_can_adjust_but_not_save_thresholds(screen: Screen, user_token: str) -> None:
    page = screen.open(f"{QUERY_PATH}&match=0.41&partial=0.83", signed_in=False)
    screen.sign_in(user_token)
    expect(verdict(page)).to_be_visible()

    expect(page.get_by_role("button", name="Copy as configuration")).to_be_visible()
    expect(page.get_by_role("button", name="Save thresholds")).to_have_count(0)
    expect(number(page, "Match")).to_have_value("0.41")
    expect(rows(page).first).to_be_visible()


@pytest.mark.usefixtures("collection")
def test_thresholds_are_copied_as_configuration(screen: Screen) -> None:
    page = screen.open(f"{QUERY_PATH}&match=0.41&partial=0.83")

    page.get_by_role("button", name="Copy as configuration").click()

    expect(page.get_by_text("copied ✓")).to_be_visible()
    copied = json.loads(page.evaluate("() => navigator.clipboard.readText()"))
    assert copied == {
        "rag_services": {
            "docs": {"type": "internal", "collections": [OWN], "match_threshold": 0.41, "partial_threshold": 0.83}
        }
    }
