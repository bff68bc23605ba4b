"""Publication of a configuration: new parameters, the record of the version, the manifest, and the packed copy.

The command and the configuration function publish by `publish` alone, so that they cannot differ.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct

from flexchat.config.changes import Change, diff
from flexchat.config.document import Source
from flexchat.config.encoding import EncodingError, LastChange, StoredParameters, decode, digest
from flexchat.config.history import (
    MAX_CHANGES,
    MAX_COMMENT,
    MAX_VERSIONS,
    ConfigurationHistory,
    RecordedVersion,
    VersionSummary,
    source_text,
)
from flexchat.config.parameters import configuration_path, join, manifest_name, split
from flexchat.errors import ConfigError, FlexchatError, Problem, UnavailableError
from flexchat.messages import Json
from flexchat.text import counted

if TYPE_CHECKING:
    from flexchat.audit import Auditor

PENDING_SECONDS: Final = 60.0
"""Time after which a publication that has recorded its version and not written its manifest has failed."""

UNRECORDED_COMMENT: Final = "Published without a record"


class Parameters(Protocol):
    """Store that a configuration is published to, such as a ParameterStore."""

    def read_path(self, path: str) -> Mapping[str, str]: ...

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...

    def put(self, name: str, value: str, *, secret: bool = False, key: str | None = None) -> None: ...

    def delete(self, names: Iterable[str]) -> None: ...


class PackedWriter(Protocol):
    """Writer of the packed copy of a configuration that functions read when they start."""

    def write(self, parameters: Mapping[str, str]) -> bool: ...


class PublicationConflictError(FlexchatError):
    """Another writer has published since, or is publishing now; `newest` is its version, if it is recorded."""

    def __init__(self, message: str, newest: VersionSummary | None = None) -> None:
        super().__init__(message)
        self.newest = newest


class Attribution(Struct, frozen=True):
    """Author of a publication and the reason; `restores` is the number of the version that it rolls back to."""

    by: str
    comment: str = ""
    restores: int | None = None


class Publication(Struct, frozen=True):
    """Result of a publication: the changes, its version, and its summary in the history.

    `recorded` is None without changes or without a history.
    """

    changes: tuple[Change, ...]
    version: str
    recorded: VersionSummary | None = None
    warnings: tuple[Problem, ...] = ()


class StoredSource(Struct, frozen=True):
    """Configuration in the parameters of a stage: its version, empty without one, and the readable part of its source.

    `newest` is the newest record of the history, read before the parameters: a record that another writer adds later is
    found when the next one is written.
    """

    parameters: Mapping[str, str]
    version: str
    source: dict[str, Json]
    newest: RecordedVersion | None = None

    @classmethod
    def read(cls, store: Parameters, *, stage: str, history: ConfigurationHistory | None = None) -> "StoredSource":
        """Read the history and the parameters of a stage. Raises ConfigError or UnavailableError."""
        newest = history.newest() if history is not None else None
        parameters = store.read_path(configuration_path(stage))
        manifest = parameters.get(manifest_name(stage))
        try:
            source = join(parameters, stage=stage).source
        except ConfigError:  # unreadable parts are written again
            source = {}
        return cls(parameters, digest(manifest) if manifest is not None else "", source, newest)

    @property
    def active(self) -> VersionSummary | None:
        """Summary of the configuration; None where it was published without a record."""
        return next((summary for summary in self.versions[:1] if summary.version == self.version), None)

    @property
    def is_recorded(self) -> bool:
        """Return whether the configuration is the newest version of the history."""
        return self.newest is not None and self.newest.summary.version == self.version

    @property
    def is_pending(self) -> bool:
        """Return whether the newest version of the history was recorded and did not become the configuration."""
        return self.newest is not None and not self.is_recorded and self.newest.previous == self.version

    @property
    def versions(self) -> tuple[VersionSummary, ...]:
        """Summaries of the versions that were the configuration, the newest first."""
        if self.newest is None:
            return ()
        return self.newest.earlier if self.is_pending else self.newest.summaries

    def changed(self, *, stage: str) -> LastChange | None:
        """Return the last change of the manifest, if it is known."""
        if isinstance(self.parameters, StoredParameters):
            return self.parameters.changes.get(manifest_name(stage))
        return None


def publish(
    source: Source,
    *,
    stage: str,
    store: Parameters,
    packed: PackedWriter | None = None,
    history: ConfigurationHistory | None = None,
    attribution: Attribution | None = None,
    base: str | None = None,
    stored: StoredSource | None = None,
    audit: "Auditor | None" = None,
    clock: Callable[[], float] = time.time,
) -> Publication:
    """Publish a checked `source` as the configuration of a stage.

    Readers get the old configuration or the new one, never a mixture: new parameters are written first, then the
    version's record, which is the lock of the publication, then the manifest and the packed copy, and unused parameters
    are deleted last. Nothing is written when nothing changed. An interrupted publication leaves the old configuration
    active, and the next one repairs it.

    With `base`, the published version must be this one. `stored` is the present configuration, if it has been read.
    `audit` records the publication, before the first write and after the last one. A packed copy that cannot be written
    is a warning: functions read the parameters then.

    Raises PublicationConflictError before the manifest is written, ConfigError for entries that do not fit, and
    UnavailableError.
    """
    wanted = split(source, stage=stage)
    stored = stored or StoredSource.read(store, stage=stage, history=history)
    if base is not None and base != stored.version:
        raise changed_since(stored)
    changes = diff(stored.source, source)
    manifest = manifest_name(stage)
    is_new = not _same(stored.parameters.get(manifest), wanted[manifest])
    recorded = None
    version = digest(wanted[manifest]) if is_new else stored.version
    with _audited(audit if is_new else None, attribution, changes) as audited:
        for name, value in wanted.items():
            if name != manifest and not _same(stored.parameters.get(name), value):
                store.put(name, value)
        if is_new and history is not None and attribution is not None:
            recorded = _record(
                source, changes, history, stored, version, attribution=attribution, stage=stage, now=clock()
            )
            audited["number"] = recorded.number
        if is_new:
            store.put(manifest, wanted[manifest])
    if is_new and audit is not None:
        audit.limited(_limited_tokens(stored.source, source))
    unpacked = tuple(_pack(wanted, packed))
    if removed := tuple(name for name in stored.parameters if name not in wanted):
        store.delete(removed)
    if recorded is not None and history is not None:
        history.delete_before(recorded.number - MAX_VERSIONS + 1)
    return Publication(changes, version, recorded, unpacked)


def _audited(
    audit: "Auditor | None", attribution: Attribution | None, changes: tuple[Change, ...]
) -> AbstractContextManager[dict[str, Json]]:
    if audit is None:
        return nullcontext(dict[str, Json]())
    given = attribution or Attribution("")
    action = "publish" if given.restores is None else "roll_back"
    target = None if given.restores is None else str(given.restores)
    return audit.change("configuration", action, target, changes=list(_lines(changes)), comment=given.comment)


def _limited_tokens(before: Source, after: Source) -> tuple[str, ...]:
    """Return the ids of the tokens whose own limits differ."""
    old, new = (_principals(source) for source in (before, after))
    return tuple(token for token in dict.fromkeys((*old, *new)) if old.get(token) != new.get(token))


def _principals(source: Source) -> Mapping[str, Json]:
    limits = source.get("limits")
    principals = limits.get("principals") if isinstance(limits, dict) else None
    return principals if isinstance(principals, dict) else {}


def check_comment(comment: str) -> str:
    """Return a comment without space around it. Raises ConfigError for a long one or one with control characters."""
    text = " ".join(comment.split())
    if len(text) > MAX_COMMENT:
        raise ConfigError((Problem("comment", f"must have at most {MAX_COMMENT} characters, not {len(text):,}"),))
    if not text.isprintable():
        raise ConfigError((Problem("comment", "must have printable characters only"),))
    return text


def _record(
    source: Source,
    changes: tuple[Change, ...],
    history: ConfigurationHistory,
    stored: StoredSource,
    version: str,
    *,
    attribution: Attribution,
    stage: str,
    now: float,
) -> VersionSummary:
    """Write the record of a version; before it, that of a present version without one.

    Raises PublicationConflictError.
    """
    newest, earlier = stored.newest, stored.versions
    number = (newest.summary.number if newest is not None else 0) + 1
    if newest is not None and stored.is_pending and now - newest.summary.at < PENDING_SECONDS:
        raise PublicationConflictError(
            f"{_author(newest.summary)} began to publish version {newest.summary.number} less than a minute ago;"
            " try again in a minute",
            newest.summary,
        )
    if stored.version and stored.active is None:
        changed = stored.changed(stage=stage)
        present = VersionSummary(
            number=number,
            version=stored.version,
            at=changed.at if changed is not None else now,
            comment=UNRECORDED_COMMENT,
        )
        _add(history, RecordedVersion(summary=present, previous="", source=source_text(stored.source), earlier=earlier))
        earlier, number = (present, *earlier), number + 1
    summary = VersionSummary(
        number=number,
        version=version,
        at=now,
        by=attribution.by,
        comment=attribution.comment,
        restores=attribution.restores,
        changes=_lines(changes),
    )
    record = RecordedVersion(
        summary=summary, previous=stored.version, source=source_text(source), earlier=earlier[: MAX_VERSIONS - 1]
    )
    _add(history, record)
    return summary


def _add(history: ConfigurationHistory, record: RecordedVersion) -> None:
    if not history.add(record):
        raise PublicationConflictError(
            f"another writer published version {record.summary.number} at the same time; read the configuration again"
        )


def _lines(changes: tuple[Change, ...]) -> tuple[str, ...]:
    lines = tuple(change.line for change in changes)
    if len(lines) <= MAX_CHANGES:
        return lines
    return (*lines[:MAX_CHANGES], f"and {counted(len(lines) - MAX_CHANGES, 'other change')}")


def changed_since(stored: StoredSource) -> PublicationConflictError:
    """Return the error of a draft or a push that did not begin from the stored version."""
    summary = stored.active
    if summary is None:
        return PublicationConflictError("the configuration was published again since the draft began, without a record")
    comment = f" ({summary.comment!r})" if summary.comment else ""
    return PublicationConflictError(
        f"{_author(summary)} published version {summary.number}{comment} since the draft began", summary
    )


def _author(summary: VersionSummary) -> str:
    return summary.by or "another writer"


def _pack(parameters: Mapping[str, str], packed: PackedWriter | None) -> Iterator[Problem]:
    """Write the packed copy; yield a warning where that fails."""
    try:
        if packed is not None:
            packed.write(parameters)
    except (ConfigError, UnavailableError) as exc:
        message = f"the packed configuration was not written, so each start reads every entry: {exc}"
        yield Problem("", message, "warning")


def _same(stored: str | None, value: str) -> bool:
    """Return true when a stored value is equal; compressed values are compared by their content."""
    if stored is None:
        return False
    try:
        return decode(stored) == decode(value)
    except EncodingError:
        return False
