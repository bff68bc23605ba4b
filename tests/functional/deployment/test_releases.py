"""Releases of a stage: their record, aliases and versions, and rollbacks."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

import pytest
from botocore.exceptions import ClientError

from cli.deployment.account import Stack
from cli.deployment.releases import Functions, Release, ReleaseRecord, Releases, callers_first, record_name
from cli.errors import DeploymentError
from flexchat.config.parameters import manifest_name

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

CHAT, STREAM, TOOL = "flexchat-try-chat", "flexchat-try-chat-stream", "flexchat-try-tool-http"


class Parameters:
    """Fake parameter store."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def read(self, names: Any) -> Mapping[str, str]:
        return {name: self.values[name] for name in names if name in self.values}

    def put(self, name: str, value: str) -> None:
        self.values[name] = value


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float, /) -> None:
        self.now += seconds


def not_found() -> ClientError:
    return ClientError({"Error": {"Code": "ResourceNotFoundException", "Message": "gone"}}, "GetAlias")


class Lambda:
    """Fake of Lambda's versions and aliases; `calls` are the changes in their order."""

    def __init__(self, functions: Mapping[str, int]) -> None:
        self.versions = {name: {str(each) for each in range(1, last + 1)} for name, last in functions.items()}
        self.aliases = {name: str(last) for name, last in functions.items()}
        self.states: dict[tuple[str, str], str] = {}
        self.calls: list[tuple[str, ...]] = []
        self.fails_at = ""
        self.on_invoke: Callable[[str, str], None] = self._start

    def publish(self, *names: str) -> dict[str, str]:
        """Publish a version of each function, as a deployment does, and return the versions of the stack."""
        for name in names:
            number = str(len(self.versions[name]) + 1)
            self.versions[name].add(number)
            self.aliases[name] = number
        return dict(self.aliases)

    def _start(self, name: str, version: str) -> None:
        self.states.pop((name, version), None)

    def get_alias(self, *, FunctionName: str, Name: str) -> dict[str, str]:  # noqa: N803 (botocore's own names)
        if FunctionName not in self.aliases:
            raise not_found()
        return {"Name": Name, "FunctionVersion": self.aliases[FunctionName]}

    def update_alias(
        self,
        *,
        FunctionName: str,  # noqa: N803
        Name: str,  # noqa: N803
        FunctionVersion: str,  # noqa: N803
        RoutingConfig: dict[str, Any],  # noqa: N803
    ) -> None:
        assert (Name, RoutingConfig) == ("live", {"AdditionalVersionWeights": {}})
        if FunctionName == self.fails_at:
            raise ClientError({"Error": {"Code": "Throttling", "Message": "slow down"}}, "UpdateAlias")
        self.calls.append(("move", FunctionName, FunctionVersion))
        self.aliases[FunctionName] = FunctionVersion

    def get_function_configuration(self, *, FunctionName: str, Qualifier: str) -> dict[str, str]:  # noqa: N803
        if Qualifier not in self.versions[FunctionName]:
            raise not_found()
        return {"State": self.states.get((FunctionName, Qualifier), "Active")}

    def invoke(self, *, FunctionName: str, Qualifier: str, Payload: bytes) -> None:  # noqa: N803
        self.calls.append(("invoke", FunctionName, Qualifier))
        self.on_invoke(FunctionName, Qualifier)
        raise ClientError({"Error": {"Code": "SnapStartNotReadyException", "Message": str(Payload)}}, "Invoke")

    def get_paginator(self, operation: str) -> Any:
        assert operation == "list_versions_by_function"
        return self

    def paginate(self, *, FunctionName: str) -> Iterator[dict[str, Any]]:  # noqa: N803
        yield {"Versions": [{"Version": "$LATEST"}]}
        yield {"Versions": [{"Version": each} for each in sorted(self.versions[FunctionName], key=int)]}

    def delete_function(self, *, FunctionName: str, Qualifier: str) -> None:  # noqa: N803
        assert self.aliases[FunctionName] != Qualifier
        self.versions[FunctionName].remove(Qualifier)


