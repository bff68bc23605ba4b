"""Parameters of the local deployment."""

from pathlib import Path

import pytest

from cli.deployment.settings import host_architecture
from cli.errors import LocalError
from cli.layout import Layout
from dev.local_stack.deployment import LOCAL_COMMANDS, parameters
from dev.local_stack.seeding import read_authored

LAYOUT = Layout(Path(__file__).parents[4])
CONFIGURED = (
    *("Stage=local", "ProtectData=false", "LogLevel=DEBUG", "LogRetentionDays=1", "CatalogTtlSeconds=2"),
    f"Architecture={host_architecture()}",
)
ALLOWED = ",".join(LOCAL_COMMANDS)


def test_commands_of_mcp_servers_are_added_to_the_parameters_of_samconfig() -> None:
    assert parameters(LAYOUT, ()) == (*CONFIGURED, f"McpCommands={ALLOWED}")
    allowed = ",".join(sorted((*LOCAL_COMMANDS, "x/server")))
    assert parameters(LAYOUT, ("node", "x/server")) == (*CONFIGURED, f"McpCommands={allowed}")


@pytest.mark.parametrize("command", ["/home/me/a folder/server", "/" + 4_096 * "x"])
def test_command_that_the_template_does_not_accept_is_rejected(command: str) -> None:
    with pytest.raises(LocalError, match="have more than 4,096 characters, or others than"):
        parameters(LAYOUT, (command,))


def test_commands_are_those_of_the_configured_servers(tmp_path: Path) -> None:
    path = tmp_path / "flexchat.json"
    path.write_text(
        '{"mcp_servers": {"b": {"command": "node"}, "a": {"command": "node"}, "c": {"command": "deno"},'
        ' "d": {"url": "https://api.example.com/mcp"}}}'
    )

    assert read_authored(path, {}).mcp_commands == ("deno", "node")
