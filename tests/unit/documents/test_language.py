"""Language of the documents, of the texts in the configurations, and of docstrings."""

import re
from pathlib import Path

import pytest

from tests.documents import ROOT, documents

LITERARY = re.compile(r"\b(?:nobody|somebody|everybody|whoever|whom)\b", re.IGNORECASE)
RELATIVE = re.compile(r'^\s*"""(?:What|Who|Whether|How|Which|When|Where)\b.*', re.MULTILINE)
SOURCES = ("layers", "functions", "cli", "dev", "scripts", "tests")
TEXTS = [*documents(), *sorted((ROOT / "config").rglob("*.json")), *sorted((ROOT / "events").glob("*.json"))]


@pytest.mark.parametrize("path", [path for path in TEXTS if "schema" not in path.name], ids=lambda path: path.name)
def test_texts_use_technical_terms(path: Path) -> None:
    assert LITERARY.findall(path.read_text(encoding="utf-8")) == []


def test_a_docstring_is_a_noun_phrase_or_an_imperative() -> None:
    modules = [path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")]
    found = {path.relative_to(ROOT): RELATIVE.findall(path.read_text(encoding="utf-8")) for path in modules}

    assert len(modules) > 900
    assert {path: lines for path, lines in found.items() if lines} == {}
