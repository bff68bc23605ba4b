"""List of the published versions of a configuration."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from cli.invocation import flexchat
from cli.reviewed_text import reviewed_text
from cli.terminal import echo
from cli.times import exact, iso
from flexchat.config.history import VersionSummary
from flexchat.text import counted

MAX_CHANGES = 5


def print_versions(versions: Sequence[VersionSummary], active: VersionSummary | None, *, stage: str) -> None:
    """Print versions, and the command that rolls back; `active` is the published one, if it is recorded."""
    if not versions:
        echo(f"{stage!r} has no recorded version: the next push records the present configuration and the new one.")
        return
    for version in versions:
        marks = "".join(f"  {mark}" for mark in _marks(version, is_active=version is active))
        by = reviewed_text(version.by or "author not recorded")
        echo(f"{version.number}  {exact(_moment(version))} UTC  {by}{marks}")
        if version.comment:
            echo(f"    {reviewed_text(version.comment)}")
        shown = version.changes[:MAX_CHANGES]
        for change in shown:
            echo(f"    {reviewed_text(change)}")
        if more := len(version.changes) - len(shown):
            echo(f"    and {counted(more, 'other change')}")
    if active is None:
        echo("The active configuration was published without a record.", err=True)
    if len(versions) > 1:
        command = flexchat("config", "rollback", str(versions[1].number), "--stage", stage)
        echo(f"Roll back to the version before: {command}", err=True)


def version_as_json(version: VersionSummary, *, is_active: bool) -> dict[str, object]:
    """Return a version for `--json`."""
    return {
        "number": version.number,
        "version": version.version,
        "published_at": iso(_moment(version)),
        "by": version.by or None,
        "comment": version.comment,
        "restores": version.restores,
        "changes": list(version.changes),
        "active": is_active,
    }


def _moment(version: VersionSummary) -> datetime:
    return datetime.fromtimestamp(version.at, UTC)


def _marks(version: VersionSummary, *, is_active: bool) -> Iterator[str]:
    if is_active:
        yield "active"
    if version.restores is not None:
        yield f"rolls back to {version.restores}"
