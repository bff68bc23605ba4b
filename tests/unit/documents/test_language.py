"""Language of the documents and of the texts in the configurations."""

import re
from pathlib import Path

import pytest

from tests.documents import ROOT, documents

LITERARY = re.compile(r"\b(?:nobody|somebody|everybody|whoever|whom)\b", re.IGNORECASE)
TEXTS = [*documents(), *sorted((ROOT / "config").rglob("*.json")), *sorted((ROOT / "events").glob("*.json"))]


@pytest.mark.parametrize("path", [path for path in TEXTS if "schema" not in path.name], ids=lambda path: path.name)
def test_texts_use_technical_terms(path: Path) -> None:
    assert LITERARY.findall(path.read_text(encoding="utf-8")) == []
