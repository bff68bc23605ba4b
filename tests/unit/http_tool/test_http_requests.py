"""Requests of http tools from the arguments of a model."""

import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flexchat import __version__
from flexchat.errors import ToolInputError
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from functions.tools.http.implementation import Implementation
from functions.tools.http.requests import HttpRequest, build_request

DEFAULTS = {
    "User-Agent": f"flexchat/{__version__}",
    "Accept": "application/json, text/*;q=0.9, */*;q=0.1",
}
"""Headers of every request whose configuration has none of their names."""

OAUTH = {
    "type": "oauth2_client_credentials",
    "token_url": "https://login.example.com/token",
    "client_id": "flexchat",
    "client_secret": "s3cret",
}

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def implementation(**values: Any) -> Implementation:
    return Implementation.model_validate({"type": "http", "url": "https://api.example.com/items", **values})


def request(arguments: dict[str, Json], **values: Any) -> HttpRequest:
    return build_request(implementation(**values), arguments)


def test_arguments_of_a_get_request_are_query_parameters_with_mapped_names() -> None:
    sent = request({"location": "Paris", "units": "celsius"}, params_mapping={"location": "q"})

    assert (sent.method, sent.url, sent.body) == (
        "GET",
        "https://api.example.com/items?q=Paris&units=celsius",
        None,
    )


def test_arguments_of_a_post_request_are_a_json_body_with_mapped_names() -> None:
    sent = request({"title": "Broken", "urgent": True}, method="POST", params_mapping={"title": "summary"})

    assert (sent.url, sent.headers, sent.body) == (
        "https://api.example.com/items",
        {**DEFAULTS, "Content-Type": "application/json"},
        b'{"summary":"Broken","urgent":true}',
    )


def test_strict_mapping_drops_arguments_that_are_not_mapped() -> None:
    sent = request({"location": "Paris", "units": "c"}, params_mapping={"location": "q"}, strict_mapping=True)

    assert sent.url == "https://api.example.com/items?q=Paris"


def test_a_post_request_without_arguments_has_an_empty_object() -> None:
    assert request({}, method="POST").body == b"{}"


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE"])
def test_a_request_of_a_method_without_a_body_has_none(method: str) -> None:
    assert request({"a": 1}, method=method).body is None


def test_arguments_are_placed_in_path_query_header_and_body() -> None:
    sent = request(
        {"id": 7, "page": 2, "trace": "x1", "name": "n"},
        url="https://api.example.com/users/{id}",
        method="PATCH",
        params_mapping={"page": {"name": "p", "in": "query"}, "trace": {"name": "X-Trace", "in": "header"}},
    )

    assert (sent.url, sent.headers, sent.body) == (
        "https://api.example.com/users/7?p=2",
        {**DEFAULTS, "Content-Type": "application/json", "X-Trace": "x1"},
        b'{"name":"n"}',
    )


def test_lists_are_repeated_parameters_objects_are_json_and_null_is_omitted() -> None:
    sent = request({"tag": ["a", "b", None], "where": {"x": 1}, "none": None, "flag": False, "n": 1.5})

    assert parse_qsl(urlsplit(sent.url).query) == [
        ("tag", "a"),
        ("tag", "b"),
        ("where", '{"x":1}'),
        ("flag", "false"),
        ("n", "1.5"),
    ]


def test_fixed_parameters_and_headers_take_precedence_over_arguments() -> None:
    sent = request(
        {"key": "mine", "X-Org": "evil"},
        url="https://api.example.com/items?v=2",
        query={"key": "fixed"},
        headers={"x-org": "ours"},
        params_mapping={"X-Org": {"name": "X-Org", "in": "header"}},
    )

    assert (sent.url, sent.headers) == (
        "https://api.example.com/items?v=2&key=fixed",
        {**DEFAULTS, "x-org": "ours"},
    )


def test_a_body_template_keeps_types_and_omits_missing_arguments() -> None:
    template = {
        "fields": {"title": "{{title}}", "n": "{{n}}", "none": "{{absent}}"},
        "all": ["{{n}}", "{{absent}}", "x"],
    }

    sent = request({"title": "T", "n": 3}, method="POST", body={"template": template})

    assert sent.body == b'{"fields":{"title":"T","n":3},"all":[3,"x"]}'


