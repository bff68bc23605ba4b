"""Tables, buckets and secrets of the template."""

import re
from typing import Any

import pytest

from flexchat.aws.audit_log import BY_PRINCIPAL, BY_TOOL
from functions.traces.app import RETENTION_DAYS
from tests.template.resolver import Resolved
from tests.template.transform import ROOT, Transformed, authored

KEY: Any = {"Fn::If": ["HasKmsKey", {"Ref": "KmsKeyArn"}, {"Ref": "AWS::NoValue"}]}

WITHOUT_RECOVERY = {"IdempotencyTable", "ToolStateTable"}
"""Tables whose items are made again: answers to repeated requests of a day, and counters and copies of listings."""


NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def test_documents_name_every_table_and_count_them_right(template: Transformed) -> None:
    tables = {Resolved(template).properties(name)["TableName"] for name in template.of_type("AWS::DynamoDB::Table")}
    names = {name.removeprefix("flexchat-dev-") for name in tables}
    security = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in security.splitlines() if re.match(r"\| tables? `", line)]
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "template.yaml"]
    counts = {
        (page.name, found)
        for page in pages
        for found in re.findall(rf"\b({'|'.join(NUMBERS[2:])}|all \d+) (?:DynamoDB )?tables\b", page.read_text("utf-8"))
    }

    assert {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)} == names
    assert {found for _, found in counts} <= {NUMBERS[len(names)]}, counts


