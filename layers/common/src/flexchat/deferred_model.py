"""Base of all pydantic models: a model is built for its first use.

pydantic builds the validator of a model when its class is made, and again as a part of each model that has it as a
field. Here the parts are built once, with the model that is used. A default value that is a model is made by
`model_construct`, for which nothing is built.
"""

from collections.abc import Iterator, Mapping
from threading import RLock
from typing import Any, Final, override

from pydantic import BaseModel, ConfigDict

_BUILDING: Final = RLock()
"""Held while a model is built: pydantic does not allow two threads to build the same one."""


class DeferredModel(BaseModel):
    model_config = ConfigDict(defer_build=True)

    @override
    @classmethod
    def model_rebuild(
        cls,
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 0,
        _types_namespace: Mapping[str, Any] | None = None,
    ) -> bool | None:
        """Build the model if it is not built, one thread at a time. Its annotations have the names of its module."""
        with _BUILDING:
            return super().model_rebuild(
                force=force,
                raise_errors=raise_errors,
                _parent_namespace_depth=0,
                _types_namespace=_types_namespace,
            )


def build_models(*models: type[BaseModel]) -> None:
    """Build models now, as for the first request of an environment, which has less CPU than its initialization."""
    for model in models:
        model.model_rebuild()


def build_all_models() -> None:
    """Build every model that is imported."""
    build_models(*_subclasses(DeferredModel))


def _subclasses(model: type[DeferredModel]) -> Iterator[type[DeferredModel]]:
    for subclass in model.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)
