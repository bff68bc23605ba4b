"""Problems of the section `roles`."""

from typing import Any

import pytest

from flexchat.messages import Json
from tests.unit.config.sources import rule, source
from tests.unit.config_check.checked import errors as problems_of
from tests.unit.config_check.checked import warnings as warnings_of


def document(roles: Json, **sections: Json) -> dict[str, Json]:
    return source(responses=[rule(name="general")], roles=roles, **sections)


def test_a_role_without_problems_has_none() -> None:
    roles: Json = {"support": {"rules": ["gen*"], "tools": ["*"], "views": ["chat"], "may": ["validate"]}}

    assert problems_of(document(roles)) == []
    assert [line for line in warnings_of(document(roles)) if line.startswith("roles")] == []


@pytest.mark.parametrize(
    ("name", "role", "problem"),
    [
        ("operator", {}, "cannot be configured; use another name"),
        ("Support", {}, "'Support' does not match"),
        ("support", {"rules": ["a?"]}, "'a?' does not match"),
        ("support", {"may": ["delete"]}, "'configure' or 'validate'"),
        ("support", {"views": ["configuration"]}, "'chat', 'tools-testing'"),
        ("support", {"models": "*"}, "models"),
        ("support", {"rule": []}, "rule"),
    ],
)
def test_a_role_that_is_not_valid_is_an_error(name: str, role: Any, problem: str) -> None:
    found = problems_of(document({name: role}))

    assert any(problem in line for line in found), found


@pytest.mark.parametrize(
    ("role", "warning"),
    [
        ({"rules": ["generl", "*"]}, "roles.support.rules[0]: no rule named 'generl'; did you mean 'general'?"),
        ({"models": ["nowhere:*", "*"]}, "roles.support.models[0]: no model named 'nowhere:*'"),
        ({"tools": ["calculate_"]}, "roles.support.tools[0]: no tool named 'calculate_'"),
        ({"rules": []}, "roles.support.rules: no rule answers people with this role alone"),
    ],
)
def test_a_name_that_stands_for_nothing_is_a_warning(role: Any, warning: str) -> None:
    found = warnings_of(document({"support": role}))

    assert any(line.startswith(warning) for line in found), found


@pytest.mark.parametrize(
    ("sections", "problem"),
    [
        ({"limits": {"roles": {"suport": {}}}}, "limits.roles.suport: no role named 'suport'; did you mean 'support'?"),
        (
            {"limits": {"role_totals": {"suport": {}}}},
            "limits.role_totals.suport: no role named 'suport'; did you mean 'support'?",
        ),
        ({"choices": {"roles": ["suport"]}}, "choices.roles[0]: no role named 'suport'; did you mean 'support'?"),
        (
            {"sessions": {"sharing": {"roles": ["suport"]}}},
            "sessions.sharing.roles[0]: no role named 'suport'; did you mean 'support'?",
        ),
    ],
)
def test_other_sections_name_known_roles(sections: dict[str, Json], problem: str) -> None:
    assert problems_of(document({"support": {}}, **sections)) == [problem]


def test_a_rule_for_an_unknown_role_is_never_used() -> None:
    checked = source(responses=[rule(name="vip", match={"role": "vips"}), rule()], roles={"vip": {}})

    assert any(line.startswith("responses[0].match.role: never true") for line in warnings_of(checked))
