"""JSON Schema (2020-12) of tools: validation of schemas and of arguments."""

from flexchat.schema.checker import ArgumentChecker, ResultChecker, check_schema, load_validator

__all__ = ["ArgumentChecker", "ResultChecker", "check_schema", "load_validator"]
