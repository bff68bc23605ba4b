"""Tools from the operations of OpenAPI documents."""

from typing import Any

import pytest

from cli.tool_import.document import read_document
from cli.tool_import.openapi import import_operations, operations
from flexchat.errors import ConfigError
from functions.tools.http.implementation import Implementation
from functions.tools.http.requests import build_request
from tests.unit.cli.tool_import.documents import (
    SERVER,
    document,
    get,
    implementation,
    only_reason,
    only_tool,
    post,
    properties,
    query,
    report,
)

ITEM: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def test_an_operation_becomes_a_complete_definition() -> None:
    tool = only_tool(
        get(
            query("limit", {"type": "integer", "maximum": 100, "default": 10}, description="How many"),
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            summary="List items",
            description="In <b>order</b> of\n their age.",
        )
    )

    assert tool.definition == {
        "name": "listItems",
        "description": "List items In order of their age.",
        "parameters": {
            "type": "object",
            "properties": {"limit": {"type": "integer", "description": "How many", "default": 10, "maximum": 100}},
            "additionalProperties": False,
        },
        "implementation": {"type": "http", "url": f"{SERVER}/items", "method": "GET"},
        "idempotent": True,
    }


def test_equal_names_in_path_query_header_and_body_become_four_arguments() -> None:
    places: list[dict[str, Any]] = [
        {"name": "id", "in": place, "required": True, "schema": {"type": "string"}}
        for place in ("path", "query", "header")
    ]
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": {"id": {"type": "string"}}}}}}
    tool = only_tool({"/items/{id}": {"parameters": places, "put": {"operationId": "put", "requestBody": body}}})
    request = build_request(
        Implementation.model_validate(implementation(tool)),
        {"id": "1", "query_id": "2", "header_id": "3", "body_id": "4"},
    )

    assert list(properties(tool)) == ["id", "query_id", "header_id", "body_id"]
    assert (request.url, request.headers["id"], request.body) == (f"{SERVER}/items/1?id=2", "3", b'{"id":"4"}')


def test_an_operation_without_an_id_is_named_by_method_and_path() -> None:
    found = report({"/users/{user id}/posts": {"get": {}, "delete": {}}})

    assert [tool.name for tool in found.tools] == ["get_users_user_id_posts", "delete_users_user_id_posts"]
    assert implementation(found.tools[0])["url"] == f"{SERVER}/users/{{user_id}}/posts"


def test_equal_operation_ids_get_a_number() -> None:
    found = report({"/a": {"get": {"operationId": "get it"}}, "/b": {"get": {"operationId": "get it"}}})

    assert [tool.name for tool in found.tools] == ["get_it", "get_it_2"]


def test_parameter_names_that_providers_refuse_are_mapped() -> None:
    tool = only_tool(get(query("page[size]", {"type": "integer"}), query("$top", {"type": "integer"})))

    assert implementation(tool)["params_mapping"] == {"page_size": "page[size]", "top": "$top"}


def test_a_body_that_is_no_object_is_one_argument() -> None:
    tool = only_tool(post({"type": "array", "items": {"type": "string"}}))
    request = build_request(Implementation.model_validate(implementation(tool)), {"body": ["a", "b"]})

    assert tool.definition["parameters"] == {
        "type": "object",
        "properties": {"body": {"type": "array", "items": {"type": "string"}}},
        "required": ["body"],
        "additionalProperties": False,
    }
    assert request.body == b'["a","b"]'


def test_all_of_a_body_is_merged_into_arguments() -> None:
    more = {"type": "object", "properties": {"size": {"type": "integer"}, "id": {"type": "string", "readOnly": True}}}
    tool = only_tool(
        post({"allOf": [{"$ref": "#/components/schemas/Item"}, more]}), components={"schemas": {"Item": ITEM}}
    )

    parameters: Any = tool.definition["parameters"]
    assert properties(tool) == {"name": {"type": "string"}, "size": {"type": "integer"}}
    assert parameters["required"] == ["name"]


@pytest.mark.parametrize(
    ("paths", "reason"),
    [
        (post({}, media="multipart/form-data"), "requires a body of type 'multipart/form-data', which cannot be sent"),
        (post({}, media="image/png"), "requires a body of type 'image/png', which cannot be sent"),
        ({"/a": {"options": {"operationId": "a"}}}, "uses the method OPTIONS, which http tools do not have"),
        ({"/a#b": {"get": {"operationId": "a"}}}, "has a path with a fragment, which is not sent"),
        (get(deprecated=True), "is deprecated; name it with --only to import it"),
        (get({"$ref": "other.yaml#/a"}), "refers to 'other.yaml#/a' outside of the document"),
        (
            get({"$ref": "#/components/parameters/absent"}),
            "refers to '#/components/parameters/absent', which the document lacks",
        ),
        (
            get({"$ref": f"#/paths/~1items/get/parameters/{'9' * 5_000}"}),
            f"refers to '#/paths/~1items/get/parameters/{'9' * 69}', which the document lacks",
        ),
    ],
)
def test_operations_that_cannot_be_called_are_left_out_with_the_reason(paths: dict[str, Any], reason: str) -> None:
    assert only_reason(paths) == reason


