"""Deployment of a stage: check, build, deploy, publish the configuration, create a token, test."""

import time
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from cli.audit import operator_audit
from cli.client import Client
from cli.configuration import (
    PushSummary,
    bind_stored_secrets,
    checked,
    missing_secrets,
    push_configuration,
    read_file,
    secret_problems,
    secrets_held,
)
from cli.console import Console
from cli.deployment.account import Account, Stack, check_bucket, find_account
from cli.deployment.environment_file import API_OUTPUT, write_environment_file
from cli.deployment.networks import ISOLATE_MCP, check_networks, isolated_servers
from cli.deployment.releases import Functions, Releases
from cli.deployment.sam import RunCommand, Sam, run_command
from cli.deployment.settings import SAMCONFIG, StageSettings, host_architecture, read_settings
from cli.deployment.smoke_test import SmokeTest
from cli.errors import DeploymentError
from cli.invocation import flexchat, make
from cli.layout import Layout
from cli.stage_bucket import configuration_objects, operator_attribution
from cli.target import Target
from cli.tokens import create_token, short_lived_token
from flexchat.audit import Auditor
from flexchat.aws.parameters import operator_store
from flexchat.aws.tokens import TokenStore, operator_tokens
from flexchat.config.document import Source
from flexchat.config.models.configuration import Configuration
from flexchat.errors import ConfigError, Problem
from flexchat.tokens import IssuedToken

ARCHITECTURE = "arm64"
"""Default of the template's parameter `Architecture`."""

PROTECTED = "ProtectData"
"""Template parameter of stages that keep their previous release."""

TRAFFIC_SHIFT = "DeploymentPreference"
"""Template parameter of the traffic shift, by CodeDeploy except for `AT_ONCE`."""

AT_ONCE = "None"
CANARY = "Canary10Percent5Minutes"
"""Traffic shift of protected stages: a tenth of the requests for five minutes."""

CATALOG_TTL = "CatalogTtlSeconds"
"""Template parameter of the seconds that functions cache a configuration."""

ALARM_TOPIC = "AlarmTopic"
"""Template parameter of the SNS topic that alarms notify."""

READING_SECONDS = 15.0
"""Seconds for reading a configuration, added to the time that functions cache it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of a deployment. `confirmed` executes the change set of a stage that asks first; `parameters` replace
    those of samconfig.toml."""

    stage: str
    config: Path
    token_name: str
    confirmed: bool = False
    allow_missing_secrets: bool = False
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])


class CompleteOnEmulator(Protocol):
    """Completes a deployment on an AWS emulator; returns the API's address there."""

    def __call__(self, url: str, endpoint: str, *, stack: str, stage: str) -> str: ...


