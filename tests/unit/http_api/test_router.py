"""Routers of the HTTP API."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from flexchat.http_api.api import ApiRouter, HttpApi
from flexchat.http_api.body import BodyLimit
from tests.functional.chat.harness import LambdaContext

EVENT: dict[str, Any] = json.loads((Path(__file__).parents[3] / "events" / "chat-http.json").read_text("utf-8"))

router = ApiRouter[str]()


@router.endpoint("GET", "/api/service", role="user", summary="Name of the service", tags=["service"])
def show_service() -> dict[str, str]:
    return {"service": router.services, "caller": router.caller.principal, "request_id": router.request_id}


class Api(HttpApi[str]):
    routers = (router,)
    body = BodyLimit("{}")


def answer(api: HttpApi[str]) -> dict[str, str]:
    response = api.resolve(EVENT | {"httpMethod": "GET", "path": "/api/service", "body": None}, LambdaContext())
    return json.loads(response["body"])


def test_apis_with_the_same_router_use_their_own_services() -> None:
    first, second = (Api(name) for name in ("first", "second"))

    expected = {"caller": "k7m2p9qx4d", "request_id": EVENT["requestContext"]["requestId"]}
    assert [answer(api) for api in (first, second, first)] == [
        {"service": "first", **expected},
        {"service": "second", **expected},
        {"service": "first", **expected},
    ]


def test_later_routers_are_included_at_the_first_request_for_another_route() -> None:
    included: list[str] = []

    class ApiWithLaterRouters(HttpApi[str]):
        routers = ()
        body = BodyLimit("{}")

        def later_routers(self) -> tuple[ApiRouter[str], ...]:
            included.append("later")
            return (router,)

    api = ApiWithLaterRouters("service")
    at_start = list(included)

    assert [answer(api)["service"] for _ in range(2)] == ["service", "service"]
    assert (at_start, included) == ([], ["later"])


def test_a_request_for_an_included_route_leaves_later_routers_out() -> None:
    class ApiWithLaterRouters(Api):
        def later_routers(self) -> tuple[ApiRouter[str], ...]:
            raise AssertionError("the route is in `routers`")

    assert answer(ApiWithLaterRouters("service"))["service"] == "service"


def test_a_router_stores_nothing_of_a_request() -> None:
    answer(Api("service"))

    with pytest.raises(KeyError):
        _ = router.services


items = ApiRouter[str]()


@items.endpoint("GET", "/v1/items/<id>", role="user", summary="Item", tags=["service"])
def show_item(id: str) -> dict[str, str]:
    return {"id": unquote(id)}


@pytest.mark.parametrize("resource", ["/v1/items/{id}", "/v1/items/{id+}"])
@pytest.mark.parametrize(
    ("sent", "id"),
    [
        ("gpt", "gpt"),
        ("flexchat/support", "flexchat/support"),
        ("flexchat%2Fsupport", "flexchat/support"),
        ("openai:org/model-1.5", "openai:org/model-1.5"),
        ("a/../b//c", "a/../b//c"),
    ],
)
def test_parameter_with_slashes_is_one_segment(resource: str, sent: str, id: str) -> None:
    class ApiWithSlashes(HttpApi[str]):
        routers = (items,)
        body = BodyLimit("{}")
        slash_parameter = (resource, "id")

    event = EVENT | {"httpMethod": "GET", "resource": resource, "path": f"/v1/items/{sent}", "body": None}

    response = ApiWithSlashes("service").resolve(event | {"pathParameters": {"id": sent}}, LambdaContext())

    assert (response["statusCode"], json.loads(response["body"])) == (200, {"id": id})
