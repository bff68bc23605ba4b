"""Configuration of a tool of type mock, shared with the check of suites."""

from flexchat.validation.mocks import MockImplementation as Implementation

__all__ = ["Implementation"]
