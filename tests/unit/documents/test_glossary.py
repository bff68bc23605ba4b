"""Code names of `docs/glossary.md`, compared with the sources."""

import re
from collections.abc import Iterator

import pytest

from tests.documents import ROOT

PAGE = ROOT / "docs" / "glossary.md"
SOURCES = ("cli/**/*.py", "dev/**/*.py", "functions/**/*.py", "layers/**/src/**/*.py", "template.yaml")


def rows() -> Iterator[tuple[str, str]]:
    """Yield each term with its code name."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| ") and not line.startswith("| Term"):
            term, *_, code, _ = line.removeprefix("| ").split(" |")
            yield term, code.strip().strip("`")


ROWS = list(rows())


@pytest.fixture(scope="module")
def sources() -> str:
    paths = [path for pattern in SOURCES for path in sorted(ROOT.glob(pattern))]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


@pytest.mark.parametrize(("term", "name"), ROWS, ids=[term for term, _ in ROWS])
def test_the_code_name_of_every_term_exists(sources: str, term: str, name: str) -> None:
    if "/" in name:
        assert (ROOT / name).exists()
    elif name.startswith("flexchat-"):
        assert name.replace("<stage>", "${Stage}") in sources
    elif "-" in name:
        assert f"`{name}`" in sources
    elif name[0].isupper() and name != "Stage":
        assert re.search(rf"^(?:class|type) {name}\b|^{name} = ", sources, re.MULTILINE)
    else:
        assert re.search(rf"^ *(?:def {name}\(|{name}:)", sources, re.MULTILINE)
