"""Requests of imported tools against a server that validates them by the document: every style of OpenAPI 2 and 3."""

from pathlib import Path
from typing import Any

import pytest

from dev.openapi_check.__main__ import main, run
from dev.openapi_check.check import DocumentResult
from dev.openapi_check.requests import Received, RequestValidator
from dev.openapi_check.schemas import MismatchError, SchemaReader
from dev.openapi_check.styles import Style, parsed

pytestmark = pytest.mark.slow

DOCUMENTS = Path(__file__).parent / "openapi_documents"
NESTED = "styles.yaml query: query 'nested' has JSON text in the style form"


def results(seed: int) -> dict[str, DocumentResult]:
    return {each.name: each for each in run(sorted(DOCUMENTS.iterdir()), count=20, seed=seed)}


@pytest.mark.parametrize("seed", range(20))
def test_every_style_is_sent_as_its_document_requires(seed: int) -> None:
    found = results(seed)
    two, three = found["collections.yaml"], found["styles.yaml"]

    assert (two.requests, two.wrong, two.declared, two.rejected) == (3, [], [], [])
    assert (three.requests, three.wrong, three.rejected) == (5, [], [])
    assert [each.partition(": as ")[0] for each in three.declared] == [NESTED]
    assert (two.right, three.right) == (15, 30)


def test_the_command_prints_the_totals(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / "styles.yaml").write_bytes((DOCUMENTS / "styles.yaml").read_bytes())

    assert main([str(tmp_path), "--operations", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("other.json: skipped: ")
    assert lines[-1].startswith(
        "1 documents: 5 operations, 5 imported, 2 changed, 0 left out, 0 rejected by config check;"
    )


SOURCE: dict[str, Any] = {
    "openapi": "3.0.3",
    "paths": {
        "/items": {
            "get": {
                "parameters": [
                    {
                        "name": "ids",
                        "in": "query",
                        "explode": False,
                        "schema": {"type": "array", "items": {"type": "integer"}},
                    },
                    {"name": "created", "in": "query", "style": "deepObject", "schema": {"$ref": "#/components/Range"}},
                    {"name": "X-A", "in": "header", "schema": {"type": "string", "enum": ["a"]}},
                ]
            }
        }
    },
    "components": {"Range": {"type": "object", "properties": {"gte": {"type": "integer"}}, "required": ["gte"]}},
}


@pytest.mark.parametrize(
    ("target", "header", "wrong"),
    [
        ("/items?ids=1,2&created%5Bgte%5D=3", "a", []),
        ("/items?ids=1&ids=2&created%5Bgte%5D=3", "a", ["query 'ids': as array: 'ids' is repeated, but"]),
        ("/items?ids=1,x&created%5Bgte%5D=3", "a", ["query 'ids': as array: 'x' is not of type integer"]),
        ("/items?ids=1,2&created=%7B%22gte%22%3A3%7D", "a", ["query 'created' has JSON text in the style deepObject"]),
        ("/items?ids=1,2&created%5Blt%5D=3", "a", ["query 'created': as object: lacks 'gte'"]),
        ("/items?ids=1,2", "a", ["query 'created' is missing", "the value '3' is not in the request"]),
        ("/items?ids=1,2&created%5Bgte%5D=3&b=4", "a", ["unexpected query parameter 'b'"]),
        ("/items?ids=1,2&created%5Bgte%5D=3", "c", ["header 'X-A': as plain: 'c' is none of ['a']"]),
        ("/item?ids=1,2&created%5Bgte%5D=3", "a", ["GET /item is not GET /items"]),
    ],
)
def test_the_server_detects_requests_that_the_document_forbids(target: str, header: str, wrong: list[str]) -> None:
    validator = RequestValidator(SOURCE, "/items", "get")
    request = Received("GET", target, {"x-a": header}, b"")
    found = validator.findings(request, base="", arguments={"ids": [1, 2], "created": {"gte": 3}})

    shown = [each for each in found.wrong if not each.startswith("the value") or "missing" in found.wrong[0]]
    assert len(shown) == len(wrong)
    assert all(each.startswith(start) for each, start in zip(shown, wrong, strict=True)), found.wrong


@pytest.mark.parametrize(
    ("style", "raw"),
    [
        (Style("matrix", explode=False), ";v=R,100,G,200"),
        (Style("matrix", explode=True), ";R=100;G=200"),
        (Style("label", explode=False), ".R,100,G,200"),
        (Style("label", explode=True), ".R=100.G=200"),
        (Style("simple", explode=False), "R,100,G,200"),
        (Style("simple", explode=True), "R=100,G=200"),
        (Style("form", explode=False), [("v", "R,100,G,200")]),
        (Style("form", explode=True), [("R", "100"), ("G", "200")]),
        (Style("spaceDelimited", explode=False), [("v", "R%20100%20G%20200")]),
        (Style("pipeDelimited", explode=False), [("v", "R%7C100%7CG%7C200")]),
        (Style("deepObject", explode=True), [("v%5BR%5D", "100"), ("v[G]", "200")]),
        (Style("form", explode=False, media="application/json"), [("v", "%7B%22R%22:100,%22G%22:200%7D")]),
    ],
)
def test_the_parser_reads_the_examples_of_the_standard(style: Style, raw: Any) -> None:
    schema = {"type": "object", "properties": {"R": {"type": "integer"}, "G": {"type": "integer"}}}

    assert parsed(raw, "v", style, schema, SchemaReader({}))[:2] == (True, {"R": 100, "G": 200})


def test_the_parser_refuses_another_style() -> None:
    schema = {"type": "object", "properties": {"R": {"type": "integer"}}}

    with pytest.raises(MismatchError, match="odd number"):
        parsed("R,100,G", "v", Style("simple", explode=False), schema, SchemaReader({}))
