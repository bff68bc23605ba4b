"""OpenAPI document of all functions."""

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from dev.openapi import main, service_document
from tests.functional.chat.harness import configuration, deploy
from tests.template.streaming_routes import STREAMING_ROUTES
from tests.template.transform import authored

ANSWERS = {"/api/collections": {"get": "CollectionList", "post": "CollectionInfo"}}


def served() -> dict[str, Any]:
    return deploy([], configuration()).get("/api/openapi.json").body


def test_served_document_matches_the_routes() -> None:
    assert served() == service_document(), "run `make schema`"


def test_file_has_one_line_per_operation(tmp_path: Path) -> None:
    main(tmp_path / "openapi.json")
    text = (tmp_path / "openapi.json").read_text("utf-8")
    assert json.loads(text) == service_document()
    assert sum('"operationId"' in line for line in text.splitlines()) == text.count('"operationId"')


@pytest.mark.slow
def test_document_has_every_route_of_the_gateway_except_pages() -> None:
    events = [
        event["Properties"]
        for name, resource in authored()["Resources"].items()
        if name != "PageFunction"
        for event in resource["Properties"].get("Events", {}).values()
        if event["Type"] == "Api"
    ]
    routed = {(event["Path"].replace("+}", "}"), event["Method"].lower()) for event in events}
    routed = {*routed, *STREAMING_ROUTES} - {(path, "options") for path, _ in routed}

    document = served()

    validate(document)
    documented = {(path, method) for path, methods in document["paths"].items() for method in methods}
    anything = {("/v1/{proxy}", method) for method in ("get", "post", "delete")}
    assert documented == routed - anything


def test_responses_without_a_body_have_no_content_in_the_document() -> None:
    found = {
        f"{method} {path}": operation["responses"]["204"].keys()
        for path, methods in served()["paths"].items()
        for method, operation in methods.items()
        if "204" in operation["responses"]
    }

    assert found.keys() >= {"delete /api/sessions/{id}", "post /api/runs/{id}/lease", "get /api/runs/{id}/events"}
    assert set().union(*found.values()) == {"description"}


def test_documented_responses_match_the_routes() -> None:
    document = served()
    documented = {
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
    assert documented == ANSWERS
    errors = document["paths"]["/api/collections/{name}/documents"]["post"]["responses"]
    assert set(errors) == {"200", "400", "401", "403", "404", "409", "413", "415", "429", "500", "503"}
