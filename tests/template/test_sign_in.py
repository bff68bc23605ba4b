"""Rules for sign-in: the template's parameters as variables of the API's stage."""

import re

import pytest

from functions.authorizer.authorize import StageVariables
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
        ({"OidcIssuer": "https://a", "OidcUserRoles": "all"}, False),  # any application's tokens
        ({"OidcIssuer": "https://a", "OidcAudiences": "b"}, False),  # no role
    ],
)
def test_rule_refuses_incomplete_parameters(template: Transformed, parameters: dict[str, str], holds: bool) -> None:
    assertions = section("Rules")["IssuerAndAudiences"]["Assertions"]

    assert all(Resolved(template, parameters).is_true(each["Assert"]) for each in assertions) is holds
