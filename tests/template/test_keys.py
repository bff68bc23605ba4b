"""A customer's key of KMS for everything that stores content, with the permissions to use it."""

import json
from typing import Any

from tests.iam.calls import Account
from tests.iam.documents import FOLDER
from tests.template.resolver import Resolved
from tests.template.test_roles import STORES
from tests.template.transform import Transformed

KEY = "arn:aws:kms:eu-central-1:123456789012:key/1a2b3c4d-0000-4000-8000-1a2b3c4d5e6f"
ACCOUNT = Account("123456789012", "eu-central-1")


def encryption(stack: Resolved) -> dict[str, Any]:
    """Return the key of each resource that stores content, None for a key of AWS."""

    def key_of(kind: str, properties: dict[str, Any]) -> Any:
        match kind:
            case "AWS::DynamoDB::Table":
                return properties["SSESpecification"].get("KMSMasterKeyId")
            case "AWS::SQS::Queue":
                assert properties["SqsManagedSseEnabled"] is ("KmsMasterKeyId" not in properties)
                return properties.get("KmsMasterKeyId")
            case "AWS::S3::Bucket":
                (rule,) = properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
                default = rule["ServerSideEncryptionByDefault"]
                assert default["SSEAlgorithm"] == ("aws:kms" if "KMSMasterKeyID" in default else "AES256")
                return default.get("KMSMasterKeyID")
            case _:
                return properties.get("KmsKeyId")

    kinds = (
        "AWS::DynamoDB::Table",
        "AWS::Logs::LogGroup",
        "AWS::S3::Bucket",
        "AWS::SQS::Queue",
        "AWS::SecretsManager::Secret",
    )
    return {name: key_of(kind, stack.properties(name)) for kind in kinds for name in stack.template.of_type(kind)}


def test_everything_that_stores_content_is_encrypted_with_the_key_of_the_parameter(template: Transformed) -> None:
    assert set(encryption(Resolved(template)).values()) == {None}
    found = encryption(Resolved(template, {"KmsKeyArn": KEY}))

    assert STORES.keys() <= found.keys()
    assert set(found.values()) == {KEY}


def test_roles_that_use_a_store_or_secrets_may_use_the_key_by_its_services_only(template: Transformed) -> None:
    stack, plain = Resolved(template, {"KmsKeyArn": KEY}), Resolved(template)

    def statements(resolved: Resolved, role: str) -> list[dict[str, Any]]:
        policies = resolved.properties(role).get("Policies", [])
        found = [each for policy in policies for each in policy["PolicyDocument"]["Statement"]]
        return [each for each in found if each.get("Sid") == "UseKey"]

    roles = template.of_type("AWS::IAM::Role")
    using = {role for role in roles if statements(stack, role)}
    assert using == set().union(*STORES.values())
    assert not [role for role in roles if statements(plain, role)]
    for role in using:
        (statement,) = statements(stack, role)
        assert statement["Resource"] == KEY
        assert statement["Condition"] == {
            "StringEquals": {
                "kms:ViaService": [
                    f"{service}.eu-central-1.amazonaws.com"
                    for service in ("dynamodb", "s3", "secretsmanager", "sqs", "ssm")
                ]
            }
        }
        assert not [action for action in statement["Action"] if "*" in action or "Grant" in action]


def test_the_key_of_secrets_is_a_parameter_for_the_command(template: Transformed) -> None:
    stack = Resolved(template, {"Stage": "dev", "KmsKeyArn": KEY})

    assert not Resolved(template).exists("KmsKeyParameter")
    properties = stack.properties("KmsKeyParameter")
    assert (properties["Name"], properties["Value"]) == ("/flexchat/dev/deployment/kms-key", KEY)


def test_the_documented_policy_of_the_key_allows_the_account_and_the_log_groups_of_the_stage() -> None:
    text = (FOLDER / "kms-key.json").read_text(encoding="utf-8")
    for placeholder, value in {"ACCOUNT_ID": ACCOUNT.id, "REGION": ACCOUNT.region, "STAGE": "dev"}.items():
        text = text.replace(placeholder, value)
    account, logs = json.loads(text)["Statement"]

    assert account["Principal"] == {"AWS": f"arn:aws:iam::{ACCOUNT.id}:root"}
    assert account["Action"] == "kms:*"  # by the policies of its roles
    assert logs["Principal"] == {"Service": "logs.eu-central-1.amazonaws.com"}
    assert logs["Condition"] == {
        "ArnLike": {
            "kms:EncryptionContext:aws:logs:arn": [
                ACCOUNT.arn("logs", "log-group:/aws/lambda/flexchat-dev-*"),
                ACCOUNT.arn("logs", "log-group:/aws/apigateway/flexchat-dev"),
            ]
        }
    }
