import gc
from collections.abc import Iterator
from functools import cache

import pytest


@pytest.fixture(scope="session", autouse=True)
def cheap_aws_clients() -> Iterator[None]:
    """Make AWS clients and moto start in milliseconds.

    All botocore sessions share the descriptions of AWS services, which take longer to read than most tests to run; and
    moto watches botocore alone, not every URL of the `requests` package besides, which nothing here uses.
    """
    import botocore.session
    import moto.core.models

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(botocore.session, "create_loader", cache(botocore.session.create_loader))
        patch.setattr(moto.core.models, "RESPONSES_METHODS", [])
        yield


def pytest_collection() -> None:
    """Collect no garbage among modules and tests while they are loaded; they stay to the end of the process."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Spare the garbage collector what was loaded."""
    gc.freeze()
    gc.enable()
