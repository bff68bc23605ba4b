"""Export and import of validation history: a JSON array of pairs, a model's id and its record.

A history entry that was exported here identifies its case in `details`: importing it where that case is recorded
changes nothing. An entry of another origin becomes a record of the run `import`, under a name derived from its content,
so that importing a file twice counts once.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from flexchat.config.problems import path_of, problem_of
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, Problem
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.sessions import timestamp
from flexchat.validation.records import RETENTION_DAYS, ItemKey, ModelTallies, Provenance, RecordPage, ValidationRecord
from flexchat.validation.statistics import validated
from flexchat.validation.verdicts import Category

IMPORT_RUN = "import"

MAX_BYTES = 64 * 1_048_576
MAX_HISTORY = 10_000
"""Maximum number of history entries of one model in a file; an export has fewer."""

EXPORTED_HISTORY = 1_000
PAGE = 100

ELSEWHERE_DAYS = 400
"""Retention in days of records of other origin. An older entry is skipped, as a second import could not be detected."""

_DAY_SECONDS = 86_400


class Tracked(Protocol):
    """Operations of the tracker that export and import use."""

    def all(self, *, deadline: Deadline) -> tuple[ModelTallies, ...]: ...

    def history(self, model: str, *, limit: int, cursor: str | None = None, deadline: Deadline) -> RecordPage: ...

    def record(self, record: ValidationRecord, *, expires_at: int, deadline: Deadline) -> bool: ...


@dataclass(frozen=True, slots=True)
class Imported:
    """Result of an import: entries that were `recorded`, already `known`, or `expired`.

    `uncounted` is the number of tests in a model's `test_count` that its history lacks; they are not imported.
    """

    models: int = 0
    recorded: int = 0
    known: int = 0
    expired: int = 0
    uncounted: int = 0


class _Details(BaseModel):
    """Details of an exported record."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    run: Annotated[str, Field(min_length=1, max_length=256)]
    case: Annotated[str, Field(max_length=256)]
    repeat: Annotated[int, Field(ge=1)]
    suite: str
    category: Category | None
    reasons: tuple[str, ...]
    latency_ms: Annotated[int, Field(ge=0)]
    input_tokens: Annotated[int, Field(ge=0)]
    output_tokens: Annotated[int, Field(ge=0)]
    cost_micros: Annotated[int, Field(ge=0)] | None
    request_id: str
    demo: bool = False
    provenance: Provenance | None = None
    server: str = ""


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    timestamp: AwareDatetime
    success: bool
    details: Json = None
    error: Json = None


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    model_id: Annotated[str, Field(min_length=1, max_length=512)]
    test_count: Annotated[int, Field(ge=0)] = 0
    test_history: Annotated[tuple[_Entry, ...], Field(max_length=MAX_HISTORY)] = ()


_PAIRS = TypeAdapter(tuple[tuple[str, _Record], ...])


def export_pairs(tracker: Tracked, *, deadline: Deadline, history: int = EXPORTED_HISTORY) -> str:
    """Return every model's counts and its last `history` tests that have not expired, the oldest first.

    Only passed and failed tests are exported: the format has no others. Raises the errors of the tracker.
    """
    pairs: list[Json] = [
        [tallies.model, _record_json(tallies, _last_tests(tracker, tallies.model, history, deadline))]
        for tallies in tracker.all(deadline=deadline)
    ]
    return dumps(pairs)


def import_pairs(
    text: str | bytes, tracker: Tracked, *, now: float, deadline: Deadline, retention_days: int = RETENTION_DAYS
) -> Imported:
    """Record every history entry of a file that is not recorded yet and has not expired at `now`.

    An interrupted import can be repeated. Raises ConfigError with every problem of the file before anything is
    recorded, and the errors of the tracker.
    """
    pairs = _read_pairs(text)
    counts: Counter[str] = Counter()
    for record in pairs:
        counts["uncounted"] += max(0, record.test_count - len(record.test_history))
        for each, days in _records(record, retention_days):
            expires_at = int(each.at) + days * _DAY_SECONDS
            if expires_at <= now:
                counts["expired"] += 1
            else:
                is_new = tracker.record(each, expires_at=expires_at, deadline=deadline)
                counts["recorded" if is_new else "known"] += 1
    return Imported(models=len(pairs), **counts)


