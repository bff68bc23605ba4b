"""Data of the stage on disk: the items of its tables, its parameters and objects, saved while the emulator runs.

ministack saves its state when it is stopped, and loses all of it when it is killed. Here, the entries that have changed
are written to a SQLite file every second, in one transaction, so that a killed process loses no more than that second.
A new emulator gets the entries back after the template is deployed. It runs with ministack's Python, so it uses the
standard library alone.
"""

import asyncio
import base64
import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Generator, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

type Application = Callable[[MutableMapping[str, Any], Any, Any], Any]
type Service = Literal["dynamodb", "ssm", "s3"]

RESTORE: Final = "/_flexchat/restore"
"""Path of the request that restores the data, once the template is deployed; from then on, changes are saved."""
SAVE: Final = "/_flexchat/save"
"""Path of the request that saves the data at once."""

PREFIX: Final = "flexchat-"
"""Beginning of the names of the tables and buckets that are saved."""
PARAMETERS: Final = "/flexchat/"
SECONDS: Final = 1.0
SHARE: Final = 20
"""Least ratio of the pause between two saves to the time that the last one took."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS entries (
    service TEXT NOT NULL, container TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (service, container, name)
) WITHOUT ROWID
"""


class Key(NamedTuple):
    """Key of an entry: `container` is the table or the bucket, `name` the key of the item, parameter or object."""

    service: Service
    container: str
    name: str


class Stores:
    """Entries in the memory of ministack: `dynamodb`, `ssm` and `s3` are its modules of these services."""

    def __init__(self, dynamodb: Any, ssm: Any, s3: Any) -> None:
        self._dynamodb = dynamodb
        self._ssm = ssm
        self._s3 = s3

    def entries(self) -> dict[Key, Any]:
        """Return all entries. Each write to ministack replaces the object of an entry, and changes none."""
        found: dict[Key, Any] = {}
        for table, items in self._tables().items():
            for partition, rows in items["items"].items():
                for row, item in rows.items():
                    found[Key("dynamodb", table, json.dumps([partition, row]))] = item
        for name, record in self._records(self._ssm._parameters):
            if name.startswith(PARAMETERS):
                found[Key("ssm", "", name)] = record
        for bucket, content in self._buckets().items():
            for name, record in content["objects"].items():
                found[Key("s3", bucket, name)] = record
        return found

    def put(self, key: Key, entry: Any) -> bool:
        """Store a saved entry; return false if its table or bucket is gone, or a parameter of the template exists."""
        match key.service:
            case "dynamodb":
                table = self._tables().get(key.container)
                if table is None:
                    return False
                partition, row = json.loads(key.name)
                self._dynamodb._set_item(table, partition, row, entry)
            case "ssm":
                if any(name == key.name for name, _ in self._records(self._ssm._parameters)):
                    return False
                self._ssm._parameters[key.name] = entry
            case "s3":
                bucket = self._buckets().get(key.container)
                if bucket is None:
                    return False
                bucket["objects"][key.name] = entry
        return True

    def _tables(self) -> dict[str, Any]:
        return {name: table for name, table in self._records(self._dynamodb._tables) if name.startswith(PREFIX)}

    def _buckets(self) -> dict[str, Any]:
        return {name: bucket for name, bucket in self._records(self._s3._buckets) if name.startswith(PREFIX)}

    @staticmethod
    def _records(scoped: Any) -> Iterator[tuple[str, Any]]:
        """Yield the entries of a store of ministack, whose keys begin with the account; there is one of them here."""
        yield from ((scope[-1], value) for scope, value in list(scoped._data.items()))


