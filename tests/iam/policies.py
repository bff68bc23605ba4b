"""IAM policy evaluation: whether statements allow an access.

It follows https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html for identity
policies of one account: an explicit deny wins, an allow is needed. An element that is not evaluated here raises
UnsupportedPolicyError, so that no statement is taken for narrower or wider than it is.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache
from typing import Any, Literal, cast

ELEMENTS = frozenset({"Sid", "Effect", "Action", "Resource", "Condition"})
OPERATORS: Mapping[str, Literal["equals", "like"]] = {
    "StringEquals": "equals",
    "StringLike": "like",
    "ArnEquals": "like",
    "ArnLike": "like",
    "Bool": "equals",
    "ForAllValues:StringLike": "like",
}
"""Condition operators; ArnEquals and ArnLike behave identically on AWS."""


class UnsupportedPolicyError(Exception):
    """A policy has an element that is not evaluated here."""


@dataclass(frozen=True, slots=True)
class Access:
    """One action on one resource by a principal, with the condition keys of its request."""

    principal: str
    action: str
    resource: str
    context: Mapping[str, str] = field(default_factory=dict[str, str], compare=False, hash=False)

    def __str__(self) -> str:
        return f"{self.principal}: {self.action} on {self.resource}"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of an identity policy; `name` is its Sid, or the name of its policy."""

    name: str
    effect: Literal["Allow", "Deny"]
    actions: tuple[str, ...]
    resources: tuple[str, ...]
    conditions: tuple[tuple[str, str, tuple[str, ...]], ...] = ()

    def matching_action(self, access: Access) -> str | None:
        """Return the action pattern that matches; actions are case-insensitive."""
        return next((pattern for pattern in self.actions if matches(pattern.lower(), access.action.lower())), None)

    def matching_resource(self, access: Access) -> str | None:
        return next((pattern for pattern in self.resources if matches(pattern, access.resource)), None)

    def applies(self, access: Access) -> bool:
        return (
            self.matching_action(access) is not None
            and self.matching_resource(access) is not None
            and all(_holds(condition, access) for condition in self.conditions)
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """Outcome of an evaluation; `statement` is the one that allowed or denied, None when none applied."""

    allowed: bool
    statement: Statement | None


def parse_policy(document: Mapping[str, Any], *, name: str) -> tuple[Statement, ...]:
    """Return the statements of a resolved policy document; raises UnsupportedPolicyError."""
    statements = document["Statement"]
    listed = cast("list[Mapping[str, Any]]", statements if isinstance(statements, list) else [statements])
    return tuple(_statement(raw, name) for raw in listed)


def evaluate(access: Access, statements: Iterable[Statement]) -> Decision:
    """Decide on an access by the statements of its principal's policies."""
    applying = [statement for statement in statements if statement.applies(access)]
    for effect in ("Deny", "Allow"):
        for statement in applying:
            if statement.effect == effect:
                return Decision(effect == "Allow", statement)
    return Decision(allowed=False, statement=None)


def nearest(access: Access, statements: Sequence[Statement]) -> Statement | None:
    """Return the allowing statement that resembles a denied access most, by its action first."""
    allowing = [statement for statement in statements if statement.effect == "Allow"]
    return max(allowing, key=lambda statement: _likeness(access, statement), default=None)


def matches(pattern: str, value: str) -> bool:
    """Return true when a value matches an IAM pattern: `*` is any text, `?` any character."""
    return _compiled(pattern).fullmatch(value) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = (".*" if char == "*" else "." if char == "?" else re.escape(char) for char in pattern)
    return re.compile("".join(parts), re.DOTALL)


def _statement(raw: Mapping[str, Any], name: str) -> Statement:
    if unknown := raw.keys() - ELEMENTS:
        raise UnsupportedPolicyError(f"{name}: a statement has {sorted(unknown)}, which is not evaluated")
    statement = Statement(
        name=raw.get("Sid", name),
        effect=raw["Effect"],
        actions=_texts(raw["Action"]),
        resources=_texts(raw["Resource"]),
        conditions=tuple(
            (operator, key.lower(), _texts(values))
            for operator, keys in raw.get("Condition", {}).items()
            for key, values in keys.items()
        ),
    )
    if variables := [resource for resource in statement.resources if "${" in resource]:
        raise UnsupportedPolicyError(f"{statement.name}: the policy variables of {variables} are not evaluated")
    if unknown := {operator for operator, _, _ in statement.conditions} - OPERATORS.keys():
        raise UnsupportedPolicyError(f"{statement.name}: the operators {sorted(unknown)} are not evaluated")
    return statement


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(part) for part in cast("list[object]", value if isinstance(value, list) else [value]))


def _holds(condition: tuple[str, str, tuple[str, ...]], access: Access) -> bool:
    operator, key, expected = condition
    actual = {name.lower(): value for name, value in access.context.items()}.get(key)
    if actual is None:
        return operator.startswith("ForAllValues:")  # which holds for no value at all
    if OPERATORS[operator] == "like":
        return any(matches(value, actual) for value in expected)
    return actual in expected


def _likeness(access: Access, statement: Statement) -> tuple[bool, bool, float]:
    service = access.action.partition(":")[0]
    closest = max(SequenceMatcher(None, access.resource, resource).ratio() for resource in statement.resources)
    return (
        statement.matching_action(access) is not None,
        any(action.partition(":")[0] == service for action in statement.actions),
        closest,
    )
