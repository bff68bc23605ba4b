"""Links between the documents, and the index of `docs/`."""

from pathlib import Path

import pytest

from tests.documents import ROOT, anchors, documents, links

DOCS = ROOT / "docs"
INDEX = DOCS / "README.md"
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


def test_the_index_lists_every_page_once() -> None:
    rows = [line for line in INDEX.read_text(encoding="utf-8").splitlines() if line.startswith("| [")]
    listed = sorted(row.partition("](")[2].partition(")")[0] for row in rows)
    outside = ["../CHANGELOG.md", "../CONTRIBUTING.md", "../README.md"]

    assert listed == sorted([*outside, *(page.name for page in PAGES)])
