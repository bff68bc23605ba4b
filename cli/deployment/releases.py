"""Releases of a stage: the versions of its functions that belong together, their record, and their aliases.

A release is the set of versions that one deployment published. `flexchat deploy` records the current release and the
one before it in the parameter store, deletes older versions, and moves the aliases back with `--rollback`.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Protocol

from botocore.exceptions import ClientError
from pydantic import BaseModel, ConfigDict, ValidationError

from cli.deployment.account import aws_errors, client
from cli.deployment.smoke_test import Clock
from cli.errors import DeploymentError
from cli.invocation import flexchat
from flexchat.aws.credentials import error_code
from flexchat.config.parameters import manifest_name, manifest_version
from flexchat.errors import ConfigError

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

ALIAS: Final = "live"
NOT_FOUND: Final = "ResourceNotFoundException"
NOT_READY: Final = "SnapStartNotReadyException"
START_SECONDS: Final = 600.0
"""Maximum wait for an inactive version, whose snapshot Lambda takes again."""

PAUSE_SECONDS: Final = 5.0
UNPUBLISHED: Final = "$LATEST"


class ReleaseStore(Protocol):
    """Parameters of the stage."""

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...

    def put(self, name: str, value: str) -> None: ...


class Release(BaseModel):
    """Versions by function, and the version of the configuration that was published with them."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    number: int
    at: datetime
    versions: Mapping[str, str]
    configuration: str = ""


class ReleaseRecord(BaseModel):
    """Recorded releases; `current` is the number of the one that the aliases point to."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    current: int = 0
    releases: tuple[Release, ...] = ()

    @property
    def is_rolled_back(self) -> bool:
        """Return true when a later release than the current one was deployed."""
        return any(each.number > self.current for each in self.releases)

    @property
    def live(self) -> Release | None:
        return next((each for each in self.releases if each.number == self.current), None)

    @property
    def previous(self) -> Release | None:
        """Return the last release before the current one."""
        earlier = [each for each in self.releases if each.number < self.current]
        return max(earlier, key=lambda each: each.number, default=None)


def record_name(stage: str) -> str:
    return f"/flexchat/{stage}/deployment/releases"


class Functions:
    """Versions and aliases of the stage's functions. Every method raises DeploymentError."""

    def __init__(self, lambdas: "LambdaClient") -> None:
        self._lambdas = lambdas

    @classmethod
    def of_account(cls) -> "Functions":
        """Return those of the account in the environment."""
        with aws_errors():
            return cls(client("lambda"))

    def live_version(self, function: str) -> str:
        with aws_errors(), _missing(function, "the alias"):
            return self._lambdas.get_alias(FunctionName=function, Name=ALIAS)["FunctionVersion"]

    def move(self, function: str, version: str) -> None:
        """Point the alias to one version, which gets all requests."""
        with aws_errors(), _missing(function, f"version {version}"):
            self._lambdas.update_alias(
                FunctionName=function,
                Name=ALIAS,
                FunctionVersion=version,
                RoutingConfig={"AdditionalVersionWeights": {}},
            )

    def state(self, function: str, version: str) -> str:
        """Return `Active`, `Pending`, `Failed`, or `Inactive` for a version that was not invoked for 14 days."""
        with aws_errors(), _missing(function, f"version {version}"):
            found = self._lambdas.get_function_configuration(FunctionName=function, Qualifier=version)
            return found.get("State", "Active")

    def start(self, function: str, version: str) -> None:
        """Invoke an inactive version, so that Lambda takes its snapshot again; the event is refused by the function.

        https://docs.aws.amazon.com/lambda/latest/dg/snapstart-troubleshooting.html
        """
        with aws_errors():
            try:
                self._lambdas.invoke(FunctionName=function, Qualifier=version, Payload=b"{}")
            except ClientError as error:
                if error_code(error) != NOT_READY:
                    raise

    def delete_versions(self, function: str, *, keep: Iterable[str]) -> int:
        """Delete the versions that no release has; return their number."""
        kept = {UNPUBLISHED, *keep}
        with aws_errors():
            pages = self._lambdas.get_paginator("list_versions_by_function").paginate(FunctionName=function)
            versions = [version["Version"] for page in pages for version in page["Versions"] if "Version" in version]
            unused = [version for version in versions if version not in kept]
            for version in unused:
                self._lambdas.delete_function(FunctionName=function, Qualifier=version)
        return len(unused)


