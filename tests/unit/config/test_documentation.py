"""The reference of the configuration has every key of the schema in its section, and no other."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dev.config_schema import SCHEMA_FILE

REFERENCE = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text("utf-8")
SCHEMA: Any = json.loads(SCHEMA_FILE.read_text("utf-8"))

OBJECTS: dict[str, tuple[tuple[str, str], ...]] = {
    "Top level": (("", ""),),
    "`llms.<name>`": (("", "LlmConfig"),),
    "`llms.<name>.profiles.<pattern>`": (("", "ProfileConfig"),),
    "`llms.<name>.profiles.<pattern>.refreshed`": (("", "RefreshedProfile"),),
    "`rag_services.<name>`": (("", "RagServiceConfig"),),
    "`mcp_servers.<name>`": (("", "McpServerConfig"),),
    "`mcp_servers.<name>.tool_settings.<tool>`": (("", "McpToolSettings"),),
    "`guardrails.<name>`": (("", "GuardrailConfig"),),
    "`topic`": (("", "TopicConfig"), ("provider.", "ModelChoice")),
    "`intent`": (("", "IntentConfig"), ("provider.", "ModelChoice"), ("detection.", "IntentDetection")),
    "`profile`": (("", "CallerProfileConfig"),),
    "`sessions`": (("", "SessionsConfig"), ("title.", "ModelChoice"), ("sharing.", "SharingConfig")),
    "`limits`": (("", "LimitsConfig"),),
    "`limits.caller`": (("", "Limits"),),
    "`openai_api`": (("", "OpenAiApiConfig"),),
    "`choices`": (("", "ChoicesConfig"),),
    "`roles`": (("", "RoleConfig"),),
    "`validation`": (("", "ValidationConfig"), ("budget.", "ValidationBudget")),
    "`traces`": (("", "TracesConfig"),),
    "`not_secrets[n]`": (("", "NotSecret"),),
    "`responses[n]`": (("", "ResponseRule"), ("tools.", "ResponseToolsConfig"), ("guardrails.", "RuleGuardrails")),
    "`tools`": (("", "ToolsConfig"),),
    "`tools.registry[n]`": (("", "ToolDefinition"),),
}
"""Sections of the reference, each with the objects of the schema that it explains, and the prefix of their keys."""

ELSEWHERE = frozenset({"ApiKeyAuth", "BasicAuth", "BearerAuth", "OAuth2Auth"})
"""Types of `auth`, which the reference of http tools explains."""


def section(heading: str) -> str:
    return REFERENCE.split(f"\n### {heading}\n", 1)[1].split("\n### ", 1)[0].split("\n## ", 1)[0]


def explained(text: str) -> set[str]:
    """The keys in the first column of a section's first table."""
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert table is not None
    rows = table.group().splitlines()[2:]
    return {key for row in rows for key in re.findall(r"`([^`]+)`", row.split("|")[1])}


def keys(heading: str) -> set[str]:
    found: set[str] = set()
    for prefix, definition in OBJECTS[heading]:
        properties = (SCHEMA["$defs"][definition] if definition else SCHEMA)["properties"]
        found |= {f"{prefix}{name}" for name in properties if name != "comment"}
    nested = {prefix.rstrip(".") for prefix, _ in OBJECTS[heading] if prefix}
    return found - nested


@pytest.mark.parametrize("heading", OBJECTS)
def test_every_key_is_documented_in_its_section_and_no_other_key_is(heading: str) -> None:
    assert explained(section(heading)) == keys(heading)


def test_every_object_of_the_schema_has_a_documented_section() -> None:
    explained_objects = {definition for objects in OBJECTS.values() for _, definition in objects if definition}

    assert explained_objects | ELSEWHERE == {name for name, schema in SCHEMA["$defs"].items() if "properties" in schema}
