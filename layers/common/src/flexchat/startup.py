"""The start of a function's environment: no garbage collection while its modules are imported.

Imports make hundreds of thousands of objects, and almost all of them stay. Each collection in between reads them again
and frees next to nothing: about a sixth of the chat function's cold start. The module of a Lambda handler imports this
one first and calls `modules_imported` last.
"""

import gc

gc.disable()


def modules_imported() -> None:
    """Turn garbage collection on. It leaves out the objects that exist now: modules, classes and functions stay."""
    gc.freeze()
    gc.enable()
