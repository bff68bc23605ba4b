"""Language of the documents, of the texts in the configurations, and of docstrings."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents import ROOT, documents

LITERARY = re.compile(r"\b(?:nobody|somebody|everybody|whoever|whom)\b", re.IGNORECASE)
RELATIVE = re.compile(r'^\s*"""(?:What|Who|Whether|How|Which|When|Where)\b.*', re.MULTILINE)
COLLOQUIAL = re.compile(
    r"\b(?:told|tells?|says|said|stands?|knows|kept|gone|goes on|gives up|whoever|nobody|dials?)\b", re.IGNORECASE
)
COMMENT = re.compile(r"(?:^|\s)# .*$", re.MULTILINE)
DOCSTRING = re.compile(r'^\s*"""(?:[^"]|"(?!""))*"""', re.MULTILINE)
EVENT = re.compile(r"\blogger\.(?:debug|info|warning|error|exception)\(\s*(.)([^\"]*)")
PARTICIPLE = re.compile(r"\b(?:\w+ed|found|read|sent|run|written|forbidden)\b")
SOURCES = ("layers", "functions", "cli", "dev", "scripts", "tests")
TEXTS = [*documents(), *sorted((ROOT / "config").rglob("*.json")), *sorted((ROOT / "events").glob("*.json"))]


@pytest.mark.parametrize("path", [path for path in TEXTS if "schema" not in path.name], ids=lambda path: path.name)
def test_texts_use_technical_terms(path: Path) -> None:
    assert LITERARY.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_a_page_begins_with_its_purpose_and_ends_with_links(path: Path) -> None:
    title, purpose, *_, links = path.read_text(encoding="utf-8").strip().split("\n\n")

    assert title.startswith("# ")
    assert re.match(r"[A-Z`]", purpose)
    assert re.match(r"Next: .*\[.+\]\(.+\)", links)


def test_a_docstring_is_a_noun_phrase_or_an_imperative() -> None:
    modules = [path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")]
    found = {path.relative_to(ROOT): RELATIVE.findall(path.read_text(encoding="utf-8")) for path in modules}

    assert len(modules) > 900
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_docstrings_and_comments_use_data_verbs() -> None:
    found = {path: COLLOQUIAL.findall(_prose(text)) for path, text in _deployed_and_tools()}

    assert {path: words for path, words in found.items() if words} == {}


def test_log_events_are_constant_lowercase_texts() -> None:
    events = [event for _, text in _deployed_and_tools() for event in EVENT.findall(text)]

    assert len(events) > 80
    assert [event for event in events if event[0] != '"' or event[1] != event[1].lower()] == []


def test_log_events_name_what_happened_by_a_past_participle() -> None:
    events = {event for _, text in _deployed_and_tools() for _, event in EVENT.findall(text)}

    assert {event for event in events if not PARTICIPLE.search(event)} == set()


def _deployed_and_tools() -> Iterator[tuple[Path, str]]:
    for folder in SOURCES:
        if folder != "tests":
            for path in (ROOT / folder).rglob("*.py"):
                yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def _prose(text: str) -> str:
    """Return docstrings and comments without names in backticks."""
    return re.sub(r"`[^`]*`", "", "\n".join((*DOCSTRING.findall(text), *COMMENT.findall(text))))
