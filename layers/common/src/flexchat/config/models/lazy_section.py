"""Section whose models are imported only for a configuration that has entries in it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import core_schema

from flexchat.config.models.base import without_comment

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
    from pydantic.json_schema import JsonSchemaValue


class LazySection(NamedTuple):
    """Annotation of a mapping.

    `SECTION` of `module` is the TypeAdapter that validates it, `ENTRY` the model of an entry. Models of a section that
    few deployments have would take several milliseconds of every cold start.
    """

    module: str

    @property
    def adapter(self) -> "TypeAdapter[Any]":
        return import_module(self.module).SECTION

    @property
    def annotation(self) -> object:
        return dict[str, import_module(self.module).ENTRY]

    def validate(self, value: object) -> object:
        """Return the entries by name. Raises ValidationError with the locations of its problems in the section."""
        entries = without_comment(value)
        return {} if entries == {} else self.adapter.validate_python(entries)

    def __get_pydantic_core_schema__(self, _source: object, _handler: "GetCoreSchemaHandler") -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.validate)

    def __get_pydantic_json_schema__(
        self, _schema: core_schema.CoreSchema, handler: "GetJsonSchemaHandler"
    ) -> "JsonSchemaValue":
        return handler(self.adapter.core_schema)
