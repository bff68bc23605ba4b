"""Errors of a deployment."""

from flexchat.errors import FlexchatError


class DeploymentError(FlexchatError):
    """A deployment cannot begin, or did not succeed; the message names the cause and the remedy."""
