import pytest

from flexchat.tool_types import TOOL_TYPES
from tests.contract.tool_lambdas import ToolLambda


@pytest.fixture(params=TOOL_TYPES)
def tool(request: pytest.FixtureRequest) -> ToolLambda:
    return ToolLambda.of(request.param)
