"""Stages of the commands in the documents: each page uses the one of its reader."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.documents import ROOT, code_blocks, code_spans, documents

STAGE = re.compile(r"(?:--stage[ =]|\bSTAGE=)([a-z]+)\b")
SEVERAL: Mapping[str, frozenset[str]] = {
    "README.md": frozenset({"local", "dev"}),
    "docs/deployment.md": frozenset({"dev", "prod", "try"}),
    "docs/http-tools.md": frozenset({"local", "prod"}),
    "docs/mcp-servers.md": frozenset({"local", "prod"}),
    "docs/publishing.md": frozenset({"dev", "local"}),
    "docs/quickstart.md": frozenset({"local", "dev"}),
    "docs/retrieval.md": frozenset({"local", "dev"}),
}
"""Stages of the pages whose readers begin on their machine and go on to AWS, or deploy several stages."""


def stages(commands: Iterable[str]) -> frozenset[str]:
    return frozenset(
        stage for each in commands if each.startswith(("flexchat ", "make ", "--")) for stage in STAGE.findall(each)
    )


def block_stages(path: Path) -> frozenset[str]:
    return stages(command.removeprefix("$ ") for block in code_blocks(path) for command in block.commands())


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_a_page_has_one_stage_apart_from_those_that_lead_to_another(path: Path) -> None:
    found = block_stages(path) | stages(code_spans(path))

    name = str(path.relative_to(ROOT))
    assert name in SEVERAL or len(found) <= 1, found
    assert found == SEVERAL.get(name, found)


@pytest.mark.parametrize(
    "name", ["adding-a-tool", "collections", "demo-model", "examples", "http-tools", "mcp-servers", "retrieval"]
)
def test_the_steps_of_a_guide_for_the_local_stack_have_its_stage(name: str) -> None:
    (path,) = (path for path in documents() if path.name == f"{name}.md")

    assert block_stages(path) <= {"local"}
