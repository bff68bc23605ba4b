"""The one OpenAPI document of all functions is true to what is served."""

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from dev.openapi import PARTS, main
from functions.chat.api.openapi import whole_document
from tests.functional.chat.harness import configuration, deploy
from tests.template.transformed import authored

ANSWERS = {"/api/collections": {"get": "CollectionList", "post": "CollectionInfo"}}


def served() -> dict[str, Any]:
    return deploy([], configuration()).get("/api/openapi.json").body


@pytest.mark.parametrize("file", PARTS, ids=lambda file: file.name)
def test_a_committed_part_is_what_the_routes_say(file: Path) -> None:
    assert file.read_text(encoding="utf-8") == PARTS[file](), "run `make schema`"


def test_the_parts_are_written_where_they_are_wanted(tmp_path: Path) -> None:
    main(tmp_path)
    assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == {
        file.name: part() for file, part in PARTS.items()
    }


def test_the_document_has_every_route_of_the_gateway_but_the_pages_and_no_other() -> None:
    events = [
        event["Properties"]
        for name, resource in authored()["Resources"].items()
        if name != "PageFunction"
        for event in resource["Properties"].get("Events", {}).values()
        if event["Type"] == "Api"
    ]
    routed = {(event["Path"], event["Method"].lower()) for event in events} - {
        (event["Path"], "options") for event in events
    }

    document = served()

    validate(document)
    assert {(path, method) for path, methods in document["paths"].items() for method in methods} == routed


@pytest.mark.parametrize("file", PARTS, ids=lambda file: file.name)
def test_models_that_several_parts_have_are_the_same(file: Path) -> None:
    part = json.loads(file.read_text(encoding="utf-8"))
    schemas = served()["components"]["schemas"]
    assert {name: schemas[name] for name in part["schemas"]} == part["schemas"]


def test_the_documented_answers_are_the_routes_own() -> None:
    document = served()
    told = {
        path: {
            method: next(
                answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                for status, answer in operation["responses"].items()
                if status.startswith("2")
            )
            for method, operation in document["paths"][path].items()
        }
        for path in ANSWERS
    }
    assert told == ANSWERS
    errors = document["paths"]["/api/collections/{name}/documents"]["post"]["responses"]
    assert set(errors) == {"200", "400", "401", "403", "404", "409", "413", "415", "429", "500", "503"}


def test_the_chats_own_routes_stay_as_they_are() -> None:
    components = {"schemas": {"ErrorResponse": "own"}, "securitySchemes": {}}
    own: dict[str, Any] = {"paths": {"/a": {}}, "components": components, "info": {}}
    whole = whole_document(own)
    assert (whole["paths"]["/a"], whole["components"]["schemas"]["ErrorResponse"], whole["info"]) == ({}, "own", {})
