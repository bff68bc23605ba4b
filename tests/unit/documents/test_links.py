"""Links between the documents, and the index of `docs/`."""

from pathlib import Path

import pytest

from tests.documents import ROOT, anchors, documents, links


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_every_relative_link_leads_to_a_file_and_its_heading(path: Path) -> None:
    broken: list[str] = []
    for target in links(path):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        if not found.exists() or (anchor and anchor not in anchors(found)):
            broken.append(target)

    assert broken == []


def test_the_index_links_every_page() -> None:
    linked = {(ROOT / "docs" / target.partition("#")[0]).resolve() for target in links(ROOT / "docs" / "README.md")}
    pages = {page for page in (ROOT / "docs").glob("*.md") if page.name != "README.md"}

    assert pages - linked == set()