def test_swagger_2_parameters_bodies_and_forms() -> None:
    found = report(
        {
            "/items/{id}": {
                "put": {
                    "operationId": "put",
                    "parameters": [
                        {"name": "id", "in": "path", "required": True, "type": "integer", "format": "int64"},
                        {"name": "tags", "in": "query", "type": "array", "items": {"type": "string"}},
                        {"name": "item", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Item"}},
                    ],
                },
                "post": {
                    "operationId": "post",
                    "consumes": ["application/x-www-form-urlencoded"],
                    "parameters": [{"name": "title", "in": "formData", "type": "string", "required": True}],
                },
                "patch": {
                    "operationId": "upload",
                    "consumes": ["multipart/form-data"],
                    "parameters": [{"name": "photo", "in": "formData", "type": "file"}],
                },
            }
        },
        version="2.0",
        definitions={"Item": ITEM},
    )

    post, put = found.tools
    assert properties(put) == {
        "id": {"type": "integer", "format": "int64"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "name": {"type": "string"},
    }
    assert implementation(put)["url"] == "https://api.example.com/v1/items/{id}"
    assert implementation(post)["body"] == {"format": "form"}
    assert [each.operation for each in found.left_out] == ["upload"]


@pytest.mark.parametrize(
    ("servers", "url"),
    [
        ([{"url": "http://a.example.com"}, {"url": "https://b.example.com/"}], "https://b.example.com/items"),
        ([{"url": "http://a.example.com"}], "https://a.example.com/items"),
        (
            [{"url": "https://{region}.example.com", "variables": {"region": {"default": "eu"}}}],
            "https://eu.example.com/items",
        ),
        ([{"url": "/v2"}], "https://docs.example.com/v2/items"),
    ],
)
def test_the_first_https_server_is_used_with_its_variables(servers: list[Any], url: str) -> None:
    source = b'{"openapi": "3.0.0", "paths": {"/items": {"get": {}}}}'
    read = read_document(source, name="api", base_url="https://docs.example.com/openapi.json")
    read.source["servers"] = servers

    (tool,) = import_operations(read, operations(read)).tools
    assert implementation(tool)["url"] == url


def test_parameters_in_the_query_of_a_path_are_moved() -> None:
    tool = only_tool(
        {
            "/weather?v=2&lat={lat}": {
                "get": {"parameters": [{"name": "lat", "in": "path", "required": True, "schema": {"type": "number"}}]}
            }
        }
    )
    request = build_request(Implementation.model_validate(implementation(tool)), {"lat": 1.5})

    assert request.url == f"{SERVER}/weather?v=2&lat=1.5"


def test_a_server_without_a_host_must_be_given() -> None:
    paths = get()

    assert only_reason(paths, servers=[{"url": "https://{tenant}.example.com"}]).endswith("give --server")
    assert implementation(only_tool(paths, server="https://a.example.com"))["url"] == "https://a.example.com/items"


def test_patterns_select_operations_by_id_route_and_name() -> None:
    found = operations(document({"/a": {"get": {"operationId": "listA"}}, "/b": {"get": {}}}))

    assert [each.label for each in found if each.is_selected(("list*",))] == ["listA"]
    assert [each.label for each in found if each.is_selected(("GET /b",))] == ["GET /b"]


def test_lists_and_pages_are_suggested() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": {}}, "total": {"type": "integer"}},
    }
    answer: dict[str, Any] = {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}

    assert only_tool(get(query("page", {"type": "integer"}), responses=answer)).suggestions == (
        'response_path: "$.items"',
        'pagination: {"type": "page", "parameter": "page"}',
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[]", "must be an object"),
        (b'{"info": {}}', "is not an OpenAPI document: 'openapi' must be 3.0 or 3.1, or 'swagger' 2.0"),
        (b'{"openapi": "3.0.0"', "not valid JSON: a comma is missing at line 1 column 20"),
        (b"a: [1", "not valid YAML: did not find expected ',' or ']' at line 2 column 1"),
    ],
)
def test_other_files_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        read_document(content, name="api")

    assert str(raised.value) == f"api: {message}"
