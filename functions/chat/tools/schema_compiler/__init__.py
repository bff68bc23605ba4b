"""Schema compiler: converts a tool's definition to the dialect of one provider and reports the losses.

A compiled schema may be looser than the tool's own, never stricter: arguments are checked against the original.
Keywords that a provider does not accept are rewritten, described in text or dropped, each with a `SchemaLoss`.
"""

from functions.chat.tools.schema_compiler.compiler import CompiledTool, compile_tool
from functions.chat.tools.schema_compiler.dialects import Dialect, SchemaLoss

__all__ = ["CompiledTool", "Dialect", "SchemaLoss", "compile_tool"]