def connect(url: str, token: str) -> Client:
    return Client(Target(url, token))


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """Deploys stages from a checkout.

    `install_sam` returns the folder of the SAM CLI; the stage's region and profile are set in `environ`.
    """

    layout: Layout
    console: Console
    install_sam: Callable[[], Path]
    complete_on_emulator: CompleteOnEmulator
    environ: MutableMapping[str, str]
    is_terminal: bool
    run: RunCommand = run_command
    connect: Callable[[str, str], Client] = connect

    def deploy(self, options: Options) -> None:
        """Deploy a stage, and return after a successful response.

        All checks without a build precede it. Raises DeploymentError, ConfigError or UnavailableError.
        """
        settings = self._settings(options.stage).with_parameters(options.parameters)
        if settings.confirms and not (options.confirmed or self.is_terminal):
            raise DeploymentError(
                f"samconfig.toml sets confirm_changeset for {options.stage!r}, and a confirmation needs a terminal: "
                "add --yes (`make deploy` takes ARGS=--yes)"
            )
        source, configuration = _read_configuration(options.config)
        account = find_account(settings, self.environ)
        stack = Stack(settings.stack)
        existed = stack.check()
        if not existed:
            check_bucket(self.layout.template, options.stage, account)
        self._check_networks(configuration, settings, stack.parameter if existed else _default)
        self._check_secrets(configuration, options)
        releases = self._releases(options.stage)
        settings = self.complete(settings, stack, account, existed=existed, rolled_back=releases.read().is_rolled_back)
        self._print_target(settings, account)
        sam = self._sam()
        sam.build(settings)
        # The functions that are deployed next send a secret only to the hosts that it is bound to.
        bind_stored_secrets(stage=options.stage, store=operator_store())
        outputs = self._deploy(sam, settings, stack, confirmed=options.confirmed)
        file = write_environment_file(self.layout.root, options.stage, outputs)
        self._print(f"{file.relative_to(self.layout.root)} is written")
        url = self._api_url(outputs, settings, account)
        self._check_alarms(settings, stack)
        versions = stack.versions()
        for name in releases.align(versions):
            self._print(f"the alias of {name} is moved to version {versions[name]}")
        pushed = self._push(source, configuration, options)
        release = releases.record(versions, keeps_previous=stack.parameter(PROTECTED, "true") == "true")
        self._print(f"release {release.number} of {options.stage!r} is recorded")
        catalog_seconds = float(stack.parameter(CATALOG_TTL, "60")) + READING_SECONDS
        self._finish(url, options, catalog_seconds=catalog_seconds if existed and pushed.changed else 0.0)

    def build(self, stage: str, parameters: Mapping[str, str]) -> None:
        """Build the functions of a stage with `parameters`, ready for `sam deploy`. Raises DeploymentError."""
        self._sam().build(self._settings(stage).with_parameters(parameters))

    def roll_back(self, stage: str) -> None:
        """Move the aliases of all functions to the previous release, and test it.

        Raises DeploymentError, ConfigError or UnavailableError.
        """
        settings = self._settings(stage)
        account, stack = find_account(settings, self.environ), Stack(settings.stack)
        if not stack.check():
            raise DeploymentError(f"the stage {stage!r} is not deployed")
        release, configuration = self._releases(stage).roll_back()
        self._print(
            f"release {release.number} of {stage!r}, deployed at {release.at:%Y-%m-%d %H:%M} UTC, is live again:"
        )
        for name, version in sorted(release.versions.items()):
            self._print(f"  {name}  version {version}")
        if release.configuration != configuration:
            self._print(
                f"its configuration was version {release.configuration[:12] or '(none)'}, and that of the stage is "
                f"{configuration[:12] or '(none)'}: push the earlier file if the release needs it:\n"
                f"  {flexchat('config', 'push', '--stage', stage, '--file', 'EARLIER')}"
            )
        url = self._api_url(stack.outputs(), settings, account)
        with short_lived_token(operator_tokens(stage), operator_audit(stage)) as token:
            SmokeTest(client=self.connect(url, token), console=self.console).run()
        self._print(
            f"\nthe stack still has the later release: the next `{make('deploy', f'STAGE={stage}')}` replaces it"
        )

    def _releases(self, stage: str) -> Releases:
        return Releases(stage=stage, store=operator_store(), functions=Functions.of_account(), clock=time)

    def complete(
        self, settings: StageSettings, stack: Stack, account: Account, *, existed: bool, rolled_back: bool
    ) -> StageSettings:
        """Return the settings with the parameters that build and deployment must have in common, or that this
        deployment needs.

        SAM builds for the template's default, but a stack keeps the architecture that it has. CodeDeploy expects an
        alias where the last deployment left it, which it is not after a rollback, and an emulator has no CodeDeploy.
        """
        kept = stack.parameter if existed else _default
        own = host_architecture() if account.endpoint else ARCHITECTURE
        protected = settings.parameters.get(PROTECTED) or kept(PROTECTED, "true")
        added = {
            "Architecture": kept("Architecture", own),
            TRAFFIC_SHIFT: CANARY if protected == "true" else AT_ONCE,
        }
        settings = settings.with_parameters({**added, **settings.parameters})
        if rolled_back:
            self._print("the stage was rolled back, so this deployment moves all traffic at once")
        return settings.with_parameters({TRAFFIC_SHIFT: AT_ONCE}) if account.endpoint or rolled_back else settings

    def _settings(self, stage: str) -> StageSettings:
        if stage == "local":
            raise DeploymentError(f"the stage 'local' belongs to the local stack: `{make('up')}` deploys it")
        return read_settings(self.layout.root / SAMCONFIG, stage)

    def _sam(self) -> Sam:
        return Sam(tool=self.install_sam(), layout=self.layout, environ=self.environ, run=self.run)

    def _check_networks(
        self, configuration: Configuration, settings: StageSettings, kept: Callable[[str, str], str]
    ) -> None:
        """Check the networks of the functions, and print a warning for servers that need another one."""

        def parameter(name: str) -> str:
            return settings.parameters[name] if name in settings.parameters else kept(name, "")

        check_networks(parameter)
        if servers := isolated_servers(configuration, parameter):
            self._print(
                f"warning: {ISOLATE_MCP} leaves the MCP servers {', '.join(servers)} without the internet, which their "
                "address or installer needs: disable them, or install a program of theirs into McpLayer"
            )

    def _check_secrets(self, configuration: Configuration, options: Options) -> None:
        held = secrets_held(configuration, self.environ)
        if problems := tuple(problem for name, value in held.items() for problem in secret_problems(name, value)):
            raise ConfigError((Problem("", "secrets of the environment cannot be stored:"), *problems))
        missing = missing_secrets(configuration, stage=options.stage, store=operator_store())
        stored_nowhere = [name for name in missing if name not in held]
        if stored_nowhere and not options.allow_missing_secrets:
            commands = "".join(
                f"\n  {flexchat('secrets', 'set', name, '--stage', options.stage)}" for name in stored_nowhere
            )
            raise DeploymentError(
                f"{options.config} names secrets that are neither stored for {options.stage!r} nor in the environment: "
                f"{', '.join(stored_nowhere)}. Export them, or store them:{commands}\n"
                "To deploy without what names them, add --allow-missing-secrets "
                "(`make deploy` takes ARGS=--allow-missing-secrets)."
            )

    def _deploy(self, sam: Sam, settings: StageSettings, stack: Stack, *, confirmed: bool) -> Mapping[str, str]:
        waiting = stack.waiting_changes()
        sam.deploy(settings, confirmed=confirmed)
        # SAM exits with 0 when the change set is declined.
        if settings.confirms and not confirmed and stack.waiting_changes() - waiting:
            raise DeploymentError(f"the change set was declined: {settings.stack!r} is unchanged")
        return stack.outputs()

    def _push(self, source: Source, configuration: Configuration, options: Options) -> PushSummary:
        secrets = secrets_held(configuration, self.environ)
        objects = configuration_objects(options.stage)
        summary = push_configuration(
            source,
            stage=options.stage,
            store=operator_store(),
            packed=objects,
            history=objects,
            attribution=operator_attribution(options.stage, "flexchat deploy"),
            audit=operator_audit(options.stage),
            secrets=secrets,
        )
        for warning in summary.warnings:
            self._print(f"warning: {warning}")
        for name in summary.missing_secrets:
            self._print(f"warning: the secret {name} is not stored, so what names it is disabled")
        for name, hosts in summary.unbound_secrets.items():
            self._print(f"warning: the secret {name} is not bound to {', '.join(hosts)}, so it is not sent there")
        self._print(
            f"{options.config} is the configuration of {options.stage!r}: {len(summary.created)} created, "
            f"{len(summary.updated)} updated, {len(summary.deleted)} deleted, {len(summary.unchanged)} unchanged"
        )
        return summary

    def _finish(self, url: str, options: Options, *, catalog_seconds: float) -> None:
        store = operator_tokens(options.stage)
        audit = operator_audit(options.stage)
        issued = _new_token(store, audit, options.token_name)
        self._print_access(url, options, issued)
        with ExitStack() as stack:
            token = issued.token.reveal() if issued else stack.enter_context(short_lived_token(store, audit))
            client = self.connect(url, token)
            SmokeTest(client=client, console=self.console, catalog_seconds=catalog_seconds).run()
        self._print_next_steps(url, options)

    def _check_alarms(self, settings: StageSettings, stack: Stack) -> None:
        """Print a warning for a protected stage without a topic for its alarms."""
        is_protected = settings.confirms or stack.parameter(PROTECTED, "true") == "true"
        if is_protected and not stack.parameter(ALARM_TOPIC, ""):
            self._print(
                f"warning: no alarm of {settings.stage!r} notifies anyone: create an SNS topic, and add "
                f"{ALARM_TOPIC}=<its ARN> to parameter_overrides of [{settings.stage}.global.parameters]"
            )

    def _api_url(self, outputs: Mapping[str, str], settings: StageSettings, account: Account) -> str:
        """Return the address of the API without a trailing slash."""
        url = outputs.get(API_OUTPUT)
        if not url:
            raise DeploymentError(f"the deployed stack has no output {API_OUTPUT}")
        if account.endpoint is None:
            return url.rstrip("/")
        return self.complete_on_emulator(url, account.endpoint, stack=settings.stack, stage=settings.stage)

    def _print_target(self, settings: StageSettings, account: Account) -> None:
        place = f" at {account.endpoint}" if account.endpoint else ""
        self._print(f"deploying {settings.stack} to account {account.id}, region {account.region}{place}")
        if settings.is_default:
            self._print(
                f"samconfig.toml has no section {settings.stage!r}: the template's defaults apply; "
                f"add [{settings.stage}.global.parameters] and [{settings.stage}.deploy.parameters] to change them"
            )

    def _print_access(self, url: str, options: Options, issued: IssuedToken | None) -> None:
        self._print(f"\npage    {url}/\nurl     {url}")
        if issued is None:
            self._print(f"token   the one named {options.token_name!r}, which exists; it cannot be shown again")
            return
        self._print(
            f"token   {issued.token.reveal()}\n"
            f"        Role user, until {issued.record.expires_at:%Y-%m-%d}. Store it now: it cannot be shown again."
        )

    def _print_next_steps(self, url: str, options: Options) -> None:
        stage, config = options.stage, str(options.config)
        commands = (
            flexchat("chat", "Hello", "--url", url, "--token", "TOKEN"),
            flexchat("config", "push", "--stage", stage, "--file", config),
            flexchat(
                "tokens", "create", "--stage", stage, "--name", "operator", "--role", "user", "--role", "operator"
            ),
            flexchat("tokens", "list", "--stage", stage),
        )
        lines = "".join(f"\n  {command}" for command in commands)
        self._print(f"\n{stage!r} is deployed and answers. Next:{lines}")

    def _print(self, text: str) -> None:
        self.console.print(text, soft_wrap=True)


def _default(_name: str, default: str) -> str:
    return default


def _read_configuration(path: Path) -> tuple[Source, Configuration]:
    """Read and check a configuration file. Raises ConfigError with every problem."""
    source = read_file(path)
    configuration, problems = checked(source)
    if errors := tuple(problem for problem in problems if problem.severity == "error"):
        raise ConfigError((Problem("", f"{path} cannot be used:"), *errors))
    return source, configuration


def _new_token(store: TokenStore, audit: Auditor, name: str) -> IssuedToken | None:
    """Return a new user token of this name, or None when the stage has an unexpired one."""
    now = datetime.now(UTC)
    if any(record.name == name and record.is_live(now=now) for record in store.list()):
        return None
    return create_token(store=store, audit=audit, name=name, now=now)
