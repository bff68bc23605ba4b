from collections.abc import Iterator
from functools import cache

import botocore.loaders
import pytest


@pytest.fixture(scope="session", autouse=True)
def shared_service_models() -> Iterator[None]:
    """Let all botocore sessions share the descriptions of AWS services, which take longer to read than most tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(botocore.loaders, "create_loader", cache(botocore.loaders.create_loader))
        yield