@dataclass(slots=True)
class SavedData:
    """SQLite file with the data of one stage. Nothing is written before `restore` has returned."""

    path: Path
    stores: Stores
    _saved: dict[Key, Any] = field(default_factory=dict[Key, Any])
    _restored: bool = False

    def restore(self) -> dict[str, int]:
        """Put the saved entries into the emulator; return their numbers by service."""
        counts: dict[str, int] = {"dynamodb": 0, "ssm": 0, "s3": 0}
        if not self._restored:
            with self._transaction() as file:
                for service, container, name, content in file.execute("SELECT * FROM entries"):
                    counts[service] += self.stores.put(Key(service, container, name), decoded(content))
            self._restored = True
            self._save_all()
        return counts

    def save(self, entries: Mapping[Key, Any]) -> int:
        """Write the entries that have changed since the last save, in one transaction; return their number."""
        if not self._restored:
            return 0
        changed = [key for key, entry in entries.items() if self._saved.get(key) is not entry]
        removed = [key for key in self._saved if key not in entries]
        if changed or removed:
            with self._transaction() as file:
                file.executemany("DELETE FROM entries WHERE (service, container, name) = (?, ?, ?)", removed)
                file.executemany(
                    "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)",
                    ((*key, encoded(entries[key])) for key in changed),
                )
            self._saved = dict(entries)
        return len(changed) + len(removed)

    def _save_all(self) -> None:
        """Replace the content of the file by the present entries, in one transaction."""
        self._saved = self.stores.entries()
        with self._transaction() as file:
            file.execute("DELETE FROM entries")
            file.executemany(
                "INSERT INTO entries VALUES (?, ?, ?, ?)",
                ((*key, encoded(entry)) for key, entry in self._saved.items()),
            )

    @contextlib.contextmanager
    def _transaction(self) -> Generator[sqlite3.Connection]:
        with contextlib.closing(sqlite3.connect(self.path)) as file, file:
            file.execute("PRAGMA journal_mode = WAL")
            file.execute(_SCHEMA)
            yield file


class SavingApplication:
    """Handles the requests to restore and save the data, and passes the others to `application`.

    It is called behind the check of the access key. Once the data is restored, changes are saved every second, and the
    last ones by `stop`.
    """

    def __init__(self, application: Application, data: Callable[[], SavedData]) -> None:
        self._application = application
        self._open = data
        self._data: SavedData | None = None
        self._task: asyncio.Task[None] | None = None
        self._saving = asyncio.Lock()
        self._requests = 0

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] in (RESTORE, SAVE) and scope["method"] == "POST":
            await self._answer(scope["path"], send)
            return
        self._requests += 1
        await self._application(scope, receive, send)

    async def stop(self) -> None:
        """Save the last changes."""
        await self._save()
        if self._task is not None:
            self._task.cancel()

    async def _answer(self, path: str, send: Any) -> None:
        status = 200
        try:
            body = await (self._restore() if path == RESTORE else self._save())
        except (sqlite3.Error, OSError, ValueError) as error:
            status, body = 500, {"error": str(error)}
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps(body).encode()})

    async def _restore(self) -> Mapping[str, Any]:
        if self._data is None:
            self._data = self._open()
        async with self._saving:
            counts = self._data.restore()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._save_changes(self._data))
        return counts

    async def _save(self) -> Mapping[str, Any]:
        if self._data is None:
            return {"saved": 0}
        async with self._saving:
            # Handlers of ministack run in this thread, so that the entries are those between two requests.
            return {"saved": await asyncio.to_thread(self._data.save, self._data.stores.entries())}

    async def _save_changes(self, data: SavedData) -> None:
        seen = -1
        while True:
            began = time.monotonic()
            if seen != self._requests:
                seen = self._requests
                try:
                    await self._save()
                except (sqlite3.Error, OSError) as error:
                    print(f"the data of the stage cannot be saved in {data.path}: {error}", flush=True)
                    seen = -1
            await asyncio.sleep(max(SECONDS, SHARE * (time.monotonic() - began)))


def encoded(entry: Any) -> bytes:
    """Return an entry of ministack as JSON, with its bytes as base64."""
    return json.dumps(entry, default=_bytes).encode()


def decoded(content: bytes) -> Any:
    """Return the entry of `encoded`."""
    return json.loads(content, object_hook=_unbytes)


def _bytes(value: Any) -> dict[str, str]:
    return {"__bytes__": base64.b64encode(bytes(value)).decode("ascii")}


def _unbytes(value: dict[str, Any]) -> Any:
    return base64.b64decode(value["__bytes__"]) if value.keys() == {"__bytes__"} else value
