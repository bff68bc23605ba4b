"""Sample of the tool type mock."""

from tests.contract.tool_lambdas import CANARY, LARGE, Sample

SAMPLE = Sample(
    implementation={"type": "mock", "mock_response": {"temperature": 22, "condition": "sunny"}},
    arguments={"location": CANARY},
    result={"temperature": 22, "condition": "sunny"},
    oversize={"implementation": {"type": "mock", "mock_response": LARGE}},
)
