"""Protection of the API: throttles of its methods, reserved concurrency, web ACL, and custom domain."""

from itertools import product
from typing import Any

import pytest

from tests.template.resolver import Resolved, section
from tests.template.test_api import OPEN_ROUTES, PREFLIGHTS
from tests.template.transform import Transformed

UNKNOWN_PATHS = {("/v1/{proxy+}", method) for method in ("get", "post", "delete")}
"""Routes whose every request is answered with an error, also without a token."""

DOMAIN = {
    "DomainName": "chat.example.com",
    "CertificateArn": "arn:aws:acm:eu-central-1:123456789012:certificate/a-b",
}
WEB_ACL = "arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/flexchat/a-b"


def method_settings(stack: Resolved) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the settings of single methods by path and method, which API Gateway has no settings for twice."""
    settings = stack.properties("ApiStage")["MethodSettings"][1:]
    found = {(path_of(each["ResourcePath"]), each["HttpMethod"].lower()): each for each in settings}
    assert len(found) == len(settings)
    return found


def path_of(resource_path: str) -> str:
    """https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-apigateway-stage-methodsetting.html"""
    return resource_path[:1] + resource_path[1:].removeprefix("~1").replace("~1", "/")


@pytest.mark.parametrize("origins", ["", "https://app.example.com"])
def test_routes_without_a_token_have_lower_throttles(template: Transformed, origins: str) -> None:
    """API Gateway refuses settings of a method that does not exist, as that of a preflight without origins."""
    limits = {"AnonymousRateLimit": "3", "AnonymousBurstLimit": "7", "AllowedOrigins": origins}
    settings = method_settings(Resolved(template, {**limits, "DetailedApiMetrics": "true"}))

    assert settings.keys() == OPEN_ROUTES | UNKNOWN_PATHS | (PREFLIGHTS if origins else set())
    for each in settings.values():
        assert (each["ThrottlingRateLimit"], each["ThrottlingBurstLimit"]) == ("3", "7")
        assert each["MetricsEnabled"] is True  # settings of a method replace those of all methods


def test_throttles_of_routes_without_a_token_are_below_those_of_the_others_by_default() -> None:
    defaults = {name: parameter.get("Default") for name, parameter in section("Parameters").items()}

    assert defaults["AnonymousRateLimit"] < defaults["ThrottlingRateLimit"]
    assert defaults["AnonymousBurstLimit"] < defaults["ThrottlingBurstLimit"]


def test_only_the_authorizer_has_reserved_concurrency_and_only_by_its_parameter(template: Transformed) -> None:
    default, other = Resolved(template), Resolved(template, {"AuthorizerConcurrency": "25"})

    for name in template.of_type("AWS::Lambda::Function"):
        assert "ReservedConcurrentExecutions" not in default.properties(name)
        reserved = other.properties(name).get("ReservedConcurrentExecutions")
        assert reserved == ("25" if name == "AuthorizerFunction" else None)


def test_a_web_acl_is_associated_with_the_stage_of_the_api(template: Transformed) -> None:
    stack = Resolved(template, {"Stage": "prod", "WebAclArn": WEB_ACL})

    assert not Resolved(template).exists("ApiWebAcl")
    assert stack.exists("ApiWebAcl")
    assert stack.properties("ApiWebAcl") == {
        "ResourceArn": "arn:aws:apigateway:eu-central-1::/restapis/Api/stages/prod",
        "WebACLArn": WEB_ACL,
    }


def test_a_domain_is_mapped_to_the_stage_and_the_default_endpoint_stays_open(template: Transformed) -> None:
    stack = Resolved(template, {"Stage": "prod", **DOMAIN})
    names = ("ApiDomain", "ApiDomainMapping")

    assert [Resolved(template).exists(name) for name in names] == [False, False]
    assert [stack.exists(name) for name in names] == [True, True]
    assert stack.properties("ApiDomain") == {
        "DomainName": DOMAIN["DomainName"],
        "RegionalCertificateArn": DOMAIN["CertificateArn"],
        "EndpointConfiguration": {"Types": ["REGIONAL"]},
        "SecurityPolicy": "TLS_1_2",
    }
    assert stack.properties("ApiDomainMapping") == {
        "DomainName": "ApiDomain",  # its Ref is the name
        "RestApiId": "Api",
        "Stage": "prod",
    }
    assert is_closed(stack) is False
    assert output(stack, "ApiUrl") == "https://Api.execute-api.eu-central-1.amazonaws.com/prod"


def test_a_closed_default_endpoint_leaves_the_domain_as_the_address(template: Transformed) -> None:
    stack = Resolved(template, {**DOMAIN, "DisableExecuteApiEndpoint": "true"})

    assert is_closed(stack) is True
    assert output(stack, "ApiUrl") == "https://chat.example.com"
    assert output(stack, "PageUrl") == "https://chat.example.com/"


def test_the_default_endpoint_of_an_api_without_a_domain_is_open(template: Transformed) -> None:
    assert is_closed(Resolved(template, {"DisableExecuteApiEndpoint": "true"})) is False


def is_closed(stack: Resolved) -> bool:
    """API Gateway reads the extension of an OpenAPI 3 document in its servers.

    https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-extensions-endpoint-configuration.html
    """
    (server,) = stack.properties("Api")["Body"]["servers"]
    return server["x-amazon-apigateway-endpoint-configuration"]["disableExecuteApiEndpoint"]


def output(stack: Resolved, name: str) -> str:
    return stack.value(section("Outputs")[name]["Value"])


def test_outputs_name_the_api_and_its_stage_for_resources_of_other_stacks(template: Transformed) -> None:
    assert section("Outputs")["RestApiId"]["Value"] == {"Ref": "Api"}
    assert section("Outputs")["StageName"]["Value"] == {"Ref": "Api.Stage"}
    for name, attribute in (("DomainTarget", "RegionalDomainName"), ("DomainZoneId", "RegionalHostedZoneId")):
        assert section("Outputs")[name]["Condition"] == "HasDomain"
        assert section("Outputs")[name]["Value"] == {"Fn::GetAtt": ["ApiDomain", attribute]}


@pytest.mark.parametrize(
    ("domain", "certificate", "closed"), list(product(("", "a.example"), ("", "arn:aws:acm:x"), ("true", "false")))
)
def test_a_deploy_is_refused_with_half_of_a_domain_or_with_no_address(
    template: Transformed, domain: str, certificate: str, closed: str
) -> None:
    parameters = {"DomainName": domain, "CertificateArn": certificate, "DisableExecuteApiEndpoint": closed}
    stack = Resolved(template, parameters)

    assertions = [each["Assert"] for each in section("Rules")["DomainAndCertificate"]["Assertions"]]
    accepted = all(map(stack.is_true, assertions))
    assert accepted == (bool(domain) == bool(certificate) and (bool(domain) or closed == "false"))
