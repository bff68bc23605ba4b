import pytest

from flexchat.tool_types import TOOL_TYPES
from tests.contract.tool_lambdas import ToolLambda
from tests.contract.wire_script import Wire
from tests.contract.wires import BOTH_WAYS


@pytest.fixture(params=TOOL_TYPES)
def tool(request: pytest.FixtureRequest) -> ToolLambda:
    return ToolLambda.of(request.param)


@pytest.fixture(params=BOTH_WAYS)
def wire(request: pytest.FixtureRequest) -> Wire:
    return request.param
