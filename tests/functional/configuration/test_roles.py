"""Rights and tokens of roles of the configuration."""

from typing import Any

import pytest

from flexchat.audit import Auditor
from flexchat.config.models.limits import LimitsConfig
from flexchat.config.parameters import configuration_path
from flexchat.errors import UnavailableError
from flexchat.http_api.caller import DIRECT
from flexchat.messages import Json
from functions.configuration.token_models import NewToken
from functions.configuration.tokens import TokenManager
from tests.functional.configuration.harness import Service, source

ROLES: dict[str, Json] = {"editor": {"may": ["configure"]}, "support": {}}


@pytest.fixture
def staffed(service: Service) -> Service:
    service.push(source(roles=ROLES), "roles")
    return service


def test_a_role_that_may_configure_reads_checks_and_publishes(staffed: Service) -> None:
    draft = staffed.draft()

    def status(method: str, path: str, body: Any = None, roles: str = "editor") -> int:
        return staffed.request(method, path, body, roles=roles).status

    assert status("GET", "/api/configuration") == 200
    assert status("POST", "/api/configuration/check", draft) == 200
    assert status("GET", "/api/configuration/versions") == 200
    assert status("GET", "/api/configuration", roles="support") == 403
    assert status("GET", "/api/configuration", roles="user") == 403
    assert status("GET", "/api/configuration", roles="gone") == 403


def test_a_role_that_may_configure_does_not_manage_tokens(staffed: Service) -> None:
    created = staffed.request("POST", "/api/tokens", {"name": "mine", "roles": ["operator"]}, roles="editor")

    assert (created.status, created.body["error"]) == (403, "forbidden")
    assert staffed.request("GET", "/api/tokens", roles="editor").status == 403


def test_without_a_configuration_a_user_is_refused_as_before(service: Service) -> None:
    service.store.delete(service.store.names(configuration_path("test")))

    assert service.request("GET", "/api/configuration", roles="user").status == 403


def test_a_token_has_roles_of_the_configuration(staffed: Service) -> None:
    created = staffed.post("/api/tokens", {"name": "Support desk", "roles": ["support", "service"]})

    assert (created.status, created.body["record"]["roles"]) == (201, ["service", "support"])
    assert staffed.get("/api/tokens").body["roles"] == ["user", "operator", "service", "editor", "support"]


def test_a_role_that_is_not_configured_is_refused_with_a_similar_one(staffed: Service) -> None:
    refused = staffed.post("/api/tokens", {"name": "Support desk", "roles": ["suport"]})

    assert refused.status == 400
    assert refused.body["message"].startswith("no role 'suport'; did you mean 'support'?; the roles are 'user'")


def test_a_role_is_not_called_unknown_while_the_configuration_cannot_be_read(service: Service) -> None:
    def unreadable() -> Any:
        raise UnavailableError("the configuration cannot be read at present")

    manager = TokenManager(
        service.tokens, limits=LimitsConfig, roles=unreadable, stage="test", managed=True, clock=lambda: service.now
    )

    audit = Auditor(write=lambda _record: True, principal="ops", request_id="r", front_end="api")

    with pytest.raises(UnavailableError):
        manager.create(NewToken(name="Support desk", roles=("support",)), caller=DIRECT, author="ops", audit=audit)
    assert manager.list().roles == ("user", "operator", "service")
    manager.create(NewToken(name="Ada"), caller=DIRECT, author="ops", audit=audit)
    assert [record.name for record in service.tokens.list()] == ["Ada"]


def test_without_a_configuration_only_the_built_in_roles_exist(service: Service) -> None:
    service.store.delete(service.store.names(configuration_path("test")))

    refused = service.post("/api/tokens", {"name": "Support desk", "roles": ["support"]})

    assert (refused.status, refused.body["error"]) == (400, "invalid_request")
