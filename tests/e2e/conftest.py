"""Clients of the running local stack, with and without an operator's token."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import botocore.session
import httpx2
import pytest
from boto3.session import Session
from botocore.config import Config

from cli.layout import Layout
from cli.local_stack import StackState, aws_environment
from dev.local_stack.running import running_stack
from tests.e2e.commands import flexchat

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

ANSWER_SECONDS = 60


@pytest.fixture(scope="session")
def layout() -> Layout:
    return Layout.here()


@pytest.fixture(scope="session")
def stack(layout: Layout) -> StackState:
    state = running_stack(layout)
    if state is None:
        pytest.exit("no local stack is running; `make e2e` starts one", returncode=2)
    return state


@pytest.fixture(scope="session", autouse=True)
def project_configuration(stack: StackState, layout: Layout) -> Iterator[None]:
    """Serve the project's configuration during the tests and restore the previous one afterwards."""
    own = str(layout.root / "config" / "flexchat.json")
    if stack.config == own:
        yield
        return
    flexchat("local", "up", "--config", own)
    yield
    flexchat("local", "up", "--config", stack.config)


@pytest.fixture(scope="session")
def anonymous(stack: StackState) -> Iterator[httpx2.Client]:
    """API client without a token."""
    with httpx2.Client(base_url=stack.url, timeout=ANSWER_SECONDS, trust_env=False) as client:
        yield client


@pytest.fixture(scope="session")
def api(stack: StackState) -> Iterator[httpx2.Client]:
    """API client with the token of the stack."""
    headers = {"Authorization": f"Bearer {stack.token}"}
    with httpx2.Client(base_url=stack.url, headers=headers, timeout=ANSWER_SECONDS, trust_env=False) as client:
        yield client


@pytest.fixture(scope="session")
def aws(stack: StackState) -> "AwsClients":
    return AwsClients(stack)


class AwsClients:
    """Clients of the emulated account, without retries."""

    def __init__(self, stack: StackState) -> None:
        self._environment = aws_environment(stack.endpoint, stack.access_key_id)
        # Profiles are disabled: the operator's profile may not exist for the emulator.
        core = botocore.session.Session(session_vars={"profile": (None, None, None, None)})
        self._session: Any = Session(botocore_session=core)

    def lambdas(self) -> "LambdaClient":
        return cast("LambdaClient", self.client("lambda"))

    def client(self, service: str) -> Any:
        return self._session.client(
            service,
            region_name=self._environment["AWS_REGION"],
            endpoint_url=self._environment["AWS_ENDPOINT_URL"],
            aws_access_key_id=self._environment["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=self._environment["AWS_SECRET_ACCESS_KEY"],
            config=Config(read_timeout=ANSWER_SECONDS, retries={"total_max_attempts": 1}, proxies={}),
        )


@pytest.fixture
def default_configuration(layout: Layout) -> Iterator[None]:
    """Restore the configuration after a test that pushes another one."""
    yield
    flexchat("local", "up", "--config", str(layout.root / "config" / "flexchat.json"))
