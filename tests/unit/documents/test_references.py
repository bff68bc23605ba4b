"""References of the sources and the documentation to decisions and documents that are in the repository."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from tests.documents import ROOT, anchors, code_spans

FOLDERS = ("cli", "config", "dev", "docs", "events", "functions", "layers/common/src", "scripts", "tests")
ENDINGS = {".py", ".js", ".css", ".md", ".json", ".yaml", ".toml"}
DECISIONS = ROOT / "docs" / "decisions.md"
NUMBERED = re.compile(r"documents? +\(?00\d\b", re.IGNORECASE)
HEADING = re.compile(r"^### .* \((C\d\d(?:, C\d\d)*)\)$", re.MULTILINE)
CITED = re.compile(r"\bdecisions?(?:\s|\\n|#)+(C\d\d(?:(?:,| and)\s+C\d\d)*)|\[(C\d\d)\]")
ANCHOR = re.compile(r"\bdecisions\.md#([\w-]+)")
NUMBER = re.compile(r"C\d\d")


@cache
def texts() -> dict[str, str]:
    """Return the texts of the sources and documents by their path; examples of this test are no references."""
    paths = chain(ROOT.glob("*.*"), *((ROOT / folder).rglob("*") for folder in FOLDERS))
    files = [path for path in paths if path.suffix in ENDINGS and path.is_file() and path != Path(__file__)]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}


def numbers_cited(text: str) -> Iterator[str]:
    for match in CITED.finditer(text):
        yield from NUMBER.findall(match[0])


def numbers_defined() -> list[str]:
    headings = HEADING.findall(DECISIONS.read_text(encoding="utf-8"))
    return [number for heading in headings for number in NUMBER.findall(heading)]


def test_no_file_refers_to_a_numbered_document_outside_the_repository() -> None:
    found = [f"{path}: {match[0]}" for path, text in texts().items() for match in NUMBERED.finditer(text)]

    assert len(texts()) > 300
    assert found == []


def test_no_file_has_the_marks_of_an_unresolved_merge() -> None:
    assert [path for path, text in texts().items() if re.search(r"^(<{7}|>{7}) ", text, re.MULTILINE)] == []


def test_every_number_of_a_decision_is_defined_once() -> None:
    defined = Counter(numbers_defined())

    assert len(defined) > 40
    assert {number: count for number, count in defined.items() if count > 1} == {}


def test_every_decision_that_is_cited_by_its_number_is_defined() -> None:
    cited = {number: path for path, text in texts().items() for number in numbers_cited(text)}
    defined = numbers_defined()

    assert len(cited) > 30
    assert {number: path for number, path in cited.items() if number not in defined} == {}


def test_every_anchor_of_the_decisions_that_is_cited_exists() -> None:
    cited = {anchor: path for path, text in texts().items() for anchor in ANCHOR.findall(text)}
    defined = anchors(DECISIONS)

    assert len(cited) >= 5
    assert {anchor: path for anchor, path in cited.items() if anchor not in defined} == {}


def test_numbers_are_cited_in_several_forms() -> None:
    text = (
        "(decision C08); decisions C10,\n    C11 and C12; [C09](decisions.md#repeated-calls-c09); Unicode category C99"
    )

    assert list(numbers_cited(text)) == ["C08", "C10", "C11", "C12", "C09"]


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_path_on_a_developer_page_exists(page: str) -> None:
    folders = ("cli/", "dev/", "functions/", "layers/", "scripts/", "tests/")
    spans = {span for span in code_spans(ROOT / page) if re.fullmatch(r"[\w./-]+", span)}
    named = {span for span in spans if span.startswith(folders)}
    modules = {span for span in spans - named if span.endswith(".py")}
    existing = [path for path in texts() if path.endswith(".py")]

    assert {path for path in named if not (ROOT / path).exists()} == set()
    assert {module for module in modules if not any(path.endswith(f"/{module}") for path in existing)} == set()
    assert len(named) > 10


@pytest.mark.parametrize(
    ("heading", "folder"),
    [("Packages of the chat function", "functions/chat"), ("Modules of the layer", "layers/common/src/flexchat")],
)
def test_the_tables_of_the_architecture_name_every_module(heading: str, folder: str) -> None:
    table = _section("docs/architecture.md", heading)
    entries = {
        path.stem for path in (ROOT / folder).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }

    assert {entry for entry in entries - {"__init__"} if not re.search(rf"[`/]{entry}(?:/|\.py)?`", table)} == set()


def test_the_layers_of_the_chat_function_are_those_of_their_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    [contract] = [contract for contract in contracts if contract.get("containers") == ["functions.chat"]]
    rows = [
        line for line in _section("docs/architecture.md", "Layers of the chat function").splitlines() if "| `" in line
    ]
    documented = [set(re.findall(r"`(\w+)`", row)) for row in rows]

    assert documented == [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]


def _section(page: str, heading: str) -> str:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.split(r"^#+ ", text.split(f" {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
