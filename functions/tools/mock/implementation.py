"""What the configuration says about a tool of type mock: suites of cases have such tools too."""

from flexchat.validation.mocks import MockImplementation as Implementation

__all__ = ["Implementation"]
