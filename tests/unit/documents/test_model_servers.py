"""The page of model servers and the example of each server."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.documents import ROOT, code_blocks

PAGE = ROOT / "docs" / "model-servers.md"
EXAMPLES = ROOT / "config" / "examples" / "model-servers"
ROW = re.compile(
    r"^\| \[(.+?)\]\(#.+?\) \| `(.+?)`.* \| \[`.+?`\]\(\.\./config/examples/model-servers/(.+?)\.json\) \|$", re.M
)
SERVERS = {server: (address, name) for server, address, name in ROW.findall(PAGE.read_text(encoding="utf-8"))}
"""Address and example of each server in the table."""


def llms_of(name: str) -> dict[str, Any]:
    return json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))["llms"]


def shown() -> dict[str, dict[str, Any]]:
    """Return the configuration in the section of each server."""
    blocks = {block.headings[-1]: block for block in code_blocks(PAGE) if block.language == "json"}
    return {server: json.loads(f"{{{block.text}}}")["llms"] for server, block in blocks.items()}


def test_every_server_has_an_example_and_every_example_a_server() -> None:
    assert len(SERVERS) >= 10
    assert sorted(name for _, name in SERVERS.values()) == sorted(path.stem for path in EXAMPLES.glob("*.json"))


def test_every_server_has_a_section_with_its_configuration() -> None:
    assert shown() == {server: llms_of(name) for server, (_, name) in SERVERS.items()}


@pytest.mark.parametrize("server", SERVERS)
def test_the_address_of_a_server_is_that_of_its_example(server: str) -> None:
    address, name = SERVERS[server]
    (llm,) = llms_of(name).values()

    assert llm.get("base_url", "http://127.0.0.1:11434") == address


def test_every_section_of_a_server_names_the_source_of_each_limit() -> None:
    rows = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    limits = [row for row in rows if len(row) == 3 and not row[0].startswith(("| [", "| Server", "| Known"))]

    assert len(limits) > 30
    assert [row for row in limits if not re.search(r"\]\(|measured", row[2])] == []


def test_no_example_has_a_key_of_its_own() -> None:
    keys = {
        path.stem: llm.get("api_key", "${}") for path in EXAMPLES.glob("*.json") for llm in llms_of(path.stem).values()
    }

    assert {name: key for name, key in keys.items() if not re.fullmatch(r"\$\{\w*\}", key)} == {}


def test_the_page_is_found_from_the_pages_that_a_reader_opens_first() -> None:
    readers = ("README.md", "docs/README.md", "docs/models.md", "docs/providers.md", "docs/quickstart.md")

    assert [page for page in readers if "model-servers.md" not in Path(ROOT / page).read_text(encoding="utf-8")] == []
