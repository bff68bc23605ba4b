"""Domain model and shared services of all functions. Only `flexchat.aws` calls AWS."""

__version__ = "0.1.0"
