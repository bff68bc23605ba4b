"""Wires of every row of the provider table, each in the module `<type>_wire`."""

from importlib import import_module
from typing import Final, cast

import pytest

from flexchat.config.providers import PROVIDER_TYPES
from tests.contract.streamed_wire import StreamedWire, StreamingWire
from tests.contract.wire_script import Wire

WIRES: Final[list[Wire]] = [import_module(f"tests.contract.{provider}_wire").WIRE for provider in PROVIDER_TYPES]

STREAMED_WIRES: Final[list[Wire]] = [StreamedWire(cast("StreamingWire", wire)) for wire in WIRES]

BOTH_WAYS: Final = [
    *(pytest.param(wire, id=wire.type) for wire in WIRES),
    *(pytest.param(wire, id=f"{wire.type}-streamed") for wire in STREAMED_WIRES),
]
"""Parameters of a test of plain and streamed completions."""
