"""Samples of the tool types."""

from flexchat.tool_types import TOOL_TYPES
from tests.contract.tool_lambdas import sample_of

SAMPLES = {kind: sample_of(kind) for kind, row in TOOL_TYPES.items() if row.service.startswith("tool-")}
"""Samples of tool types whose functions do nothing else."""
