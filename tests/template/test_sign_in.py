"""Rules for sign-in: the template's parameters as variables of the API's stage."""

import re

import pytest

from functions.authorizer.authorize import StageVariables
from functions.page.sign_in import SignIn
from tests.template.resolver import Resolved, section
from tests.template.transform import Transformed

VARIABLE = re.compile(r"[A-Za-z0-9._~:/?#&=,-]{1,512}")
"""Values of stage variables that API Gateway accepts (CreateStage, REST API reference)."""

PARAMETERS = {
    "OidcIssuer": "https://login.example.com/v2.0",
    "OidcAudiences": "api://default,4f2c",
    "OidcRolesClaim": "cognito:groups",
    "OidcPrincipalClaim": "oid",
    "OidcUserRoles": "staff,guests",
    "OidcOperatorRoles": "Flexchat.Admin",
    "OidcClientId": "4f2c-page",
    "OidcScopes": "openid,profile,offline_access,api://flexchat/chat",
    "OidcName": "Acme_ID",
    "OidcOrigins": "https://tokens.example.com,http://127.0.0.1:9000",
    "OidcRoles": "support,sales-emea",
}


def _variables(template: Transformed, **parameters: str) -> dict[str, str] | None:
    (stage,) = template.of_type("AWS::ApiGateway::Stage")
    return Resolved(template, parameters).properties(stage).get("Variables")


def test_there_is_no_issuer_by_default(template: Transformed) -> None:
    assert _variables(template) is None


def test_authorizer_reads_every_rule_that_the_template_writes(template: Transformed) -> None:
    variables = _variables(template, **PARAMETERS)

    issuer = StageVariables.model_validate(variables).issuer()
    assert issuer is not None
    assert issuer.issuer == "https://login.example.com/v2.0"
    assert issuer.audiences == {"api://default", "4f2c"}
    assert issuer.roles_claim == "cognito:groups"
    assert issuer.principal_claim == "oid"
    assert issuer.users == {"staff", "guests"}
    assert issuer.operators == {"Flexchat.Admin"}
    assert issuer.named == {"support", "sales-emea"}


def test_page_reads_every_setting_of_its_client_that_the_template_writes(template: Transformed) -> None:
    assert SignIn.from_variables(_variables(template, **PARAMETERS)) == SignIn(
        issuer="https://login.example.com/v2.0",
        client_id="4f2c-page",
        scopes=("openid", "profile", "offline_access", "api://flexchat/chat"),
        name="Acme ID",
        origins=("https://tokens.example.com", "http://127.0.0.1:9000"),
    )


def test_client_needs_no_more_than_its_id(template: Transformed) -> None:
    required = {name: PARAMETERS[name] for name in ("OidcIssuer", "OidcAudiences", "OidcUserRoles", "OidcClientId")}
    variables = _variables(template, **required)

    assert variables is not None
    assert {name: variables.get(name) for name in ("oidcClientId", "oidcScopes", "oidcName", "oidcOrigins")} == {
        "oidcClientId": "4f2c-page",
        "oidcScopes": "openid,profile",
        "oidcName": None,
        "oidcOrigins": None,
    }


@pytest.mark.parametrize("scopes", ["profile", "openid profile", "openid,", "profile,openid", "openidx", ""])
def test_scopes_begin_with_openid(scopes: str) -> None:
    assert not re.fullmatch(section("Parameters")["OidcScopes"]["AllowedPattern"], scopes)


@pytest.mark.parametrize(
    "origins", ["tokens.example.com", "https://a/", "https://a/b", "https://*.example.com", "https://a;script-src", "*"]
)
def test_origins_are_exact(origins: str) -> None:
    assert not re.fullmatch(section("Parameters")["OidcOrigins"]["AllowedPattern"], origins)


def test_empty_parameters_make_no_variable(template: Transformed) -> None:
    required = {name: PARAMETERS[name] for name in ("OidcIssuer", "OidcAudiences", "OidcUserRoles")}

    assert _variables(template, **required) == {
        "oidcIssuer": "https://login.example.com/v2.0",
        "oidcAudiences": "api://default,4f2c",
        "oidcUserRoles": "staff,guests",
        "oidcRolesClaim": "roles",
        "oidcPrincipalClaim": "sub",
    }


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_parameters_accept_what_a_stage_variable_accepts(parameter: str) -> None:
    pattern = section("Parameters")[parameter]["AllowedPattern"]

    assert re.fullmatch(pattern, PARAMETERS[parameter])
    assert VARIABLE.fullmatch(PARAMETERS[parameter])
    for wrong in ("a b", 'https://a"', "https://a{b}", "https://a\\b", "https://a'", "https://a%20", "https://ä"):
        assert not re.fullmatch(pattern, wrong)


@pytest.mark.parametrize(
    ("parameters", "holds"),
    [
        ({}, True),
        (PARAMETERS, True),
        ({"OidcIssuer": "https://a", "OidcAudiences": "b", "OidcOperatorRoles": "c"}, True),
        ({"OidcIssuer": "https://a", "OidcAudiences": "b", "OidcRoles": "support"}, True),
        ({"OidcIssuer": "https://a", "OidcUserRoles": "all"}, False),  # any application's tokens
        ({"OidcIssuer": "https://a", "OidcAudiences": "b"}, False),  # no role
        ({"OidcClientId": "c"}, False),  # the API would not accept its tokens
    ],
)
def test_rule_refuses_incomplete_parameters(template: Transformed, parameters: dict[str, str], holds: bool) -> None:
    assertions = section("Rules")["IssuerAndAudiences"]["Assertions"]

    assert all(Resolved(template, parameters).is_true(each["Assert"]) for each in assertions) is holds
