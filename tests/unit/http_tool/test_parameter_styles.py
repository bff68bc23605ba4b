"""Arguments in the styles of OpenAPI 3.1.1: the table "Style Examples" of the standard, and its edges."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from flexchat.errors import ToolInputError
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from functions.tools.http.implementation import Implementation
from functions.tools.http.requests import HttpRequest, build_request

LIST: Json = ["blue", "black", "brown"]
OBJECT: Json = {"R": 100, "G": 200, "B": 150}
ROWS: list[tuple[str, bool, str, str | None, str, str]] = [
    ("matrix", False, ";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
    ("matrix", True, ";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
    ("label", False, ".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
    ("label", True, ".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
    ("simple", False, "", "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("simple", True, "", "blue", "blue,black,brown", "R=100,G=200,B=150"),
    ("form", False, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    ("form", True, "color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
    (
        "spaceDelimited",
        False,
        "color=",
        "color=blue",
        "color=blue%20black%20brown",
        "color=R%20100%20G%20200%20B%20150",
    ),
    ("pipeDelimited", False, "color=", "color=blue", "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
    ("tabDelimited", False, "color=", "color=blue", "color=blue%09black%09brown", "color=R%09100%09G%09200%09B%09150"),
]
"""Style, `explode`, and the text for an empty one, a text, a list and an object; the last style is OpenAPI 2.0's."""


def implementation(mapping: dict[str, Any], **values: Any) -> Implementation:
    source = {"type": "http", "url": "https://api.example.com/items", "params_mapping": {"value": mapping}, **values}
    return Implementation.model_validate(source)


def sent(value: Json, mapping: dict[str, Any], **values: Any) -> HttpRequest:
    return build_request(implementation({"name": "color", **mapping}, **values), {"value": value})


def in_path(value: Json, **mapping: Any) -> str:
    request = sent(value, {"in": "path", **mapping}, url="https://api.example.com/x{color}")
    return urlsplit(request.url).path.removeprefix("/x")


def in_query(value: Json, **mapping: Any) -> str:
    return urlsplit(sent(value, {"in": "query", **mapping}).url).query


@pytest.mark.parametrize(("style", "explode", "empty", "text", "items", "fields"), ROWS)
def test_values_have_the_form_of_the_table_of_styles(
    style: str, explode: bool, empty: str, text: str, items: str, fields: str
) -> None:
    read = in_path if style in ("matrix", "label", "simple") else in_query
    values: list[Json] = ["blue", LIST, OBJECT]

    assert [read(value, style=style, explode=explode) for value in values] == [text, items, fields]
    if empty not in ("", "."):
        assert read("", style=style, explode=explode) == empty


