"""The published configuration of a stage for an operator: read, check and publish drafts, the history."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final

from flexchat.audit import Auditor
from flexchat.config.changes import diff
from flexchat.config.document import Source, parse
from flexchat.config.history import ConfigurationHistory, VersionSummary
from flexchat.config.matching import match_rule, matched_fields
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.limits import LimitsConfig
from flexchat.config.models.roles import RoleConfig
from flexchat.config.publication import (
    Attribution,
    PackedWriter,
    Parameters,
    PublicationConflictError,
    StoredSource,
    changed_since,
    check_comment,
    publish,
)
from flexchat.config_check.check import check_publication
from flexchat.errors import ConfigError, Problem, RequestError
from flexchat.messages import Json
from flexchat.observability import logger
from functions.configuration.entries import DraftError, entries_of, with_draft
from functions.configuration.models import (
    ConfigurationDraft,
    ConfigurationSource,
    ConfigurationVersion,
    ConfigurationVersionList,
    DraftChange,
    DraftCheck,
    DraftMatches,
    DraftProblem,
    MatchedRule,
    PublishedVersion,
    RecordedProfile,
)

EDITING_OFF: Final = (
    "this stage does not publish by the API: deploy with ConfigurationEditing=on, or use"
    " `flexchat config push --stage STAGE`"
)


class ConfigurationEditor:
    """Configuration of one stage. Methods raise ConfigError or UnavailableError when AWS cannot be read."""

    def __init__(
        self,
        store: Parameters,
        *,
        packed: PackedWriter,
        history: ConfigurationHistory,
        stage: str,
        editing: bool,
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._packed = packed
        self._history = history
        self._stage = stage
        self._editing = editing
        self._clock = clock

    def show(self) -> ConfigurationSource:
        """Return the published configuration. Raises RequestError (404) where there is none."""
        stored = self._stored()
        active = stored.active
        published = _version_view(active, is_active=True) if active is not None else None
        return self._source_view(stored.source, stored.version, published)

    def limits(self) -> LimitsConfig:
        """Return the published limits. Raises RequestError (404) where no configuration is published."""
        return parse(self._stored().source).configuration.limits

    def roles(self) -> Mapping[str, RoleConfig]:
        """Return the published roles. Raises RequestError (404) where no configuration is published."""
        return parse(self._stored().source).configuration.roles

    def check(self, draft: ConfigurationDraft) -> DraftCheck:
        """Return every problem of a draft and its changes."""
        stored = self._stored()
        outdated = draft.base != stored.version
        try:
            source = with_draft(stored.source, draft)
        except DraftError as error:
            return DraftCheck(problems=error.problems, changes=(), outdated=outdated)
        _, problems = check_publication(source, stage=self._stage)
        changes = tuple(
            DraftChange(kind=change.kind, path=change.path, keys=change.keys) for change in diff(stored.source, source)
        )
        return DraftCheck(problems=_problem_views(problems), changes=changes, outdated=outdated)

    def match(self, draft: ConfigurationDraft, profiles: Sequence[RecordedProfile]) -> DraftMatches:
        """Return the rules that match recorded profiles, in the published configuration and in the draft."""
        stored = self._stored()
        try:
            source = with_draft(stored.source, draft)
        except DraftError as error:
            return DraftMatches(matches=(), problems=error.problems)
        errors = tuple(
            problem for problem in check_publication(source, stage=self._stage)[1] if problem.severity == "error"
        )
        if any(problem.path.startswith("responses") for problem in errors):
            return DraftMatches(matches=(), problems=_problem_views(errors))
        published, edited = parse(stored.source), parse(source)
        matches: list[MatchedRule] = []
        for profile in profiles:
            before = _rule_name(published.configuration, published.rule_positions, profile.fields)
            after = _rule_name(edited.configuration, edited.rule_positions, profile.fields)
            matches.append(MatchedRule(id=profile.id, published=before, draft=after, changed=before != after))
        return DraftMatches(matches=tuple(sorted(matches, key=lambda match: not match.changed)))

    def publish(self, draft: ConfigurationDraft, *, by: str, comment: str, audit: Auditor) -> PublishedVersion:
        """Publish a draft. Raises RequestError (400, 403, 409)."""
        self._require_editing()
        stored = self._stored()
        if draft.base != stored.version:
            raise _outdated(stored)
        try:
            source = with_draft(stored.source, draft)
        except DraftError as error:
            raise _invalid(error.problems) from error
        return self._published(source, stored, Attribution(by, _checked(comment)), audit)

    def restore(self, number: int, *, base: str, by: str, comment: str, audit: Auditor) -> PublishedVersion:
        """Publish the configuration of an earlier version again. Raises RequestError (400, 403, 404, 409)."""
        self._require_editing()
        version = self._history.get(number)
        if version is None:
            raise _version_not_found(number)
        stored = self._stored()
        if base != stored.version:
            raise _outdated(stored)
        attribution = Attribution(by, _checked(comment), restores=number)
        return self._published(version.configuration(), stored, attribution, audit)

    def versions(self) -> ConfigurationVersionList:
        """Return the history."""
        stored = self._stored()
        versions = tuple(_version_view(version, is_active=version is stored.active) for version in stored.versions)
        return ConfigurationVersionList(recorded=stored.active is not None, versions=versions)

    def version(self, number: int) -> ConfigurationSource:
        """Return the configuration of a version. Raises RequestError (404)."""
        found = self._history.get(number)
        if found is None:
            raise _version_not_found(number)
        is_active = self._stored().active == found.summary
        published = _version_view(found.summary, is_active=is_active)
        return self._source_view(found.configuration(), found.summary.version, published)

    def _source_view(self, source: Source, version: str, published: ConfigurationVersion | None) -> ConfigurationSource:
        _, problems = check_publication(source, stage=self._stage)
        return ConfigurationSource(
            stage=self._stage,
            version=version,
            published=published,
            editing=self._editing,
            editing_problem=None if self._editing else EDITING_OFF,
            entries=tuple(entries_of(source, problems)),
        )

    def _stored(self) -> StoredSource:
        stored = StoredSource.read(self._store, stage=self._stage, history=self._history)
        if not stored.version:
            message = f"no configuration is published; run `flexchat config push --stage {self._stage}`"
            raise RequestError(message, status=HTTPStatus.NOT_FOUND, code="configuration_not_found")
        return stored

    def _require_editing(self) -> None:
        if not self._editing:
            raise RequestError(EDITING_OFF, status=HTTPStatus.FORBIDDEN, code="editing_disabled")

    def _published(
        self, source: Source, stored: StoredSource, attribution: Attribution, audit: Auditor
    ) -> PublishedVersion:
        _, problems = check_publication(source, stage=self._stage)
        if any(problem.severity == "error" for problem in problems):
            raise _invalid(_problem_views(problems))
        try:
            publication = publish(
                source,
                stage=self._stage,
                store=self._store,
                packed=self._packed,
                history=self._history,
                attribution=attribution,
                base=stored.version,
                stored=stored,
                audit=audit,
                clock=self._clock,
            )
        except PublicationConflictError as error:
            raise _conflict(str(error)) from error
        recorded = publication.recorded
        if recorded is None:
            message = "there is nothing to publish: the draft has the published configuration"
            raise RequestError(message, code="nothing_to_publish")
        logger.info("configuration published", number=recorded.number, version=recorded.version, by=recorded.by)
        return PublishedVersion(
            version=publication.version,
            published=_version_view(recorded, is_active=True),
            warnings=_problem_views((*problems, *publication.warnings)),
        )


def _rule_name(configuration: Configuration, positions: Sequence[int], fields: dict[str, Json]) -> str | None:
    rules = configuration.responses
    try:
        rule = match_rule(rules, matched_fields(fields, configuration.profile.caller_fields))
    except ConfigError:
        return None
    return rule.name or next(f"responses[{at}]" for at, each in zip(positions, rules, strict=True) if each is rule)


def _version_view(summary: VersionSummary, *, is_active: bool) -> ConfigurationVersion:
    return ConfigurationVersion(
        number=summary.number,
        published_at=datetime.fromtimestamp(summary.at, UTC),
        by=summary.by or None,
        comment=summary.comment,
        restores=summary.restores,
        changes=summary.changes,
        active=is_active,
    )


def _problem_views(problems: Sequence[Problem]) -> tuple[DraftProblem, ...]:
    return tuple(
        DraftProblem(severity=problem.severity, path=problem.path, message=problem.message) for problem in problems
    )


def _checked(comment: str) -> str:
    try:
        return check_comment(comment)
    except ConfigError as error:
        raise RequestError("the comment is not valid; see details", details=error.problems) from error


def _invalid(problems: Sequence[DraftProblem]) -> RequestError:
    errors = tuple(Problem(each.path, each.message) for each in problems if each.severity == "error")
    return RequestError(
        "the configuration has errors and was not published; see details", code="invalid_configuration", details=errors
    )


def _outdated(stored: StoredSource) -> RequestError:
    return _conflict(f"{changed_since(stored)}; merge the draft with it, or discard the draft")


def _conflict(message: str) -> RequestError:
    return RequestError(message, status=HTTPStatus.CONFLICT, code="configuration_changed")


def _version_not_found(number: int) -> RequestError:
    message = f"version {number} not found; GET /api/configuration/versions lists the versions"
    return RequestError(message, status=HTTPStatus.NOT_FOUND, code="version_not_found")
