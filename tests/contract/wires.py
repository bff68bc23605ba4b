"""Wires of every row of the provider table, each in the module `<type>_wire`."""

from importlib import import_module
from typing import Final

from flexchat.config.providers import PROVIDER_TYPES
from tests.contract.wire_script import Wire

WIRES: Final[list[Wire]] = [import_module(f"tests.contract.{provider}_wire").WIRE for provider in PROVIDER_TYPES]