def test_a_placeholder_inside_of_an_argument_is_not_replaced() -> None:
    sent = request(
        {"a": "{{secret}}", "secret": "s3cret"}, method="POST", body={"template": {"text": "Say {{a}}: {{a}}"}}
    )

    assert sent.body == b'{"text":"Say {{secret}}: {{secret}}"}'


def test_a_form_body_is_percent_encoded() -> None:
    sent = request({"q": "a&b=c", "tag": ["x", "y"]}, method="POST", body={"format": "form"})

    assert (sent.headers, sent.body) == (
        {**DEFAULTS, "Content-Type": "application/x-www-form-urlencoded"},
        b"q=a%26b%3Dc&tag=x&tag=y",
    )


@pytest.mark.parametrize("value", ["", ".", "..", "a/../b", "..\\x", "x\0", "x\r\nX-Evil: 1", {"a": 1}, [[1]]])
def test_an_argument_that_could_change_the_path_is_refused(value: Json) -> None:
    with pytest.raises(ToolInputError):
        request({"id": value}, url="https://api.example.com/users/{id}/posts")


def test_a_missing_path_parameter_is_named() -> None:
    with pytest.raises(ToolInputError, match="'id' is required: it is a part of the address"):
        request({}, url="https://api.example.com/users/{id}")


@pytest.mark.parametrize("value", ["x\r\nX-Evil: 1", "x\0", "é"])
def test_an_argument_that_a_header_cannot_carry_is_refused(value: str) -> None:
    with pytest.raises(ToolInputError, match="'X-Trace' must contain only printable ASCII characters"):
        request({"t": value}, params_mapping={"t": {"name": "X-Trace", "in": "header"}})


@given(segment=TEXTS, value=TEXTS)
def test_no_argument_changes_host_path_structure_or_other_parameters(segment: str, value: str) -> None:
    try:
        sent = request({"id": segment, "q": value}, url="https://api.example.com/users/{id}/posts?v=1")
    except ToolInputError:
        assume(False)
        return
    parts = urlsplit(sent.url)

    assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "api.example.com", "")
    before, found, after = parts.path.split("/")[1:]
    assert (before, unquote(found), after) == ("users", segment, "posts")
    assert parse_qsl(parts.query, keep_blank_values=True) == [("v", "1"), ("q", value)]


@given(value=TEXTS)
def test_no_argument_changes_another_field_of_a_form(value: str) -> None:
    sent = request({"a": value, "b": "fixed"}, method="POST", body={"format": "form"})

    assert parse_qsl((sent.body or b"").decode(), keep_blank_values=True) == [("a", value), ("b", "fixed")]


@pytest.mark.parametrize(
    ("values", "path", "problem"),
    [
        ({"url": "https://{host}/x"}, "url", "the host must be written out"),
        ({"url": "https://${HOST}/x"}, "url", "the host must be written out"),
        ({"url": "https://user:pw@api.example.com/"}, "url", "the URL must not contain credentials"),
        ({"url": "ftp://api.example.com/"}, "url", "the URL must begin with 'https://'"),
        ({"url": "https://api.example.com/x#y"}, "url", "must not have a fragment"),
        ({"url": "https://api.example.com/x?id={id}"}, "url", "parameters in braces belong to the path"),
        ({"url": "https://api.example.com/{${NAME}}"}, "url", "the URL contains characters that must be"),
        ({"headers": {"Host": "evil"}}, "headers.Host", "the header 'Host' cannot be set"),
        ({"headers": {"X-A": "a\r\nX-B: c"}}, "headers.X-A", "must contain only printable ASCII"),
        ({"params_mapping": {"a": {"name": "Host", "in": "header"}}}, "params_mapping.a", "'Host' cannot be set"),
        ({"params_mapping": {"a": {"name": "id", "in": "path"}}}, "params_mapping.a", "the url has no parameter {id}"),
        ({"params_mapping": {"a": {"name": "x", "in": "body"}}}, "params_mapping.a", "a GET request has no body"),
        ({"auth": {"type": "api_key", "name": "Host", "value": "k"}}, "auth.name", "'Host' cannot be set"),
        ({"auth": {"type": "api_key", "name": "X\nY", "value": "k"}}, "auth.name", "cannot be set"),
        ({"auth": {**OAUTH, "token_url": "http:login"}}, "auth.token_url", "the URL must begin with"),
        ({"auth": {**OAUTH, "token_url": "https://a/{t}"}}, "auth.token_url", "must not have a parameter in braces"),
        ({"body": {"template": {}}}, "body.template", "a GET request has no body"),
        ({"method": "POST", "body": {"format": "form", "template": ["a"]}}, "body.template", "must be an object"),
        ({"method": "DELETE", "cache_seconds": 60}, "cache_seconds", "must be sent every time"),
        ({"method": "POST", "pagination": {"type": "link"}}, "pagination", "only GET requests have pages"),
        *(
            (
                {"allowed_hosts": [host]},
                "allowed_hosts[0]",
                f"{host!r} is not an exact host name, such as 'api.example.com:8443'",
            )
            for host in (
                "*.example.com",
                "a.example.com/path",
                "a.example.com:99999",
                "a.example.com:443",
                "u@a.example.com",
            )
        ),
        ({"response_path": "$.items[?@.price > 1]"}, "response_path", "must not have a filter"),
        ({"response_path": "$..a..b"}, "response_path", "may have '..' only once"),
        ({"response_path": "items["}, "response_path", "is not a JSONPath such as"),
        ({"response_path": "$[?match(@.a, '(a+)+$')]"}, "response_path", "must not have a filter"),
    ],
)
def test_a_configuration_that_cannot_work_is_a_problem_of_its_field(
    values: dict[str, Any], path: str, problem: str
) -> None:
    found = TOOL_TYPES["http"].problems({"type": "http", "url": "https://api.example.com/items", **values})

    assert [(one.path, problem in one.message) for one in found] == [(path, True)]


