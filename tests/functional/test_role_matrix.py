"""Every route and every kind of caller: built-in roles, those of the configuration with their rights, services, none.

The routes are those of the OpenAPI document; the rights are declared here, and compared with the routers.
"""

import json
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from msgspec import Struct

from flexchat.config.models.roles import Right, RoleConfig
from flexchat.http_api.api import HttpApi
from flexchat.http_api.caller import USER_HEADER
from functions.chat.api.api import ChatApi
from functions.chat.api.service import openapi_text
from functions.configuration.api import ConfigurationApi
from functions.retrieval.routes import CollectionsApi
from functions.tools.mcp.discovery.routes import McpApi
from functions.traces.api import TracesApi
from functions.validation.api import ValidationApi
from tests.functional.test_roles import LOWEST, Context, Unavailable, error_code, of_route, request

ROLES = {
    "support": RoleConfig(rules=("support",), tools=(), models=(), collections=()),
    "editor": RoleConfig(may=("configure",)),
    "tester": RoleConfig(may=("validate",)),
    "all": RoleConfig(may=("configure", "validate")),
    "powerless": RoleConfig(rules=(), tools=(), models=(), collections=(), views=()),
}

RIGHTS: dict[str, Right] = {
    "GET /api/config": "configure",
    "POST /api/config/match": "configure",
    "POST /api/topic/test": "configure",
    "POST /api/intent/test": "configure",
    "GET /api/configuration": "configure",
    "POST /api/configuration/check": "configure",
    "POST /api/configuration/match": "configure",
    "GET /api/configuration/versions": "configure",
    "POST /api/configuration/versions": "configure",
    "GET /api/configuration/versions/{number}": "configure",
    "POST /api/configuration/versions/{number}/restore": "configure",
    "POST /api/tools/validate": "validate",
    "DELETE /api/tools/validate/{model}": "validate",
    "DELETE /api/validation/runs/{id}": "validate",
    "POST /api/validation/runs/{id}/resume": "validate",
    "PUT /api/validation/suites/{name}": "validate",
    "DELETE /api/validation/suites/{name}": "validate",
}
"""Routes of operators that a right of the configuration opens. All others of operators are for them alone."""


class Kind(Struct, frozen=True):
    """Caller with the roles of its token; it uses routes of `user`, of the rights `may`, or all of operators."""

    roles: str | None
    user: bool = False
    may: tuple[Right, ...] = ()
    operator: bool = False
    end_user: str | None = None

    def is_admitted(self, route: str) -> bool:
        lowest = LOWEST[route]
        if lowest == "no token" or self.operator:
            return True
        return self.user if lowest == "user" else RIGHTS.get(route) in self.may


CALLERS = {
    "no authorizer": Kind(None),
    "no role": Kind(""),
    "user": Kind("user", user=True),
    "operator": Kind("operator", user=True, operator=True),
    "user and operator": Kind("user,operator", user=True, operator=True),
    "role without rights": Kind("support", user=True),
    "role without any name": Kind("powerless", user=True),
    "role that may configure": Kind("editor", user=True, may=("configure",)),
    "role that may validate": Kind("tester", user=True, may=("validate",)),
    "role that may do both": Kind("all", user=True, may=("configure", "validate")),
    "two roles": Kind("editor,tester", user=True, may=("configure", "validate")),
    "user with a role": Kind("user,editor", user=True, may=("configure",)),
    "role that is not configured": Kind("gone", user=True),
    "service": Kind("service"),
    "service of users": Kind("service,user", user=True),
    "service that may configure": Kind("service,editor", user=True, may=("configure",)),
    "service of operators": Kind("service,operator", user=True, operator=True),
    "end user of a service": Kind("service,user", user=True, end_user="ana"),
    "end user of a service of operators": Kind("service,operator,user", user=True, end_user="ana"),
    "end user with a role": Kind("service,editor", user=True, may=("configure",), end_user="ana"),
    "end user without a role": Kind("service", end_user="ana"),
    "end user of another token": Kind("user", end_user="ana"),
}


class Services(Unavailable):
    """Services of which only the roles of the configuration can be read."""

    runtimes: ClassVar = SimpleNamespace(
        current=lambda: SimpleNamespace(catalog=SimpleNamespace(configuration=SimpleNamespace(roles=ROLES)))
    )
    editor: ClassVar = SimpleNamespace(roles=lambda: ROLES)

    @staticmethod
    def roles() -> dict[str, RoleConfig]:
        return ROLES


APIS: tuple[type[HttpApi[Any]], ...] = (
    ChatApi,
    CollectionsApi,
    ConfigurationApi,
    McpApi,
    TracesApi,
    ValidationApi,
)


@pytest.fixture(scope="module")
def served() -> dict[str, HttpApi[Any]]:
    """Return the API of each route."""
    services: Any = Services()
    found: dict[str, HttpApi[Any]] = {}
    for api in (kind(services) for kind in APIS):
        for router in (*api.routers, *api.later_routers()):
            for endpoint in router.endpoints:
                found[f"{endpoint.method} {endpoint.path.replace('<', '{').replace('>', '}')}"] = api
    return found


def test_the_matrix_has_every_route_of_every_function(served: dict[str, HttpApi[Any]]) -> None:
    assert served.keys() == LOWEST.keys()


def test_rights_open_the_listed_routes_and_no_others(served: dict[str, HttpApi[Any]]) -> None:
    declared = {
        f"{endpoint.method} {endpoint.path.replace('<', '{').replace('>', '}')}": endpoint.right
        for api in set(served.values())
        for router in (*api.routers, *api.later_routers())
        for endpoint in router.endpoints
        if endpoint.right is not None
    }

    paths: dict[str, Any] = json.loads(openapi_text())["paths"]
    documented = {
        f"{method.upper()} {path}": operation["x-right"]
        for path, methods in paths.items()
        for method, operation in methods.items()
        if "x-right" in operation
    }
    assert declared == documented == RIGHTS
    assert {LOWEST[route] for route in RIGHTS} == {"operator"}


@pytest.mark.parametrize("caller", CALLERS)
def test_a_caller_is_admitted_to_exactly_its_routes(served: dict[str, HttpApi[Any]], caller: str) -> None:
    kind = CALLERS[caller]
    if kind.end_user is not None and "service" not in (kind.roles or ""):
        kind = Kind(kind.roles, end_user=kind.end_user)  # a token that names an end user without that right
    admitted = {route for route, api in served.items() if not _is_refused(api, route, kind)}

    assert admitted == {route for route in LOWEST if kind.is_admitted(route)}


REFUSALS = {(403, "forbidden"), (403, "role_not_configured"), (401, "unauthorized"), (401, None)}
"""Refusals of a route before its handler reads anything; the last one in OpenAI's envelope."""


def _is_refused(api: HttpApi[Any], route: str, kind: Kind) -> bool:
    method, template = route.split(" ")
    event = request(method, of_route(template, "a"), "user")
    authorizer = None if kind.roles is None else {"principal": "k7m2p9qx4d", "roles": kind.roles}
    event["requestContext"] = {**event["requestContext"], "authorizer": authorizer}
    if kind.end_user is not None:
        event["headers"] = {**event["headers"], USER_HEADER: kind.end_user}
    response = api.resolve(event, Context())
    code = error_code(response)
    assert response["statusCode"] != 404, route
    # Routes of users without a right in the matrix are handled: chats and tools then compare the roles themselves.
    is_of_handler = LOWEST[route] == "user" and code == "role_not_configured"
    return (response["statusCode"], code) in REFUSALS and not is_of_handler
