"""Errors of botocore, imported with the first exception that a handler compares with them.

A handler names an error as `errors.ClientError`, and Python evaluates the name only while it handles an exception. The
import takes 40 ms, and a function that calls AWS with `JsonClient` needs it for failures alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from botocore.exceptions import BotoCoreError as BotoCoreError
    from botocore.exceptions import ClientError as ClientError
    from botocore.exceptions import NoCredentialsError as NoCredentialsError
    from botocore.exceptions import NoRegionError as NoRegionError
    from botocore.exceptions import ReadTimeoutError as ReadTimeoutError
else:

    def __getattr__(name: str) -> type[Exception]:
        """Return the error of this name."""
        return getattr(import_module("botocore.exceptions"), name)
