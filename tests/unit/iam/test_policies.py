from typing import Any

import pytest

from tests.iam.policies import Access, UnsupportedPolicyError, evaluate, matches, nearest, parse_policy

CHATS = "arn:aws:dynamodb:eu-central-1:123456789012:table/flexchat-dev-chats"
CHAT = "arn:aws:lambda:eu-central-1:123456789012:function:flexchat-dev-chat"
READ: dict[str, Any] = {
    "Sid": "ReadChats",
    "Effect": "Allow",
    "Action": ["dynamodb:GetItem", "dynamodb:Query"],
    "Resource": CHATS,
}
ALIAS: dict[str, Any] = {
    "Sid": "InvokeChat",
    "Effect": "Allow",
    "Action": "lambda:InvokeFunction",
    "Resource": f"{CHAT}:live",
}


def allowed(action: str, resource: str, *statements: dict[str, Any], **context: str) -> bool:
    keys = {name.replace("__", ":"): value for name, value in context.items()}
    parsed = parse_policy({"Statement": list(statements)}, name="policy")
    return evaluate(Access("chat", action, resource, keys), parsed).allowed


def test_an_action_on_its_resource_is_allowed() -> None:
    assert allowed("dynamodb:GetItem", CHATS, READ)


def test_a_removed_action_is_denied() -> None:
    assert not allowed("dynamodb:Query", CHATS, {**READ, "Action": ["dynamodb:GetItem"]})


def test_another_resource_is_denied() -> None:
    assert not allowed("dynamodb:GetItem", CHATS.replace("chats", "tokens"), READ)


def test_an_index_is_another_resource_than_its_table() -> None:
    assert not allowed("dynamodb:Query", f"{CHATS}/index/by_owner", READ)


@pytest.mark.parametrize("resource", [CHAT, f"{CHAT}:$LATEST", f"{CHAT}:7"])
def test_a_permission_on_an_alias_covers_neither_the_function_nor_a_version(resource: str) -> None:
    assert allowed("lambda:InvokeFunction", f"{CHAT}:live", ALIAS)
    assert not allowed("lambda:InvokeFunction", resource, ALIAS)


def test_a_permission_on_the_function_covers_no_alias() -> None:
    assert not allowed("lambda:InvokeFunction", f"{CHAT}:live", {**ALIAS, "Resource": CHAT})


def test_a_deny_takes_precedence_at_any_position() -> None:
    deny = {"Effect": "Deny", "Action": "dynamodb:*", "Resource": "*"}

    assert not allowed("dynamodb:GetItem", CHATS, READ, deny)
    assert not allowed("dynamodb:GetItem", CHATS, deny, READ)


def test_actions_are_case_insensitive_and_resources_are_not() -> None:
    assert allowed("dynamodb:GetItem", CHATS, {**READ, "Action": "DynamoDB:getitem"})
    assert not allowed("dynamodb:GetItem", CHATS.upper(), READ)


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("*", "", True),
        ("parameter/a/*", "parameter/a/b/c", True),
        ("parameter/a/*", "parameter/a", False),
        ("key-?", "key-1", True),
        ("key-?", "key-", False),
        ("a.b", "axb", False),
        ("function:x:$LATEST", "function:x:$LATEST", True),
        ("[ab]", "a", False),
        ("a*", "a\nb", True),
    ],
)
def test_patterns_have_exactly_two_wildcards(pattern: str, value: str, expected: bool) -> None:
    assert matches(pattern, value) is expected


def test_a_condition_needs_its_key() -> None:
    passes = {
        "Effect": "Allow",
        "Action": "iam:PassRole",
        "Resource": "*",
        "Condition": {"StringEquals": {"iam:PassedToService": ["lambda.amazonaws.com"]}},
    }

    assert allowed("iam:PassRole", "arn:role", passes, iam__passedtoservice="lambda.amazonaws.com")
    assert not allowed("iam:PassRole", "arn:role", passes, iam__passedtoservice="ec2.amazonaws.com")
    assert not allowed("iam:PassRole", "arn:role", passes)


def test_a_condition_of_all_values_holds_without_its_key() -> None:
    counts = {
        "Effect": "Allow",
        "Action": "dynamodb:UpdateItem",
        "Resource": "*",
        "Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": "L#*"}},
    }

    assert allowed("dynamodb:UpdateItem", "arn:table", counts, dynamodb__leadingkeys="L#ann")
    assert not allowed("dynamodb:UpdateItem", "arn:table", counts, dynamodb__leadingkeys="S#ann#1")
    assert allowed("dynamodb:UpdateItem", "arn:table", counts)


@pytest.mark.parametrize(
    "odd",
    [
        {"NotAction": "s3:*"},
        {"NotResource": "*"},
        {"Resource": "arn:aws:s3:::${aws:username}"},
        {"Condition": {"NumericLessThan": {"s3:max-keys": "10"}}},
    ],
)
def test_an_element_that_is_not_evaluated_is_an_error(odd: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedPolicyError):
        parse_policy({"Statement": {**READ, **odd}}, name="policy")


def test_the_nearest_statement_has_the_same_action_or_the_most_similar_resource() -> None:
    statements = parse_policy({"Statement": [READ, ALIAS]}, name="policy")

    assert nearest(Access("chat", "lambda:InvokeFunction", CHAT), statements) == statements[1]
    assert nearest(Access("chat", "dynamodb:PutItem", CHATS), statements) == statements[0]
    assert nearest(Access("chat", "dynamodb:PutItem", CHATS), ()) is None