def test_every_field_of_a_configuration_with_several_problems_is_reported() -> None:
    found = TOOL_TYPES["http"].problems({"type": "http", "url": "ftp://x/", "headers": {"TE": "x", "Host": "y"}})

    assert [one.path for one in found] == ["url", "headers.TE", "headers.Host"]


def test_a_secret_may_be_in_the_path_and_the_query_of_the_url() -> None:
    accepted = implementation(url="https://api.example.com/bot${TOKEN}/send?key=${KEY}")

    assert accepted.path_parameters == ()


def test_defaults_of_headers_are_replaced_by_those_of_the_configuration_and_of_arguments() -> None:
    sent = request(
        {"format": "text/csv"},
        headers={"user-agent": "ours/1"},
        params_mapping={"format": {"name": "Accept", "in": "header"}},
    )

    assert sent.headers == {"Accept": "text/csv", "user-agent": "ours/1"}


@pytest.mark.parametrize(
    ("format", "accepted"),
    [("json", "application/json"), ("html", "text/html, application/xhtml+xml"), ("text", "text/*, */*;q=0.1")],
)
def test_accept_names_the_format_of_the_response(format: str, accepted: str) -> None:
    assert request({}, response_format=format).headers["Accept"] == accepted


@pytest.mark.parametrize(("method", "url"), [("GET", "items"), ("POST", "items/{a}"), ("POST", "items")])
def test_a_lone_surrogate_is_refused(method: str, url: str) -> None:
    with pytest.raises(ToolInputError, match="without lone surrogates"):
        request({"a": "\ud800"}, method=method, url=f"https://api.example.com/{url}")


def test_arguments_too_long_for_an_address_are_refused() -> None:
    with pytest.raises(ToolInputError, match="the arguments are too long: the address would have 9"):
        request({"a": "x" * 9_000})


def test_the_text_of_a_request_and_of_a_configuration_has_no_secret() -> None:
    values: dict[str, Any] = {
        "url": "https://api.example.com/canary-1?key=canary-2",
        "headers": {"X-Key": "canary-3"},
        "query": {"k": "canary-4"},
    }
    auths = (
        {"type": "bearer", "token": "canary-5"},
        {"type": "basic", "username": "canary-6", "password": "canary-7"},
        {"type": "api_key", "name": "k", "value": "canary-8"},
        {
            **OAUTH,
            "token_url": "https://a.example.com/canary-9",
            "client_id": "canary-10",
            "client_secret": "canary-11",
        },
    )

    texts = [
        repr(request({"a": "canary-12"}, **values)),
        *(repr(implementation(**values, auth=auth)) for auth in auths),
    ]

    assert "canary" not in "".join(texts)


def test_the_version_is_that_of_the_package() -> None:
    package = tomllib.loads(Path("layers/common/pyproject.toml").read_text(encoding="utf-8"))

    assert package["project"]["version"] == __version__
