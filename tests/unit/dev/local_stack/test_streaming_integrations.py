"""Integrations of the emulator whose routes stream."""

import pytest

from dev.local_stack.launcher.launch_ministack import in_one_piece

FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:chat:live"


def emulated(uri: str) -> str:
    """Return the function of a URI as ministack does."""
    return uri.split("/functions/", 1)[1].removesuffix("/invocations")


@pytest.mark.parametrize(
    "uri",
    [
        f"arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/{FUNCTION}/invocations",
        f"arn:aws:apigateway:us-east-1:lambda:path/2021-11-15/functions/{FUNCTION}/response-streaming-invocations",
    ],
)
def test_function_of_both_kinds_of_integrations_is_found(uri: str) -> None:
    assert in_one_piece(emulated)(uri) == FUNCTION
