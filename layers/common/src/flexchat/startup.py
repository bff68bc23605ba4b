"""The start of a function's environment, without the work that no request needs.

The module of a Lambda handler imports this one first and calls `modules_imported` last.

No garbage is collected while the modules are imported. Imports make hundreds of thousands of objects, and almost all of
them stay. Each collection in between reads them again and frees next to nothing: about a sixth of the chat function's
cold start. Code that the standard library generates in these imports is that of the build (`flexchat.generated_code`).
"""

import gc
import sys
from importlib import import_module
from threading import Lock
from types import ModuleType
from typing import Any, Final

from flexchat import generated_code

gc.disable()

DEFERRED: Final = (
    "asyncio",
    "difflib",
    "email.parser",
    "secrets",
    "zipfile",
)
"""Modules of the standard library that few requests or none use, and that libraries or own modules import."""

_removing = Lock()


class DeferredModule(ModuleType):
    """Module that is imported when one of its attributes is read.

    `importlib.util.LazyLoader` imports its module for the second import statement already.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(self.load(), name)

    def load(self) -> ModuleType:
        """Return the module itself, which takes the place of this one in later import statements."""
        with _removing:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
        return import_module(self.__name__)


def defer(name: str) -> None:
    """Import a module when it is used, unless it is imported already."""
    if name not in sys.modules:
        sys.modules[name] = module = DeferredModule(name)
        package, _, child = name.rpartition(".")
        if package:
            setattr(import_module(package), child, module)


for _name in DEFERRED:
    defer(_name)
generated_code.install_stored()


def import_deferred() -> None:
    """Import the deferred modules, as for a snapshot: no request imports a module after a restore."""
    for name in DEFERRED:
        module = sys.modules[name]
        if isinstance(module, DeferredModule):
            module.load()


def modules_imported() -> None:
    """End the start: garbage is collected again, without the modules, classes and functions of now, which stay."""
    generated_code.uninstall()
    gc.freeze()
    gc.enable()