def test_tables_are_on_demand_recoverable_encrypted_and_expire(template: Transformed) -> None:
    tables = template.of_type("AWS::DynamoDB::Table")

    assert {name: table["Properties"]["TimeToLiveSpecification"] for name, table in tables.items()} == {
        "TokensTable": {"AttributeName": "expires_at", "Enabled": True},
        "ChatsTable": {"AttributeName": "expires_at", "Enabled": True},
        "IdempotencyTable": {"AttributeName": "expiration", "Enabled": True},
        "ToolStateTable": {"AttributeName": "expires_at", "Enabled": True},
        "ValidationTable": {"AttributeName": "expires_at", "Enabled": True},
        "TracesTable": {"AttributeName": "expires_at", "Enabled": True},
        "AuditTable": {"AttributeName": "expires_at", "Enabled": True},
    }
    for name, table in tables.items():
        recovery = {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
        own = {"TableName", "KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes", "TimeToLiveSpecification"}
        assert {key: table["Properties"][key] for key in table["Properties"].keys() - own} == {
            "BillingMode": "PAY_PER_REQUEST",
            "DeletionProtectionEnabled": {"Fn::If": ["ProtectsData", True, False]},
            **({} if name in WITHOUT_RECOVERY else recovery),
            "SSESpecification": {"SSEEnabled": True, "SSEType": "KMS", "KMSMasterKeyId": KEY},
        }


def test_table_keys_equal_those_of_the_stores(template: Transformed) -> None:
    def keys(name: str) -> tuple[Any, ...]:
        table = template.properties(name)
        return table["TableName"], table["KeySchema"], table["AttributeDefinitions"]

    by_id = [{"AttributeName": "id", "KeyType": "HASH"}], [{"AttributeName": "id", "AttributeType": "S"}]
    assert keys("TokensTable") == ({"Fn::Sub": "flexchat-${Stage}-tokens"}, *by_id)
    assert keys("IdempotencyTable") == ({"Fn::Sub": "flexchat-${Stage}-idempotency"}, *by_id)
    assert keys("ToolStateTable") == (
        {"Fn::Sub": "flexchat-${Stage}-tool-state"},
        [{"AttributeName": "pk", "KeyType": "HASH"}],
        [{"AttributeName": "pk", "AttributeType": "S"}],
    )
    assert keys("ChatsTable") == (
        {"Fn::Sub": "flexchat-${Stage}-chats"},
        [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "owner", "updated_at")],
    )
    assert template.properties("ChatsTable")["GlobalSecondaryIndexes"] == [
        {
            "IndexName": "by_owner",
            "KeySchema": [
                {"AttributeName": "owner", "KeyType": "HASH"},
                {"AttributeName": "updated_at", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ]
    assert keys("ValidationTable") == (
        {"Fn::Sub": "flexchat-${Stage}-validation"},
        [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "series", "at")],
    )
    assert template.properties("ValidationTable")["GlobalSecondaryIndexes"] == [
        {
            "IndexName": "by_series",
            "KeySchema": [
                {"AttributeName": "series", "KeyType": "HASH"},
                {"AttributeName": "at", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ]
    assert keys("TracesTable") == (
        {"Fn::Sub": "flexchat-${Stage}-traces"},
        [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
    )
    assert keys("AuditTable") == (
        {"Fn::Sub": "flexchat-${Stage}-audit"},
        [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", BY_PRINCIPAL, BY_TOOL)],
    )
    assert template.properties("AuditTable")["GlobalSecondaryIndexes"] == [
        {
            "IndexName": index,
            "KeySchema": [
                {"AttributeName": index, "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
        for index in (BY_PRINCIPAL, BY_TOOL)
    ]


def test_the_signing_secret_is_generated_by_aws(template: Transformed) -> None:
    (secret,) = template.of_type("AWS::SecretsManager::Secret").values()

    assert secret["Properties"].keys() == {"Description", "GenerateSecretString", "KmsKeyId"}
    assert secret["Properties"]["GenerateSecretString"] == {"PasswordLength": 64, "ExcludePunctuation": True}


PRIVATE: dict[str, Any] = {
    "BucketEncryption": {
        "ServerSideEncryptionConfiguration": [
            {
                "ServerSideEncryptionByDefault": {
                    "SSEAlgorithm": {"Fn::If": ["HasKmsKey", "aws:kms", "AES256"]},
                    "KMSMasterKeyID": KEY,
                },
                "BucketKeyEnabled": {"Fn::If": ["HasKmsKey", True, {"Ref": "AWS::NoValue"}]},
            }
        ]
    },
    "OwnershipControls": {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]},
    "PublicAccessBlockConfiguration": dict.fromkeys(
        ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"), True
    ),
}


@pytest.mark.parametrize("name", ["CollectionsBucket", "TracesBucket"])
def test_buckets_accept_tls_only(template: Transformed, name: str) -> None:
    assert template.of_type("AWS::S3::Bucket").keys() == {"CollectionsBucket", "TracesBucket"}
    policy = template.properties(f"{name}Policy")
    assert policy["Bucket"] == {"Ref": name}
    assert policy["PolicyDocument"]["Statement"] == [
        {
            "Sid": "DenyInsecureTransport",
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:*",
            "Resource": [{"Fn::GetAtt": [name, "Arn"]}, {"Fn::Sub": f"${{{name}.Arn}}/*"}],
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        }
    ]


def test_collections_are_in_a_private_encrypted_and_versioned_bucket(template: Transformed) -> None:
    of_files = ("CorsConfiguration", "LifecycleConfiguration")
    found = template.properties("CollectionsBucket")
    rules = found["LifecycleConfiguration"]["Rules"]
    properties = {name: value for name, value in found.items() if name not in of_files}
    assert {
        **properties,
        "LifecycleConfiguration": {"Rules": [rule for rule in rules if "Prefix" not in rule]},
    } == {
        "BucketName": {"Fn::Sub": "flexchat-${Stage}-${AWS::AccountId}-${AWS::Region}"},
        **PRIVATE,
        "VersioningConfiguration": {"Status": "Enabled"},
        "LifecycleConfiguration": {
            "Rules": [
                {
                    "Id": "forget-old-versions",
                    "Status": "Enabled",
                    "NoncurrentVersionExpiration": {"NoncurrentDays": 7},
                    "ExpiredObjectDeleteMarker": True,
                },
                {
                    "Id": "forget-incomplete-uploads",
                    "Status": "Enabled",
                    "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1},
                },
            ]
        },
    }


def test_files_of_chats_expire_and_are_uploaded_by_forms_from_any_page(template: Transformed) -> None:
    bucket = template.properties("CollectionsBucket")
    rules = {rule["Prefix"]: rule for rule in bucket["LifecycleConfiguration"]["Rules"] if "Prefix" in rule}

    assert {prefix: rule["ExpirationInDays"] for prefix, rule in rules.items()} == {
        "files/short/": 2,
        "files/long/": {"Ref": "FileRetentionDays"},
    }
    for rule in rules.values():
        assert (rule["Status"], rule["NoncurrentVersionExpiration"]) == ("Enabled", {"NoncurrentDays": 1})
    assert bucket["CorsConfiguration"]["CorsRules"] == [
        {"AllowedOrigins": ["*"], "AllowedMethods": ["GET", "POST"], "AllowedHeaders": ["*"], "MaxAge": 3600}
    ]


def test_traces_are_in_a_private_and_encrypted_bucket_until_they_expire(template: Transformed) -> None:
    days = {"Ref": "TraceRetentionDays"}
    assert template.properties("TracesBucket") == {
        **PRIVATE,
        "LifecycleConfiguration": {"Rules": [{"Id": "forget-traces", "Status": "Enabled", "ExpirationInDays": days}]},
    }
    environment = template.properties("TracesFunction")["Environment"]["Variables"]
    assert environment["FLEXCHAT_TRACE_RETENTION_DAYS"] == days
    assert authored()["Parameters"]["TraceRetentionDays"]["Default"] == RETENTION_DAYS
