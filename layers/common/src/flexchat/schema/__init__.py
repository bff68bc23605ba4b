"""A tool's JSON Schema (2020-12): checked when it is loaded, then used to check what a model sends."""

from flexchat.schema.checker import ArgumentChecker, check_schema

__all__ = ["ArgumentChecker", "check_schema"]