def _last_tests(tracker: Tracked, model: str, most: int, deadline: Deadline) -> list[ValidationRecord]:
    """Return the last tests of a model, the oldest first."""
    found: list[ValidationRecord] = []
    page = tracker.history(model, limit=PAGE, deadline=deadline)
    while True:
        found += (record for record in page.records if record.counted and record.result in ("passed", "failed"))
        if page.cursor is None or len(found) >= most:
            return found[:most][::-1]
        page = tracker.history(model, limit=PAGE, cursor=page.cursor, deadline=deadline)


def _record_json(tallies: ModelTallies, history: Sequence[ValidationRecord]) -> Json:
    total = tallies.all_counts().total
    return {
        "model_id": tallies.model,
        "tested": total.tests > 0,
        "validated": validated(tallies.counting(demo=False).total),
        "test_count": total.tests,
        "success_count": total.successes,
        "last_tested": timestamp(total.last_tested) if total.last_tested else None,
        "test_history": [_entry_json(record) for record in history],
    }


def _entry_json(record: ValidationRecord) -> Json:
    key = record.key
    details = _Details(
        run=key.run,
        case=key.case,
        repeat=key.repeat,
        suite=record.suite,
        category=record.category,
        reasons=record.reasons,
        latency_ms=record.latency_ms,
        input_tokens=record.input_tokens,
        output_tokens=record.output_tokens,
        cost_micros=record.cost_micros,
        request_id=record.request_id,
        demo=record.demo,
        provenance=None if record.provenance == "unknown" else record.provenance,
        server=record.server,
    )
    left_out = {
        name
        for name, value in (("demo", record.demo), ("provenance", details.provenance), ("server", record.server))
        if not value
    }
    entry: dict[str, Json] = {
        "timestamp": timestamp(record.at),
        "success": record.result == "passed",
        "details": details.model_dump(mode="json", exclude=left_out),
    }
    return entry if record.result == "passed" else {**entry, "error": "; ".join(record.reasons)}


def _read_pairs(text: str | bytes) -> list[_Record]:
    try:
        pairs = _PAIRS.validate_python(safe_loads(text, max_bytes=MAX_BYTES))
    except JsonError as exc:
        raise ConfigError((Problem("", str(exc)),)) from exc
    except ValidationError as exc:
        raise ConfigError(tuple(map(problem_of, exc.errors(include_url=False)))) from exc
    problems = tuple(
        Problem(path_of((place, 1, "model_id")), f"is {record.model_id!r}, must be the pair's own {model!r}")
        for place, (model, record) in enumerate(pairs)
        if record.model_id != model
    )
    if problems:
        raise ConfigError(problems)
    return [record for _, record in pairs]


def _records(record: _Record, retention_days: int) -> Iterator[tuple[ValidationRecord, int]]:
    """Return a record for each history entry, with its retention in days."""
    seen: Counter[str] = Counter()
    for entry in record.test_history:
        if (details := _own_details(entry.details)) is not None:
            yield _own(record.model_id, entry, details), ELSEWHERE_DAYS if details.run == IMPORT_RUN else retention_days
            continue
        digest = hashlib.sha256(dumps(_said(entry), sort_keys=True).encode("utf-8", "replace")).hexdigest()[:32]
        seen[digest] += 1
        yield _foreign(record.model_id, entry, case=digest, repeat=seen[digest]), ELSEWHERE_DAYS


def _own_details(details: Json) -> _Details | None:
    try:
        return _Details.model_validate(details)
    except ValidationError:
        return None


def _own(model: str, entry: _Entry, details: _Details) -> ValidationRecord:
    return ValidationRecord(
        key=ItemKey(details.run, model, details.case, details.repeat),
        suite=details.suite,
        category=details.category,
        result="passed" if entry.success else "failed",
        reasons=details.reasons,
        at=entry.timestamp.timestamp(),
        latency_ms=details.latency_ms,
        input_tokens=details.input_tokens,
        output_tokens=details.output_tokens,
        cost_micros=details.cost_micros,
        request_id=details.request_id,
        provenance=details.provenance or ("demo" if details.demo else "unknown"),
        server=details.server,
    )


def _foreign(model: str, entry: _Entry, *, case: str, repeat: int) -> ValidationRecord:
    error = entry.error if isinstance(entry.error, str) or entry.error is None else dumps(entry.error)
    return ValidationRecord(
        key=ItemKey(IMPORT_RUN, model, case, repeat),
        suite="",
        category=None,
        result="passed" if entry.success else "failed",
        reasons=(error,) if error else (),
        at=entry.timestamp.timestamp(),
        latency_ms=0,
    )


def _said(entry: _Entry) -> Json:
    return [timestamp(entry.timestamp.timestamp()), entry.success, entry.details, entry.error]