class Stage:
    """Stage with three functions, whose first release is deployed."""

    def __init__(self) -> None:
        self.lambdas = Lambda({CHAT: 1, STREAM: 1, TOOL: 1})
        self.parameters = Parameters()
        self.clock = Clock()
        functions = Functions(cast("LambdaClient", self.lambdas))
        self.releases = Releases(stage="try", store=self.parameters, functions=functions, clock=self.clock)
        self.deploy()

    def deploy(self, *changed: str, configuration: str = "one", keeps_previous: bool = True) -> dict[str, str]:
        versions = self.lambdas.publish(*changed)
        self.parameters.values[manifest_name("try")] = configuration
        self.releases.align(versions)
        self.releases.record(versions, keeps_previous=keeps_previous)
        return versions


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_a_rollback_moves_all_functions_to_the_versions_of_the_previous_release(stage: Stage) -> None:
    stage.deploy(CHAT, TOOL)

    release, _ = stage.releases.roll_back()

    assert release.number == 1
    assert stage.lambdas.aliases == {CHAT: "1", STREAM: "1", TOOL: "1"}
    assert stage.releases.read().is_rolled_back


def test_callers_move_back_before_the_functions_that_they_invoke(stage: Stage) -> None:
    stage.deploy(CHAT, STREAM, TOOL)

    stage.releases.roll_back()

    assert [name for _, name, _ in stage.lambdas.calls] == [CHAT, STREAM, TOOL]
    assert callers_first(["a-tool-http", "a-retrieval", "a-chat"]) == ["a-chat", "a-retrieval", "a-tool-http"]


def test_a_rollback_returns_the_configurations_of_the_release_and_of_the_stage(stage: Stage) -> None:
    stage.deploy(CHAT, configuration="two")

    release, configuration = stage.releases.roll_back()

    assert release.configuration != configuration
    (current,) = [each for each in stage.releases.read().releases if each.number == 2]
    assert current.configuration == configuration


def test_a_deployment_keeps_the_versions_of_two_releases(stage: Stage) -> None:
    stage.deploy(CHAT)
    stage.deploy(CHAT, TOOL)

    assert stage.lambdas.versions == {CHAT: {"2", "3"}, STREAM: {"1"}, TOOL: {"1", "2"}}
    assert [each.number for each in stage.releases.read().releases] == [2, 3]


def test_a_stage_without_protection_keeps_one_release(stage: Stage) -> None:
    stage.deploy(CHAT, keeps_previous=False)

    assert stage.lambdas.versions[CHAT] == {"2"}
    with pytest.raises(DeploymentError, match="no release of 'try' before the current one is recorded"):
        stage.releases.roll_back()


def test_a_deployment_that_publishes_nothing_is_no_release(stage: Stage) -> None:
    stage.deploy(CHAT)
    stage.deploy(configuration="two")

    record = stage.releases.read()
    assert [each.number for each in record.releases] == [1, 2]
    assert stage.releases.roll_back()[0].number == 1


def test_a_deployment_after_a_rollback_moves_aliases_of_unchanged_functions_forward(stage: Stage) -> None:
    """CloudFormation updates the alias of the chat function only."""
    stage.deploy(CHAT, TOOL)
    stage.releases.roll_back()
    stage.lambdas.calls.clear()
    versions = {CHAT: "3", STREAM: "1", TOOL: "2"}
    stage.lambdas.versions[CHAT].add("3")
    stage.lambdas.aliases[CHAT] = "3"

    assert stage.releases.align(versions) == (TOOL,)
    stage.releases.record(versions, keeps_previous=True)

    assert stage.lambdas.aliases == versions
    assert not stage.releases.read().is_rolled_back
    assert stage.releases.roll_back()[0].versions == {CHAT: "1", STREAM: "1", TOOL: "1"}


def test_a_second_rollback_is_refused(stage: Stage) -> None:
    stage.deploy(CHAT)
    stage.releases.roll_back()

    with pytest.raises(DeploymentError, match="deploy the earlier commit"):
        stage.releases.roll_back()


