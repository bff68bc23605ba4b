"""API tokens by the API: list, create, revoke, and what their log lines and responses contain."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from flexchat.config.models.limits import Limits
from flexchat.config.parameters import configuration_path
from flexchat.tokens import Token, issue
from functions.authorizer.authorize import AuthorizerRequest, authorize
from tests.functional.configuration.harness import Service, source

TOKENS = "/api/tokens"
NO_LIMITS: dict[str, Any] = dict.fromkeys(name for name in Limits.model_fields if name != "comment")


def create(service: Service, **changes: Any) -> Any:
    return service.post(TOKENS, {"name": "Ada's laptop", **changes})


def admitted(service: Service, token: str) -> Any:
    """Return the context of the authorizer for a token; None for a denied one."""
    event = {
        "methodArn": "arn:aws:execute-api:us-east-1:123456789012:api/test/GET/api/me",
        "resource": "/api/me",
        "headers": {"Authorization": f"Bearer {token}"},
    }
    request = AuthorizerRequest.model_validate(event)
    return authorize(request, tokens=service.tokens, now=datetime.fromtimestamp(service.now, UTC)).get("context")


def test_a_created_token_is_accepted_until_it_is_revoked(service: Service) -> None:
    created = create(service, roles=["operator", "user"], days=30)

    assert (created.status, created.headers["Cache-Control"]) == (201, ["no-store"])
    token, record = created.body["token"], created.body["record"]
    assert (
        record
        == {
            "id": Token.parse(token).id,  # pyright: ignore[reportOptionalMemberAccess]
            "name": "Ada's laptop",
            "roles": ["user", "operator"],
            "hint": token[-4:],
            "state": "live",
            "created_at": "2026-11-27T03:00:00Z",
            "expires_at": "2026-12-27T03:00:00Z",
            "created_by": "grace (token k7m2p9qx4d)",
            "limits": {
                "own": {},
                "inherited": NO_LIMITS,
                "effective": NO_LIMITS,
            },
        }
    )
    assert admitted(service, token)["roles"] == "user,operator"
    assert service.get(TOKENS).body["tokens"] == [record]

    revoked = service.delete(f"{TOKENS}/{record['id']}")

    assert (revoked.status, revoked.body) == (204, None)
    assert admitted(service, token) is None
    again = service.delete(f"{TOKENS}/{record['id']}")
    assert (again.status, again.body["error"]) == (404, "token_not_found")


def test_a_token_has_the_role_user_and_ninety_days_by_default(service: Service) -> None:
    record = create(service).body["record"]

    assert (record["roles"], record["expires_at"]) == (["user"], "2027-02-25T03:00:00Z")


def test_tokens_of_the_command_are_listed_and_an_expired_one_says_so(service: Service) -> None:
    now = datetime.fromtimestamp(service.now, UTC)
    live = issue(name="ops", roles=("operator",), lifetime=timedelta(days=1), now=now)
    expired = issue(name="old", roles=("user",), lifetime=timedelta(days=1), now=now - timedelta(days=2))
    service.tokens.put(live.record)
    service.tokens.put(expired.record)

    body = service.get(TOKENS).body

    assert (body["stage"], body["managed"], body["max_days"]) == ("test", True, 365)
    assert [(each["name"], each["state"]) for each in body["tokens"]] == [("ops", "live"), ("old", "expired")]
    assert "created_by" not in body["tokens"][0]


def test_a_token_has_its_own_limits_and_those_that_apply(service: Service) -> None:
    token_id = create(service, roles=["user"]).body["record"]["id"]
    limits: Any = {
        "caller": {"requests_per_minute": 20, "tokens_per_day": 1_000},
        "principals": {token_id: {"comment": "a batch", "tokens_per_day": None, "tool_calls_per_minute": 5}},
    }
    service.push(source(limits=limits), "limits")

    (token,) = service.get(TOKENS).body["tokens"]

    assert token["limits"] == {
        "own": {"tokens_per_day": None, "tool_calls_per_minute": 5},
        "inherited": {**NO_LIMITS, "requests_per_minute": 20, "tokens_per_day": 1_000},
        "effective": {**NO_LIMITS, "requests_per_minute": 20, "tool_calls_per_minute": 5},
    }


def test_tokens_are_listed_without_limits_where_no_configuration_is_published(service: Service) -> None:
    create(service)
    service.store.delete(service.store.read_path(configuration_path("test")))

    (token,) = service.get(TOKENS).body["tokens"]

    assert "limits" not in token


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": ""}, "1 to 64 printable characters"),
        ({"name": " ada"}, "without space at either end"),
        ({"name": "a" * 65}, "1 to 64 printable characters"),
        ({"name": "a\nb"}, "1 to 64 printable characters"),
        ({"name": "fc_k7m2p9qx4d_" + "a1B2" * 10 + "abc"}, "looks like a key or a token"),
        ({"roles": []}, "at least 1 item"),
        ({"roles": ["operators"]}, "no role 'operators'; did you mean 'operator'?; the roles are 'user', 'operator'"),
        ({"roles": ["No role"]}, "does not match ^[a-z]"),
        ({"roles": ["service"]}, "needs the role 'user' beside it"),
        ({"days": 0}, "greater than or equal to 1"),
        ({"days": 366}, "less than or equal to 365"),
        ({"days": 1.5}, "must be a whole number, not 1.5"),
        ({"expires": "never"}, "expires"),
    ],
)
def test_a_token_that_is_not_valid_is_rejected_with_the_reason(
    service: Service, changes: dict[str, Any], message: str
) -> None:
    answer = create(service, **changes)

    assert (answer.status, answer.body["error"]) == (400, "invalid_request")
    assert message in json.dumps(answer.body)
    assert service.tokens.list() == ()


@pytest.mark.parametrize("roles", ["user", "service", "user,service"])
def test_only_operators_see_and_change_tokens(service: Service, roles: str) -> None:
    token_id = create(service).body["record"]["id"]

    for method, path in (("GET", TOKENS), ("POST", TOKENS), ("DELETE", f"{TOKENS}/{token_id}")):
        answer = service.request(method, path, {"name": "mine"} if method == "POST" else None, roles=roles)
        assert (answer.status, answer.body["error"]) == (403, "forbidden")
    assert [record.id for record in service.tokens.list()] == [token_id]


def test_an_end_user_of_a_service_is_no_operator_whatever_the_roles_of_the_service(service: Service) -> None:
    answer = service.request(
        "POST", TOKENS, {"name": "mine"}, roles="user,operator,service", headers={"X-Flexchat-User": "customer-1"}
    )

    assert (answer.status, service.tokens.list()) == (403, ())


def test_a_person_who_signed_in_is_named_as_the_creator(service: Service) -> None:
    answer = service.request("POST", TOKENS, {"name": "mine"}, principal="oidc_abc")

    assert answer.body["record"]["created_by"] == "grace (person oidc_abc)"


def test_a_token_may_revoke_itself(service: Service) -> None:
    token_id = create(service, roles=["operator"]).body["record"]["id"]

    assert service.request("DELETE", f"{TOKENS}/{token_id}", principal=token_id).status == 204


@pytest.mark.parametrize("token_id", ["abcdefghjk", "%20", "a" * 64, "fc_abcdefghjk_x"])
def test_an_unknown_token_is_not_found(service: Service, token_id: str) -> None:
    answer = service.delete(f"{TOKENS}/{token_id}")

    assert (answer.status, answer.body["error"]) == (404, "token_not_found")


def test_an_id_beyond_the_length_of_a_key_is_rejected(service: Service) -> None:
    assert service.delete(f"{TOKENS}/{'a' * 3_000}").status == 400


@pytest.mark.parametrize(("setting", "protected"), [("off", False), ("auto", True)])
def test_a_stage_without_management_lists_tokens_and_names_the_commands(
    service: Service, setting: str, *, protected: bool
) -> None:
    token_id = create(service).body["record"]["id"]
    service.function = service.of(tokens=setting, protected=protected)

    listed = service.get(TOKENS).body
    answers = create(service), service.delete(f"{TOKENS}/{token_id}")

    assert (listed["managed"], len(listed["tokens"])) == (False, 1)
    for part in ("TokenManagement=on", "flexchat tokens create --stage test", "flexchat tokens revoke ID"):
        assert part in listed["managed_problem"]
    for answer in answers:
        assert (answer.status, answer.body["error"]) == (403, "token_management_disabled")
    assert [record.id for record in service.tokens.list()] == [token_id]


def test_a_protected_stage_manages_tokens_if_it_was_chosen(service: Service) -> None:
    service.function = service.of(tokens="on", protected=True)

    assert create(service).status == 201


def test_the_log_has_who_created_and_revoked_a_token_and_the_secret_is_in_one_response_alone(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    created = create(service, roles=["user"])
    token, token_id = created.body["token"], created.body["record"]["id"]
    secret = token.removeprefix(f"fc_{token_id}_")
    others = [
        service.get(TOKENS),
        create(service, name=token),
        service.delete(f"{TOKENS}/{token}"),
        service.delete(f"{TOKENS}/{token_id}"),
    ]

    printed = capsys.readouterr().out
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    events = [line for line in lines if line["message"] in ("token created", "token revoked")]
    assert [(each["message"], each["by"], each["id"], each["holder"], each["roles"]) for each in events] == [
        ("token created", "k7m2p9qx4d", token_id, "Ada's laptop", ["user"]),
        ("token revoked", "k7m2p9qx4d", token_id, "Ada's laptop", ["user"]),
    ]
    assert secret not in printed
    assert secret not in json.dumps([each.body for each in others])
    assert secret not in json.dumps(service.dynamodb.scan(TableName="flexchat-test-tokens")["Items"], default=str)


def test_a_table_that_does_not_answer_is_unavailable(service: Service) -> None:
    service.dynamodb.delete_table(TableName="flexchat-test-tokens")

    assert {service.get(TOKENS).status, create(service).status, service.delete(f"{TOKENS}/abcdefghjk").status} <= {
        500,
        503,
    }
