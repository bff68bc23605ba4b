"""Permission of chats for guardrails of Amazon Bedrock: those of a parameter alone."""

from tests.template.transform import Transformed, authored


def test_chats_apply_only_the_guardrails_of_the_parameter(template: Transformed) -> None:
    found = {
        role: statement["Fn::If"]
        for role in template.of_type("AWS::IAM::Role")
        for statement in template.statements(role)
        if "Fn::If" in statement and "bedrock:ApplyGuardrail" in str(statement)
    }

    assert found == {
        "ChatFunctionRole": [
            "HasGuardrails",
            {
                "Sid": "ApplyGuardrails",
                "Effect": "Allow",
                "Action": "bedrock:ApplyGuardrail",
                "Resource": {"Ref": "GuardrailArns"},
            },
            {"Ref": "AWS::NoValue"},
        ]
    }


def test_without_the_parameter_no_guardrail_is_permitted() -> None:
    assert authored()["Parameters"]["GuardrailArns"]["Default"] == ""
    assert authored()["Conditions"]["HasGuardrails"] == {
        "Fn::Not": [{"Fn::Equals": [{"Fn::Join": ["", {"Ref": "GuardrailArns"}]}, ""]}]
    }
