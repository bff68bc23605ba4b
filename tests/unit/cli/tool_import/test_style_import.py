"""Styles of parameters and form fields in OpenAPI documents, and the requests of their tools."""

from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from cli.tool_import.report import ImportedTool
from cli.tool_import.schemas import SchemaConverter
from flexchat.messages import Json
from functions.tools.http.implementation import Implementation
from functions.tools.http.requests import HttpRequest, build_request
from tests.unit.cli.tool_import.documents import document, get, implementation, only_tool, post, properties, query

STRINGS: dict[str, Json] = {"type": "array", "items": {"type": "string"}}
RANGE: dict[str, Json] = {"type": "object", "properties": {"gte": {"type": "integer"}, "lt": {"type": "integer"}}}
FORM = "application/x-www-form-urlencoded"


def request(tool: ImportedTool, arguments: dict[str, Json]) -> HttpRequest:
    return build_request(Implementation.model_validate(implementation(tool)), arguments)


def sent(parameter: dict[str, Any], value: Json, **parts: Any) -> tuple[str, tuple[str, ...]]:
    """Return the decoded query for the only parameter of a GET operation, and the notes of the import."""
    tool = only_tool(get(parameter), **parts)
    (name,) = properties(tool)
    return unquote(urlsplit(request(tool, {name: value}).url).query), tool.notes


@pytest.mark.parametrize(
    ("parameter", "value", "wanted"),
    [
        (query("a", STRINGS), ["1", "2"], "a=1&a=2"),
        (query("a", STRINGS, explode=False), ["1", "2"], "a=1,2"),
        (query("a", STRINGS, style="spaceDelimited", explode=False), ["1", "2"], "a=1 2"),
        (query("a", STRINGS, style="pipeDelimited"), ["1", "2"], "a=1|2"),
        (query("a", STRINGS, style="pipeDelimited", explode=True), ["1", "2"], "a=1&a=2"),
        (query("a", STRINGS, style="deepObject"), ["1", "2"], "a[]=1&a[]=2"),
        (query("a", {"description": "any"}, explode=False), ["1", "2"], "a=1,2"),
        (query("a", {"description": "any"}, style="deepObject"), {"gte": 1}, "a[gte]=1"),
        (query("a", {"description": "any"}), "1", "a=1"),
        (query("a", RANGE), {"gte": 1, "lt": 2}, "gte=1&lt=2"),
        (query("a", RANGE, explode=False), {"gte": 1, "lt": 2}, "a=gte,1,lt,2"),
        (query("a", RANGE, style="deepObject"), {"gte": 1}, "a[gte]=1"),
        (query("a", {"anyOf": [RANGE, {"type": "integer"}]}, style="deepObject"), {"gte": 1}, "a[gte]=1"),
        (query("a", {"anyOf": [RANGE, {"type": "integer"}]}, style="deepObject"), 5, "a=5"),
        (query("a", {"oneOf": [{"type": "string"}, STRINGS]}, explode=False), ["1", "2"], "a=1,2"),
        (query("a", {"allOf": [RANGE, {"description": "A range"}]}, style="deepObject"), {"lt": 2}, "a[lt]=2"),
        (
            query("a", {"type": "array", "items": RANGE}, style="deepObject"),
            [{"gte": 1}, {"lt": 2}],
            "a[0][gte]=1&a[1][lt]=2",
        ),
    ],
)
def test_query_parameters_have_the_style_of_the_document(parameter: Any, value: Json, wanted: str) -> None:
    assert sent(parameter, value) == (wanted, ())


@pytest.mark.parametrize(
    ("collection_format", "wanted"),
    [(None, "a=1,2"), ("csv", "a=1,2"), ("ssv", "a=1 2"), ("tsv", "a=1\t2"), ("pipes", "a=1|2"), ("multi", "a=1&a=2")],
)
def test_lists_of_openapi_2_have_their_collection_format(collection_format: str | None, wanted: str) -> None:
    own = {"collectionFormat": collection_format} if collection_format else {}
    parameter = {"name": "a", "in": "query", **STRINGS, **own}

    assert sent(parameter, ["1", "2"], version="2.0") == (wanted, ())


