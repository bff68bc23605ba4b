"""`flexchat tools show`: the compiled tools of a configuration for each provider."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from flexchat.config.models.tools import ToolDefinition
from functions.chat.tools.registry import ToolRegistry

SEARCH: dict[str, Any] = {
    "name": "github/search",
    "description": "Search code",
    "parameters": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "maximum": 50, "default": 10}},
        "additionalProperties": False,
    },
    "implementation": {"type": "mock"},
}
PLAIN: dict[str, Any] = {**SEARCH, "name": "plain", "parameters": {"type": "object", "properties": {}}}
BROKEN: dict[str, Any] = {
    **PLAIN,
    "name": "broken",
    "parameters": {"type": "object", "properties": {"a": {"type": "int"}}},
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "flexchat.json"
    path.write_text(json.dumps({"tools": {"registry": [SEARCH, PLAIN, BROKEN, {"name": "not a tool"}]}}))
    return path


def show(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["flexchat", "tools", "show", *map(str, arguments)])
    monkeypatch.setenv("COLUMNS", "120")
    with pytest.raises(SystemExit) as raised:
        main()
    return int(raised.value.code or 0)


def test_a_tool_is_printed_in_its_sent_form_with_the_losses(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show(monkeypatch, "github/search", "--provider", "gemini", "--file", file) == 0

    sent, _, losses = capsys.readouterr().out.partition("\n\n")
    assert json.loads(sent) == [
        {
            "functionDeclarations": [
                {
                    "name": "github_search",
                    "description": "Search code",
                    "parametersJsonSchema": SEARCH["parameters"],
                }
            ]
        }
    ]
    assert [line.split() for line in losses.splitlines()] == [
        ["WHERE", "WHAT", "WHY"],
        ["rewritten", "name", "name", "sent", "as", "'github_search',", "and", "back"],
    ]


def test_a_tool_without_losses_is_reported_as_such(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show(monkeypatch, "plain", "--provider", "openai", "--file", file) == 0

    assert capsys.readouterr().out.endswith("]\n\nNothing is lost.\n")


def test_the_option_json_prints_the_same_as_json(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show(monkeypatch, "github/search", "-p", "ollama", "-f", file, "--json") == 0

    out = capsys.readouterr().out
    registry = ToolRegistry()
    registry.register(ToolDefinition.model_validate(SEARCH))
    compiled = registry.compiled("ollama")
    assert json.loads(out) == [
        {
            "tool": "github/search",
            "provider": "ollama",
            "sent": compiled.payload,
            "losses": [
                {"path": loss.path, "keyword": loss.keyword, "action": loss.action, "why": loss.why}
                for loss in compiled.losses
            ],
        }
    ]


def test_all_tools_are_summarized_by_provider_and_broken_ones_are_named(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show(monkeypatch, "--file", file) == 0

    printed = capsys.readouterr()
    assert [line.split() for line in printed.out.splitlines()[:3]] == [
        ["TOOL", "OPENAI", "OLLAMA", "GEMINI", "ANTHROPIC", "BEDROCK"],
        ["github/search", "0/1", "1/3", "0/1", "0/1", "1/1"],
        ["plain", "-", "-", "-", "-", "-"],
    ]
    assert "left out: broken.parameters: properties.a.type" in printed.err
    assert "left out: tools.registry[3]" in printed.err


def test_a_single_provider_or_tool_gives_a_smaller_table(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show(monkeypatch, "--provider", "ollama", "--file", file) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()[:3]] == [
        ["TOOL", "OLLAMA"],
        ["github/search", "1/3"],
        ["plain", "-"],
    ]

    assert show(monkeypatch, "plain", "--file", file) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[:2]] == ["TOOL", "plain"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("github/serch", "tools.registry: no tool named 'github/serch'; the tools are 'github/search',"),
        ("broken", "broken.parameters: properties.a.type: must be one of"),
    ],
)
def test_a_missing_or_never_sent_tool_is_reported(
    name: str,
    message: str,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert show(monkeypatch, name, "--provider", "gemini", "--file", file) == 1

    printed = capsys.readouterr()
    assert (printed.out, printed.err[: len(message)]) == ("", message)