@pytest.mark.parametrize(
    ("value", "query"),
    [
        (OBJECT, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
        ({"gte": 1, "lt": None}, "color%5Bgte%5D=1"),
        ({"a": {"b": {"c": True}}}, "color%5Ba%5D%5Bb%5D%5Bc%5D=true"),
        (["a", "b"], "color%5B%5D=a&color%5B%5D=b"),
        ([{"a": 1, "b": ["x"]}, {"a": 2}], "color%5B0%5D%5Ba%5D=1&color%5B0%5D%5Bb%5D%5B%5D=x&color%5B1%5D%5Ba%5D=2"),
        (5, "color=5"),
        ({}, ""),
    ],
)  # fmt: skip
def test_deep_objects_continue_their_brackets(value: Json, query: str) -> None:
    assert in_query(value, style="deepObject") == query


def test_separators_inside_of_values_are_escaped() -> None:
    assert in_query(["a,b", "c d"], style="form", explode=False) == "color=a%2Cb,c%20d"
    assert in_path(["a,b", "c;d"], style="matrix", explode=True) == ";color=a%2Cb;color=c%3Bd"


def test_empty_lists_and_objects_are_not_sent() -> None:
    empty: list[Json] = [[], {}, [None], None]
    assert [in_query(value, style="form", explode=False) for value in empty] == ["", "", "", ""]


def test_json_is_the_whole_value_also_of_a_text() -> None:
    assert in_query("a", style="json") == "color=%22a%22"
    assert in_query({"a": [1]}, style="json") == "color=%7B%22a%22%3A%5B1%5D%7D"


def test_values_inside_of_a_style_without_nesting_are_json() -> None:
    assert in_query({"a": [1, 2], "b": 3}, style="form") == "a=%5B1%2C2%5D&b=3"


def test_headers_have_lists_and_objects_in_one_line() -> None:
    def header(value: Json, **mapping: Any) -> str | None:
        return sent(value, {"in": "header", **mapping}).headers.get("color")

    assert [header(["a", "b"]), header(OBJECT, style="simple"), header(OBJECT, style="simple", explode=True)] == [
        "a,b", "R,100,G,200,B,150", "R=100,G=200,B=150"
    ]  # fmt: skip
    assert (header(OBJECT), header([])) == ('{"R":100,"G":200,"B":150}', None)
    with pytest.raises(ToolInputError, match="printable ASCII"):
        header(["a", "b\r\nX: 1"])


def test_cookies_are_added_to_the_configured_ones() -> None:
    request = sent("a b;c", {"in": "cookie"}, headers={"cookie": "own=1"})
    assert request.headers["cookie"] == "own=1; color=a%20b%3Bc"
    assert sent(OBJECT, {"in": "cookie", "style": "form"}).headers["Cookie"] == "R=100; G=200; B=150"
    assert "Cookie" not in sent(None, {"in": "cookie"}).headers


def test_an_argument_never_replaces_a_configured_cookie() -> None:
    request = sent({"sid": "model", "a": 1}, {"in": "cookie", "style": "form"}, headers={"Cookie": "x=1; sid=own"})

    assert request.headers["Cookie"] == "x=1; sid=own; a=1"


def test_lists_in_a_path_may_be_separated_by_tabs() -> None:
    assert in_path(["a", "b"], style="tabDelimited") == "a%09b"
    with pytest.raises(ToolInputError, match="cannot be a part of the address"):
        in_path(["a", "b\n"], style="tabDelimited")


def test_an_exploded_object_never_replaces_a_fixed_parameter() -> None:
    value: Json = {"key": "model", "v": 3, "a": 1}
    url = "https://api.example.com/items?v=2"
    request = sent(value, {"in": "query", "style": "form"}, query={"key": "operator"}, url=url)
    assert urlsplit(request.url).query == "v=2&key=operator&a=1"


@pytest.mark.parametrize(
    ("value", "style"),
    [
        *(("..", "simple"), (".", "simple"), ("a/../b", "simple"), ({"a": "x/../y"}, "simple")),
        *((["a/", "/../"], "simple"), (".", "label"), ("", "label"), ("x/../y", "label")),
        *(("a\\..\\b", "matrix"), ("a\tb", "matrix")),
    ],
)
def test_no_style_lets_a_value_change_the_path(value: Json, style: str) -> None:
    with pytest.raises(ToolInputError, match="cannot be a part of the address"):
        in_path(value, style=style)


def test_a_form_has_the_styles_of_its_fields() -> None:
    request = build_request(
        Implementation.model_validate(
            {
                "type": "http",
                "url": "https://api.example.com/charges",
                "method": "POST",
                "body": {"format": "form"},
                "params_mapping": {
                    "card": {"name": "card", "style": "deepObject"},
                    "tags": {"name": "tags", "explode": False},
                },
            }
        ),
        {"card": {"number": "4", "billing": {"zip": "1"}}, "tags": ["a", "b"], "ids": [1, 2], "meta": {"k": "v"}},
    )

    assert request.body == (
        b"card%5Bnumber%5D=4&card%5Bbilling%5D%5Bzip%5D=1&tags=a,b&ids=1&ids=2&meta=%7B%22k%22%3A%22v%22%7D"
    )


def test_the_next_page_keeps_the_separators_of_a_list() -> None:
    request = sent(["a", "b,c"], {"in": "query", "explode": False})

    assert request.with_parameter("page", "2 3").url.partition("?")[2] == "color=a,b%2Cc&page=2%203"
    assert request.with_parameter("color", "x").url.partition("?")[2] == "color=x"


@pytest.mark.parametrize(
    ("mapping", "values", "path", "message"),
    [
        (
            {"in": "query", "style": "matrix"},
            {},
            "style",
            (
                "'matrix' is no style of the query, one of 'deepObject', 'form', 'json', 'pipeDelimited', "
                "'spaceDelimited', 'tabDelimited'"
            ),
        ),
        (
            {"in": "cookie", "style": "deepObject"},
            {},
            "style",
            "'deepObject' is no style of the cookie, one of 'form', 'json'",
        ),
        (
            {"style": "form"},
            {"method": "POST"},
            "style",
            'a JSON body has no styles; they are those of "body": {"format": "form"}',
        ),
        ({"in": "query", "style": "json", "explode": True}, {}, "explode", "the style 'json' has no 'explode'"),
    ],
)  # fmt: skip
def test_a_style_that_its_place_does_not_have_is_an_error(
    mapping: dict[str, Any], values: dict[str, Any], path: str, message: str
) -> None:
    source: dict[str, Json] = {
        "type": "http",
        "url": "https://api.example.com/items",
        "params_mapping": {"value": {"name": "color", **mapping}},
        **values,
    }
    parameters: dict[str, Json] = {"type": "object", "properties": {"value": {}}}
    (problem,) = TOOL_TYPES["http"].problems(source, parameters=parameters, idempotent=False)

    assert (problem.path, problem.message) == (f"params_mapping.value.{path}", message)