def test_a_header_has_no_tabs() -> None:
    parameter = {"name": "X-A", "in": "header", "collectionFormat": "tsv", **STRINGS}
    tool = only_tool(get(parameter), version="2.0")

    assert request(tool, {"X-A": ["1", "2"]}).headers["X-A"] == "1,2"
    assert tool.notes == (
        "the header parameter 'X-A' has the style 'tabDelimited', which is none of the header: it is sent as 'simple'",
    )


def test_a_reference_does_not_hide_the_kind_of_a_parameter() -> None:
    parameter = query("a", {"$ref": "#/components/schemas/Range"}, style="deepObject")

    assert sent(parameter, {"gte": 1}, components={"schemas": {"Range": RANGE}}) == ("a[gte]=1", ())


def test_the_schema_of_a_separated_list_survives() -> None:
    schema = {
        "type": "array",
        "items": {"type": "string", "enum": ["a", "b"]},
        "minItems": 1,
        "uniqueItems": True,
        "default": ["a"],
    }

    assert properties(only_tool(get(query("a", schema, explode=False)))) == {"a": schema}
    assert properties(only_tool(get({"name": "a", "in": "query", **schema}), version="2.0")) == {"a": schema}


def test_values_keep_their_choices_where_nested_schemas_are_cut() -> None:
    choice: Json = {"type": "string", "enum": ["a", "b"], "default": "a"}
    schema: Json = {
        "type": "object",
        "properties": {"choice": choice, "many": {**STRINGS, "minItems": 1}, "range": RANGE},
    }
    converter = SchemaConverter(document({}), max_depth=1)

    assert converter.convert(schema) == {
        "type": "object",
        "properties": {
            "choice": choice,
            "many": {"type": "array", "minItems": 1, "items": {}},
            "range": {"type": "object"},
        },
    }
    assert converter.notes == ["schemas below 1 level are cut"]


def test_parameters_of_the_path_have_their_style() -> None:
    path = [
        {"name": "a", "in": "path", "required": True, "style": "matrix", "explode": True, "schema": STRINGS},
        {"name": "b", "in": "path", "required": True, "style": "label", "schema": {"type": "string"}},
        {"name": "c", "in": "path", "required": True, "schema": RANGE},
    ]
    tool = only_tool({"/x{a}/y{b}/{c}": {"get": {"operationId": "a", "parameters": path}}})

    assert request(tool, {"a": ["1", "2"], "b": "3", "c": {"gte": 4}}).url.endswith("/x;a=1;a=2/y.3/gte,4")
    assert tool.notes == ()


def test_headers_and_cookies_have_their_style() -> None:
    tool = only_tool(
        get(
            {"name": "X-Ids", "in": "header", "schema": STRINGS},
            {"name": "X-Range", "in": "header", "explode": True, "schema": RANGE},
            {"name": "session", "in": "cookie", "required": True, "schema": {"type": "string"}},
            {"name": "tags", "in": "cookie", "explode": False, "schema": STRINGS},
        )
    )
    arguments: dict[str, Json] = {"X-Ids": ["1", "2"], "X-Range": {"gte": 1}, "session": "s", "tags": ["a", "b"]}
    headers = request(tool, arguments).headers

    assert [headers[name] for name in ("X-Ids", "X-Range", "Cookie")] == ["1,2", "gte=1", "session=s; tags=a,b"]
    assert tool.definition["parameters"]["required"] == ["session"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("parameter", "value", "wanted", "note"),
    [
        (
            query("a", {"type": "array", "items": RANGE}),
            [{"gte": 1}],
            'a={"gte":1}',
            (
                "the query parameter 'a' has lists or objects inside, which the style 'form' lacks: "
                "they are sent as JSON"
            ),
        ),
        (
            query("a", STRINGS, style="matrix"),
            ["1"],
            "a=1",
            "the query parameter 'a' has the style 'matrix', which is none of the query: it is sent as 'form'",
        ),
        (
            {"name": "a", "in": "query", "content": {"application/xml": {"schema": RANGE}}},
            {"gte": 1},
            'a={"gte":1}',
            "the query parameter 'a' is sent as JSON, not as 'application/xml'",
        ),
    ],
)
def test_a_style_that_cannot_be_expressed_is_reported(parameter: Any, value: Json, wanted: str, note: str) -> None:
    assert sent(parameter, value) == (wanted, (note,))