def test_no_alias_moves_when_a_version_does_not_exist(stage: Stage) -> None:
    stage.deploy(CHAT, TOOL)
    stage.lambdas.versions[TOOL].remove("1")

    with pytest.raises(DeploymentError, match="version 1 of the function 'flexchat-try-tool-http' does not exist"):
        stage.releases.roll_back()
    assert stage.lambdas.calls == []


def test_a_function_that_no_longer_exists_is_reported(stage: Stage) -> None:
    del stage.lambdas.aliases[TOOL]

    with pytest.raises(DeploymentError, match="the alias of the function 'flexchat-try-tool-http' does not exist"):
        stage.releases.align({TOOL: "1"})


def test_an_inactive_version_is_started_before_any_alias_moves(stage: Stage) -> None:
    stage.deploy(CHAT, TOOL)
    stage.lambdas.states[TOOL, "1"] = "Inactive"

    stage.releases.roll_back()

    assert stage.lambdas.calls[0] == ("invoke", TOOL, "1")
    assert stage.lambdas.aliases[TOOL] == "1"


@pytest.mark.parametrize(("state", "message"), [("Failed", "cannot start"), ("Inactive", "was not ready within 10")])
def test_no_alias_moves_when_a_version_does_not_start(stage: Stage, state: str, message: str) -> None:
    stage.deploy(CHAT, TOOL)
    stage.lambdas.states[TOOL, "1"] = state
    stage.lambdas.on_invoke = lambda _name, _version: None

    with pytest.raises(DeploymentError, match=message):
        stage.releases.roll_back()
    assert stage.lambdas.aliases == {CHAT: "2", STREAM: "1", TOOL: "2"}


def test_an_interrupted_rollback_is_completed_by_the_next_one(stage: Stage) -> None:
    stage.deploy(CHAT, TOOL)
    stage.lambdas.fails_at = TOOL
    with pytest.raises(DeploymentError, match="AWS limits the rate of UpdateAlias"):
        stage.releases.roll_back()
    stage.lambdas.fails_at = ""

    assert stage.releases.roll_back()[0].number == 1
    assert stage.lambdas.aliases == {CHAT: "1", STREAM: "1", TOOL: "1"}


def test_a_damaged_record_is_reported_with_its_parameter(stage: Stage) -> None:
    stage.parameters.values[record_name("try")] = "x"

    with pytest.raises(DeploymentError, match="'/flexchat/try/deployment/releases' is no record of releases"):
        stage.releases.read()


def test_the_record_of_two_releases_of_the_longest_stage_fits_into_a_parameter() -> None:
    """A standard parameter has 4,096 characters."""
    versions = {f"flexchat-{'s' * 25}-tool-builtin-{index}": "99999" for index in range(12)}
    at = datetime(2026, 11, 27, tzinfo=UTC)
    releases = [Release(number=n, at=at, versions=versions, configuration="c" * 64) for n in (9998, 9999)]

    assert len(ReleaseRecord(current=9999, releases=tuple(releases)).model_dump_json()) < 4096


def test_versions_of_a_stack_are_those_of_its_template(monkeypatch: pytest.MonkeyPatch) -> None:
    arn = "arn:aws:lambda:eu-central-1:123456789012:function:flexchat-try-chat"
    rows = [("1", "DELETE_SKIPPED"), ("2", "UPDATE_COMPLETE")]
    resources = [
        {"ResourceType": "AWS::Lambda::Version", "PhysicalResourceId": f"{arn}:{version}", "ResourceStatus": status}
        for version, status in rows
    ]
    other = {"ResourceType": "AWS::Lambda::Function", "PhysicalResourceId": CHAT, "ResourceStatus": "UPDATE_COMPLETE"}

    class CloudFormation:
        def get_paginator(self, operation: str) -> Any:
            assert operation == "list_stack_resources"
            return self

        def paginate(self, **_: str) -> list[dict[str, Any]]:
            return [{"StackResourceSummaries": [other]}, {"StackResourceSummaries": resources}]

    def client(_service: str) -> CloudFormation:
        return CloudFormation()

    monkeypatch.setattr("cli.deployment.account.client", client)

    assert Stack("flexchat-try").versions() == {CHAT: "2"}
