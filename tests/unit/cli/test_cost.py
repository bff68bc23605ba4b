"""Estimates of `flexchat cost estimate`, and the resources of the template that they are made of."""

from collections.abc import Mapping
from itertools import pairwise

import pytest

from cli.costs.estimate import Load, estimate, read_prices, total
from cli.costs.template import Inventory, read_inventory
from cli.errors import DeploymentError
from cli.layout import Layout
from tests.documents import ROOT, code_blocks
from tests.template.transform import Transformed, transform
from tests.unit.cli.command_runner import Flexchat

LOAD = Load(tools=10, chats_per_day=1000)
PAGE = ROOT / "docs" / "costs.md"


def inventory(**parameters: str) -> Inventory:
    return read_inventory(Layout.here().template, parameters)


def dollars(name: str, *, load: Load = LOAD, parameters: Mapping[str, str] | None = None) -> float:
    """Return one item of an estimate."""
    found = estimate(inventory(**(parameters or {})), load, read_prices())
    (line,) = [line for line in (*found.idle, *found.chats) if line.name == name]
    return line.dollars


@pytest.fixture(scope="module")
def template() -> Transformed:
    return transform()


def test_the_resources_are_those_of_the_transformed_template(template: Transformed) -> None:
    found = inventory()

    memory = {
        name: function["Properties"]["MemorySize"] / 1024
        for name, function in template.of_type("AWS::Lambda::Function").items()
    }
    assert {name: function.memory_gb for name, function in found.functions.items()} == memory
    assert found.alarms == len(template.of_type("AWS::CloudWatch::Alarm"))
    assert found.tables == len(template.of_type("AWS::DynamoDB::Table"))
    assert found.secrets == len(template.of_type("AWS::SecretsManager::Secret"))
    assert found.snapshot_gb == sum(memory.values())


def test_parameters_change_the_resources() -> None:
    assert inventory(SnapStartEnabled="false").snapshot_gb == 0
    assert inventory().snapshot_gb - inventory(StreamingSnapStartEnabled="false").snapshot_gb == 1
    assert inventory().releases - inventory(ProtectData="false").releases == 1
    assert inventory().alarms - inventory(StreamingEnabled="false").alarms == 1
    assert "ChatStreamFunction" not in inventory(StreamingEnabled="false").functions
    assert inventory(DashboardEnabled="false").dashboards == 0
    assert inventory(McpRefreshState="DISABLED").refreshes_a_month == 0


def test_a_parameter_that_the_template_lacks_is_reported() -> None:
    with pytest.raises(DeploymentError, match="the template has no parameter 'Nonsense'"):
        inventory(Nonsense="1")


def test_the_number_of_tools_costs_nothing_without_their_metrics() -> None:
    many = Load(tools=500, chats_per_day=1000)

    assert dollars("custom metrics", load=many) == dollars("custom metrics") < 10
    assert dollars("custom metrics", load=many, parameters={"DetailedToolMetrics": "true"}) > 900


def test_x86_64_costs_a_quarter_more_than_arm64() -> None:
    ratio = dollars("chat function", parameters={"Architecture": "x86_64"}) / dollars("chat function")

    assert ratio == pytest.approx(1.25, abs=0.001)


def test_without_streaming_the_chat_function_waits() -> None:
    assert dollars("chat function", parameters={"StreamingEnabled": "false"}) == dollars("chat function")


def test_half_the_memory_halves_the_cost_of_the_wait() -> None:
    found = estimate(inventory(), LOAD, read_prices())

    assert total(found.chats) - found.half_memory >= dollars("chat function") / 2


def test_a_month_without_chats_costs_the_resources() -> None:
    found = estimate(inventory(), Load(tools=10, chats_per_day=0), read_prices())

    assert found.monthly == total(found.idle)


def outputs() -> list[tuple[str, str]]:
    """Return the commands of the page, each with its output."""
    blocks = [block.text for block in code_blocks(PAGE)]
    pairs = [(command.strip(), output) for command, output in pairwise(blocks)]
    return [(command, output) for command, output in pairs if command.startswith("flexchat cost estimate")]


@pytest.mark.parametrize(("command", "output"), outputs())
def test_the_page_has_the_output_of_the_command(command: str, output: str, flexchat: Flexchat) -> None:
    code, printed, _ = flexchat.run(*command.split()[1:], options=())

    assert code == 0
    assert printed.rstrip() == output.rstrip()


def test_the_page_has_two_outputs() -> None:
    assert len(outputs()) == 2
