"""Requests and responses of the configuration routes."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from flexchat.api.base import ApiModel, Optional
from flexchat.config.history import MAX_COMMENT
from flexchat.messages import Json

MAX_PROFILES = 200
MAX_TEXT = 300_000

type Section = Literal[
    "responses", "tools", "topic", "intent", "mcp_servers", "llms", "rag_services", "token_limits", "settings"
]

EntryText = Annotated[str, Field(max_length=MAX_TEXT)]
PrincipalName = Annotated[str, Field(min_length=1, max_length=128)]


class ConfigurationEntry(ApiModel):
    """One entry of a configuration as JSON text, with references in place of secrets.

    `path` is its path in the file. A draft may change an `editable` entry; `reason` says why it may not change another.
    An entry with a value that looks like a secret is not editable.
    """

    section: Section
    name: str
    path: str
    text: str
    editable: bool
    reason: Optional[str] = None


class ConfigurationVersion(ApiModel):
    """A published version; `changes` are lines such as `~ responses[0] (weather): prompt`.

    `by` is null for a publication without a record, `restores` the number of the version that it rolls back to.
    """

    number: int
    published_at: datetime
    by: str | None
    comment: str
    restores: Optional[int] = None
    changes: tuple[str, ...] = ()
    active: bool


class ConfigurationSource(ApiModel):
    """A configuration by entries. `version` is the hash that a draft begins from.

    `published` is null for a configuration without a record. `editing` is false where the stage does not allow to
    publish by the API; `editing_problem` is then the reason.
    """

    stage: str
    version: str
    published: ConfigurationVersion | None
    editing: bool
    editing_problem: Optional[str] = None
    entries: tuple[ConfigurationEntry, ...]


class ConfigurationVersionList(ApiModel):
    """Published versions, the newest first; `recorded` is false where the active configuration is none of them."""

    recorded: bool
    versions: tuple[ConfigurationVersion, ...]


class ConfigurationDraft(ApiModel):
    """Changes of the configuration of the hash `base`, as JSON texts.

    `responses` and `tools` are the complete lists in their order; a section without a value is unchanged. An empty
    `topic` or `intent` removes the section. `mcp_servers` turns servers on or off by name. `token_limits` are entries
    of `limits.principals` by the id of the token; an empty text removes one.
    """

    base: Annotated[str, Field(min_length=1, max_length=128)]
    responses: Annotated[tuple[EntryText, ...], Field(max_length=1_000)] | None = None
    tools: Annotated[tuple[EntryText, ...], Field(max_length=2_000)] | None = None
    topic: EntryText | None = None
    intent: EntryText | None = None
    mcp_servers: Annotated[dict[str, bool], Field(max_length=1_000)] | None = None
    token_limits: Annotated[dict[PrincipalName, EntryText], Field(max_length=1_000)] | None = None


class DraftProblem(ApiModel):
    """A problem of a draft, at its path in the file. With `line` and `column` it is one of an entry's JSON text."""

    severity: Literal["error", "warning"]
    path: str
    message: str
    line: Optional[int] = None
    column: Optional[int] = None


class DraftChange(ApiModel):
    """A changed entry or setting; `keys` are the paths of the changes in it."""

    kind: Literal["added", "removed", "changed", "moved"]
    path: str
    keys: tuple[str, ...] = ()


class DraftCheck(ApiModel):
    """Result of the checks of `flexchat config check`, and the changes that a publication would make.

    `outdated` is true where the configuration was published again since the draft began.
    """

    problems: tuple[DraftProblem, ...]
    changes: tuple[DraftChange, ...]
    outdated: bool


class RecordedProfile(ApiModel):
    """The profile of a recorded chat: the fields that its rules were matched on."""

    id: Annotated[str, Field(min_length=1, max_length=128)]
    fields: dict[str, Json]


class DraftMatch(ApiModel):
    """A draft, and recorded profiles to match its rules against."""

    draft: ConfigurationDraft
    profiles: Annotated[tuple[RecordedProfile, ...], Field(max_length=MAX_PROFILES)]


class MatchedRule(ApiModel):
    """Names of the rules that match a recorded profile: of the published configuration, and of the draft.

    A rule without a name has its position, `responses[1]`; null where no rule matches.
    """

    id: str
    published: str | None
    draft: str | None
    changed: bool


class DraftMatches(ApiModel):
    """Matched rules, changed ones first; `problems` are errors of the draft, whose rules are then not matched."""

    matches: tuple[MatchedRule, ...]
    problems: tuple[DraftProblem, ...] = ()


class Comment(ApiModel):
    comment: Annotated[str, Field(max_length=MAX_COMMENT)] = ""


class PublishDraft(Comment):
    """A draft to publish, with the reason."""

    draft: ConfigurationDraft


class RestoreVersion(Comment):
    """The hash of the active configuration, which an earlier version replaces, with the reason."""

    base: Annotated[str, Field(min_length=1, max_length=128)]


class PublishedVersion(ApiModel):
    """A new version. Functions read it within a minute; `warnings` are those of the checks."""

    version: str
    published: ConfigurationVersion
    warnings: tuple[DraftProblem, ...] = ()
