"""Collections of roles of the configuration."""

from pathlib import Path
from typing import Any

import pytest

from flexchat.config.models.roles import RoleConfig
from tests.functional.collections.harness import Api, open_api

pytestmark = pytest.mark.slow

ROLES = {"support": RoleConfig(collections=("hand*",)), "sales": RoleConfig(collections=())}


@pytest.fixture
def api(tmp_path: Path, api: Api) -> Api:
    served = open_api(tmp_path, roles=ROLES)
    for name in ("handbook", "salaries"):
        assert served.send("POST", "/api/collections", {"name": name}).status == 201
    served.roles = "support"
    return served


def names(api: Api) -> list[str]:
    return [info["name"] for info in api.send("GET", "/api/collections").body["collections"]]


def test_only_collections_of_the_role_are_listed(api: Api) -> None:
    assert names(api) == ["handbook"]
    api.roles = "sales"
    assert names(api) == []
    api.roles = "user,sales"
    assert names(api) == ["handbook", "salaries"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/collections/{}", None),
        ("GET", "/api/collections/{}/documents", None),
        ("POST", "/api/collections/{}/query", {"query": "a"}),
    ],
)
@pytest.mark.parametrize("name", ["salaries", "handbok", "hand"])
def test_another_collection_does_not_exist_and_none_is_named(
    api: Api, method: str, path: str, body: Any, name: str
) -> None:
    assert api.send(method, path.format("handbook"), body).status == 200

    refusal = api.send(method, path.format(name), body).refusal

    assert refusal == (404, "collection_not_found", f"collection {name!r} not found")


def test_a_role_that_is_not_configured_reads_nothing(api: Api) -> None:
    api.roles = "guests"

    status, code, message = api.send("GET", "/api/collections").refusal

    assert (status, code) == (403, "role_not_configured")
    assert "the configuration has no role 'guests'" in message


def test_a_role_changes_no_collection(api: Api) -> None:
    assert api.send("DELETE", "/api/collections/handbook").status == 403
