"""Sample of the tool type builtin."""

from tests.contract.tool_lambdas import CANARY, LARGE, Sample

SAMPLE = Sample(
    implementation={"type": "builtin", "handler": "echo"},
    arguments={"text": CANARY},
    result={"echo": {"text": CANARY}},
    oversize={"arguments": {"text": LARGE}},
    computes=True,
    hooks=(1, 0),
)
