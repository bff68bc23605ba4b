import gc
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, settings

from tests import time_limit

# A busy machine is no failure.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def cheap_aws_clients() -> Iterator[None]:
    """Make AWS clients and moto start in milliseconds.

    All botocore sessions share the descriptions of AWS services, which take longer to read than most tests to run; and
    moto watches botocore alone, not every URL of the `requests` package besides, which nothing here uses. A value of
    DynamoDB is looked up by the name of its type alone; moto tries each of the ten types under four names.
    """
    import botocore.session
    import moto.core.models
    import moto.core.serialize

    look_up: Any = moto.core.serialize.ResponseSerializer.get_value

    def get_value(serializer: Any, value: Any, key: str, shape: Any) -> Any:
        if type(value) is dict and shape.parent.name == "AttributeValue":
            return cast("dict[str, Any]", value).get(key)
        return look_up(serializer, value, key, shape)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moto.core.serialize.ResponseSerializer, "get_value", get_value)
        patch.setattr(botocore.session, "create_loader", cache(botocore.session.create_loader))
        patch.setattr(moto.core.models, "RESPONSES_METHODS", [])
        yield


@pytest.fixture(autouse=True)
def separate_log_lines() -> Iterator[None]:
    """Remove the fields that a handler added to the logger, which all tests of a process share."""
    from flexchat.observability import logger

    yield
    logger.clear_state()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Skip a test that would begin after the end of the run's time, before its fixtures are set up."""
    if time_limit.is_over():
        pytest.skip(f"the time of this run is over ({time_limit.VARIABLE})")


def pytest_collection() -> None:
    """Disable garbage collection while tests are loaded; modules and tests live to the end of the process."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exempt the loaded modules and tests from garbage collection."""
    gc.freeze()
    gc.enable()
