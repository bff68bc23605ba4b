"""Links between the documents, the index of `docs/`, and the frame of each page."""

from pathlib import Path

import pytest

from tests.documents import ROOT, anchors, documents, links

DOCS = ROOT / "docs"
INDEX = DOCS / "README.md"
SECTIONS = ["Quickstart", "Guides", "Reference", "Operations", "Design"]
PAGES = [page for page in sorted(DOCS.glob("*.md")) if page != INDEX]


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_every_relative_link_has_an_existing_file_and_heading(path: Path) -> None:
    broken: list[str] = []
    for target in links(path):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        if not found.exists() or (anchor and anchor not in anchors(found)):
            broken.append(target)

    assert broken == []


def test_the_index_has_the_five_sections() -> None:
    lines = INDEX.read_text(encoding="utf-8").splitlines()

    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == SECTIONS


def test_the_index_lists_every_page_in_one_section() -> None:
    rows = [line for line in INDEX.read_text(encoding="utf-8").splitlines() if line.startswith("| [")]
    listed = sorted(row.partition("](")[2].partition(")")[0] for row in rows)
    outside = ["../CHANGELOG.md", "../CONTRIBUTING.md", "../README.md"]

    assert listed == sorted([*outside, *(page.name for page in PAGES)])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_page_begins_with_its_purpose_and_ends_with_links_to_the_next_pages(path: Path) -> None:
    title, purpose, *_, last = path.read_text(encoding="utf-8").strip().split("\n\n")

    assert title.startswith("# ")
    assert purpose[0].isalpha() or purpose[0] == "`"
    assert last.startswith("Next: ")
    assert "](" in last