@contextmanager
def _missing(function: str, what: str) -> Generator[None]:
    """Raise DeploymentError for a function, alias or version that does not exist."""
    try:
        yield
    except ClientError as error:
        if error_code(error) != NOT_FOUND:
            raise
        raise DeploymentError(
            f"{what} of the function {function!r} does not exist: deploy the commit of the release"
        ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Releases:
    """Releases of one stage. Every method raises DeploymentError, ConfigError or UnavailableError."""

    stage: str
    store: ReleaseStore
    functions: Functions
    clock: Clock

    def read(self) -> ReleaseRecord:
        """Return the record, which is empty before the first release."""
        name = record_name(self.stage)
        text = self.store.read([name]).get(name)
        if text is None:
            return ReleaseRecord()
        try:
            return ReleaseRecord.model_validate_json(text)
        except ValidationError as error:
            raise DeploymentError(
                f"the parameter {name!r} is no record of releases: delete it; the next deployment records its release"
            ) from error

    def align(self, versions: Mapping[str, str]) -> tuple[str, ...]:
        """Move aliases that do not point to the deployed versions, such as after a rollback; return their functions.

        CloudFormation updates no alias of an unchanged function.
        """
        ordered = reversed(callers_first(versions))
        moved = tuple(name for name in ordered if self.functions.live_version(name) != versions[name])
        for name in moved:
            self.functions.move(name, versions[name])
        return moved

    def record(self, versions: Mapping[str, str], *, keeps_previous: bool) -> Release:
        """Record the deployed versions as the current release, and delete the versions of no recorded release."""
        record, configuration = self.read(), self._configuration()
        live = record.live
        if live is not None and live.versions == versions:
            release = live.model_copy(update={"configuration": configuration})
            previous = record.previous
        else:
            number = max((each.number for each in record.releases), default=0) + 1
            at = datetime.now(UTC).replace(microsecond=0)
            release = Release(number=number, at=at, versions=dict(versions), configuration=configuration)
            previous = live
        kept = (previous, release) if previous is not None and keeps_previous else (release,)
        self._write(ReleaseRecord(current=release.number, releases=kept))
        for name in versions:
            self.functions.delete_versions(name, keep=[each.versions[name] for each in kept if name in each.versions])
        return release

    def roll_back(self) -> tuple[Release, str]:
        """Move all aliases to the previous release; return it and the version of the stage's configuration.

        No alias moves if a version does not exist, or does not start.
        """
        record = self.read()
        previous = record.previous
        if previous is None:
            raise DeploymentError(
                f"no release of {self.stage!r} before the current one is recorded: deploy the earlier commit "
                "(a stage with ProtectData=false keeps one release)"
            )
        names = callers_first(previous.versions)
        self._start({name: previous.versions[name] for name in names})
        for name in names:
            self.functions.move(name, previous.versions[name])
        self._write(record.model_copy(update={"current": previous.number}))
        return previous, self._configuration()

    def _start(self, versions: Mapping[str, str]) -> None:
        """Wait until every version is active."""
        waiting: list[tuple[str, str]] = []
        for name, version in versions.items():
            state = self.functions.state(name, version)
            if state == "Failed":
                raise DeploymentError(f"version {version} of {name!r} cannot start: deploy the commit of the release")
            if state != "Active":
                waiting.append((name, version))
        for name, version in waiting:
            self.functions.start(name, version)
        end = self.clock.monotonic() + START_SECONDS
        for name, version in waiting:
            while self.functions.state(name, version) != "Active":
                if self.clock.monotonic() > end:
                    raise DeploymentError(
                        f"version {version} of {name!r} was not ready within {START_SECONDS / 60:.0f} minutes: run "
                        f"`{flexchat('deploy', '--stage', self.stage, '--rollback')}` again"
                    )
                self.clock.sleep(PAUSE_SECONDS)

    def _configuration(self) -> str:
        """Return the version of the stage's configuration, or an empty text without one."""
        try:
            return manifest_version(self.store.read([manifest_name(self.stage)]), stage=self.stage)
        except ConfigError:
            return ""

    def _write(self, record: ReleaseRecord) -> None:
        self.store.put(record_name(self.stage), record.model_dump_json())


def callers_first(functions: Iterable[str]) -> Sequence[str]:
    """Return the functions that invoke others before those that they invoke.

    A function accepts the events of earlier versions of its callers. A rollback therefore moves callers first, and a
    deployment moves them last.
    """
    return sorted(functions, key=lambda name: ("-tool-" in name or name.endswith(("-retrieval", "-traces")), name))
