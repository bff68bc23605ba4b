"""The policies of `docs/iam`, for a person or a pipeline rather than a function."""

import json
from collections.abc import Mapping
from typing import Any

from cli.layout import LOCAL_STAGE
from tests.iam.calls import Account
from tests.iam.policies import Statement, parse_policy
from tests.iam.report import Principal
from tests.template.transform import ROOT

FOLDER = ROOT / "docs" / "iam"
DOCUMENTS: Mapping[str, tuple[str, ...]] = {
    "deployer": (
        "deployer-functions.json",
        "deployer-options.json",
        "deployer-releases.json",
        "deployer-storage.json",
    ),
    "operator": ("operator.json",),
}
"""Files of each documented principal."""

KEY_ID = "1a2b3c4d-0000-4000-8000-1a2b3c4d5e6f"

ROLE_CHARACTERS = 24
"""Characters of a long stack name that the names of its roles keep at least."""


def documented(name: str, account: Account, *, stage: str) -> tuple[Statement, ...]:
    """Return the statements of a documented principal for one account and stage."""
    return tuple(
        statement
        for file in DOCUMENTS[name]
        for statement in parse_policy(filled(file, account, stage=stage), name=file)
    )


def documented_principal(name: str, account: Account) -> Principal | None:
    """Return the principal of a recorded name, or None for a name of something else.

    `operator` has the policies of an operator of the local stage, `deployer+operator@second` those of both of another.
    """
    who, _, stage = name.partition("@")
    names = who.split("+")
    if not DOCUMENTS.keys() >= set(names):
        return None
    statements = [documented(each, account, stage=stage or LOCAL_STAGE) for each in names]
    return Principal(who, tuple(statement for found in statements for statement in found))


def filled(file: str, account: Account, *, stage: str) -> Mapping[str, Any]:
    """Return a file's policy with its placeholders replaced."""
    text = (FOLDER / file).read_text(encoding="utf-8")
    roles = f"flexchat-{stage}-"[:ROLE_CHARACTERS]
    values = {"ACCOUNT_ID": account.id, "REGION": account.region, "STAGE": stage, "ROLES": roles, "KEY_ID": KEY_ID}
    for placeholder, value in values.items():
        text = text.replace(placeholder, value)
    return json.loads(text)
