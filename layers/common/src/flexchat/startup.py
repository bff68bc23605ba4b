"""The start of a function's environment.

The module of a Lambda handler imports this one first and calls `modules_imported` last.

No garbage is collected while the modules are imported. Imports make hundreds of thousands of objects, and almost all of
them stay. Each collection in between reads them again and frees next to nothing: about a sixth of the chat function's
cold start.
"""

import gc

gc.disable()


def modules_imported() -> None:
    """End the start: garbage is collected again, without the modules, classes and functions of now, which stay."""
    gc.freeze()
    gc.enable()
