"""The schema compiler: a tool as one provider takes it, and what was lost on the way.

A schema that is sent may be looser than the tool's own, never stricter: arguments are checked against the original
whatever a model was shown. What a provider cannot take is said in another way, in words, or dropped, and each time
there is a `Loss`.
"""

from functions.chat.tools.schema_compiler.compiler import CompiledTool, compile_tool
from functions.chat.tools.schema_compiler.dialects import Dialect
from functions.chat.tools.schema_compiler.warnings import Loss

__all__ = ["CompiledTool", "Dialect", "Loss", "compile_tool"]