@pytest.mark.parametrize(("media", "wanted"), [("application/json", 'a="x"'), ("text/plain", "a=x")])
def test_a_parameter_with_content_has_its_media_type(media: str, wanted: str) -> None:
    parameter = {"name": "a", "in": "query", "content": {media: {"schema": {"type": "string"}}}}

    assert sent(parameter, "x") == (wanted, ())


def form(schema: Any, encoding: dict[str, Any] | None = None) -> dict[str, Any]:
    paths = post(schema, media=FORM)
    paths["/items"]["post"]["requestBody"]["content"][FORM]["encoding"] = encoding or {}
    return paths


def test_form_fields_have_the_style_of_their_encoding() -> None:
    fields = {"amount": {"type": "integer"}, "card": RANGE, "tags": STRINGS, "ids": STRINGS, "meta": RANGE}
    tool = only_tool(
        form(
            {"type": "object", "properties": fields, "required": ["amount"]},
            {"card": {"style": "deepObject"}, "tags": {"explode": False}, "ids": {"contentType": "application/json"}},
        )
    )
    values: dict[str, Json] = {"amount": 5, "card": {"lt": 4}, "tags": ["a", "b"], "ids": ["c"], "meta": {"gte": 1}}
    body = request(tool, values).body or b""

    assert unquote(body.decode()) == 'amount=5&card[lt]=4&tags=a,b&ids=["c"]&meta={"gte":1}'
    assert tool.definition["parameters"]["required"] == ["amount"]  # type: ignore[index]


def test_alternatives_of_a_form_are_merged() -> None:
    text, one, two = {"type": "string"}, {"type": "string", "enum": ["1"]}, {"type": "string", "enum": ["2"]}
    first = {"type": "object", "properties": {"a": one, "b": text, "d": text}, "required": ["a", "b"]}
    second = {"type": "object", "properties": {"a": two, "c": text, "d": text}, "required": ["a"]}
    tool = only_tool(form({"oneOf": [first, second]}))

    assert properties(tool) == {"a": {"anyOf": [one, two]}, "b": text, "c": text, "d": text}
    assert tool.definition["parameters"]["required"] == ["a"]  # type: ignore[index]
    assert tool.notes == ("the alternatives of the form are merged into one, with the fields of all",)


def test_a_form_with_any_fields_is_one_argument() -> None:
    tool = only_tool(form({"type": "object", "additionalProperties": {"type": "string"}}))

    assert request(tool, {"body": {"a": "1", "b": "2"}}).body == b"a=1&b=2"


def test_a_required_field_without_a_property_is_an_argument_and_reported() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "z"]}
    for paths in (post(schema), form(schema)):
        tool = only_tool(paths)
        assert properties(tool) == {"a": {"type": "string"}, "z": {}}
        assert tool.notes == ("the required field 'z' of the body is not described: it takes any value",)
        assert tool.definition["parameters"]["required"] == ["a", "z"]  # type: ignore[index]


def test_an_optional_body_without_properties_need_not_be_sent() -> None:
    tool = only_tool(post(STRINGS, required=False))

    assert "required" not in tool.definition["parameters"]  # type: ignore[operator]
    assert (request(tool, {}).body, request(tool, {"body": ["a"]}).body) == (None, b'["a"]')


def test_a_dollar_sign_before_a_parameter_names_no_secret() -> None:
    tool = only_tool({"/places/${place}": {"get": {"operationId": "a"}}})

    assert request(tool, {"place": "x"}).url.endswith("/places/%24x")
