"""Helpers of the retrieval tests: a collection and locators."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from playwright.sync_api import Locator, Page

from flexchat.messages import Json

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


QUERY_PATH = f"retrieval?collection={OWN}&query=How+long+does+a+refund+take%3F"


QUERIES = "**/api/collections/*/query"


LIST = "**/api/collections"


REFUSED: Json = {"error": "unavailable", "message": "The index cannot be read.", "request_id": "r-1"}


def answer(service: httpx2.Client, top_k: int = 5) -> dict[str, Any]:
    question = {"query": QUESTION, "top_k": top_k}
    return service.post(f"/api/collections/{OWN}/query", json=question).raise_for_status().json()


def query(page: Page) -> Locator:
    return page.get_by_label("Test query")


def number(page: Page, which: str) -> Locator:
    return page.get_by_role("spinbutton", name=f"{which} below, as a number")


def rows(page: Page) -> Locator:
    return page.get_by_role("table", name="Passages by rank").locator("tbody tr")


def verdict(page: Page) -> Locator:
    return page.get_by_role("region", name="Results").get_by_role("heading", level=2)


def params(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}
