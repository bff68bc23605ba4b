"""References of the sources and the documentation to documents that are in the repository."""

import re
from itertools import chain
from pathlib import Path

import pytest

from tests.documents import code_spans

ROOT = Path(__file__).parents[3]
FOLDERS = ("cli", "config", "docs", "events", "functions", "layers/common/src", "scripts", "tests")
ENDINGS = {".py", ".js", ".css", ".md", ".json", ".yaml", ".toml"}
NUMBERED = re.compile(r"documents? +\(?00\d\b", re.IGNORECASE)


def test_no_file_refers_to_a_numbered_document_outside_the_repository() -> None:
    files = [*ROOT.glob("*.md"), *chain.from_iterable((ROOT / folder).rglob("*") for folder in FOLDERS)]
    texts = {path: path.read_text(encoding="utf-8") for path in files if path.suffix in ENDINGS and path.is_file()}

    found = [
        f"{path.relative_to(ROOT)}: {match[0]}" for path, text in texts.items() for match in NUMBERED.finditer(text)
    ]

    assert len(texts) > 300
    assert found == []


def test_every_decision_cited_in_the_sources_exists() -> None:
    cited: dict[str, str] = {}
    for path in chain.from_iterable((ROOT / folder).rglob("*") for folder in FOLDERS):
        if path.suffix in ENDINGS and path.is_file():
            numbers = re.findall(r"\bdecisions? (C\d\d)\b", path.read_text(encoding="utf-8"))
            cited |= dict.fromkeys(numbers, str(path.relative_to(ROOT)))
    decided = set(
        re.findall(r"^### .* \((C\d\d)\)$", (ROOT / "docs" / "decisions.md").read_text("utf-8"), re.MULTILINE)
    )

    assert {number: place for number, place in cited.items() if number not in decided} == {}
    assert len(cited) > 10


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_path_on_a_developer_page_exists(page: str) -> None:
    folders = ("cli/", "dev/", "functions/", "layers/", "scripts/", "tests/")
    named = {span for span in code_spans(ROOT / page) if span.startswith(folders) and re.fullmatch(r"[\w./-]+", span)}

    assert {path for path in named if not (ROOT / path).exists()} == set()
    assert len(named) > 10
