"""Data of the local stage in its SQLite file."""

import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dev.local_stack.launcher.saved_data import Key, SavedData, Stores, decoded, encoded

ACCOUNT = "000000000000"


class Scoped(dict[str, Any]):
    """Store of ministack, whose entries begin with an account."""

    @property
    def _data(self) -> dict[tuple[str, str], Any]:
        return {(ACCOUNT, name): value for name, value in self.items()}


class Emulator:
    """Services of one run of the emulator, after its template is deployed."""

    def __init__(self) -> None:
        self.tables = Scoped({"flexchat-local-chats": {"items": {}}, "another": {"items": {"a": {"b": {}}}}})
        self.parameters = Scoped({"/flexchat/local/mcp_commands": {"Value": "of the template"}, "/other": {}})
        self.buckets = Scoped({"flexchat-local-1": {"objects": {}}, "sam": {"objects": {"code": {}}}})

    def stores(self) -> Stores:
        def set_item(table: Any, partition: str, row: str, item: Any) -> None:
            table["items"].setdefault(partition, {})[row] = item

        return Stores(
            SimpleNamespace(_tables=self.tables, _set_item=set_item),
            SimpleNamespace(_parameters=self.parameters),
            SimpleNamespace(_buckets=self.buckets),
        )

    @property
    def items(self) -> dict[str, dict[str, Any]]:
        return self.tables["flexchat-local-chats"]["items"]

    @property
    def objects(self) -> dict[str, Any]:
        return self.buckets["flexchat-local-1"]["objects"]


def saved(path: Path, emulator: Emulator) -> SavedData:
    data = SavedData(path, emulator.stores())
    data.restore()
    return data


def save(data: SavedData) -> int:
    return data.save(data.stores.entries())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "stage.sqlite"


def test_items_parameters_and_objects_return_to_the_next_emulator(path: Path) -> None:
    first = Emulator()
    data = saved(path, first)
    first.items["s#1"] = {"t#1": {"text": {"S": "Grüße"}, "hash": {"B": "AAE="}}}
    first.parameters["/flexchat/local/secrets/KEY"] = {"Value": "ENCRYPTED:c2VjcmV0", "Version": 3}
    first.objects["handbook/1.sqlite"] = {"body": b"\x00\xff", "etag": '"e"'}
    assert save(data) == 3

    second = Emulator()
    counts = SavedData(path, second.stores()).restore()

    assert counts == {"dynamodb": 1, "ssm": 1, "s3": 1}
    assert (second.items, second.objects) == (first.items, first.objects)
    assert second.parameters == first.parameters


def test_only_changed_and_deleted_entries_are_written(path: Path) -> None:
    emulator = Emulator()
    data = saved(path, emulator)
    emulator.items["s"] = {str(number): {"n": {"N": str(number)}} for number in range(50)}
    assert save(data) == 50

    emulator.items["s"]["7"] = {"n": {"N": "8"}}
    del emulator.items["s"]["9"]
    assert save(data) == 2
    assert save(data) == 0

    later = Emulator()
    SavedData(path, later.stores()).restore()
    assert later.items == emulator.items


def test_a_parameter_of_the_template_is_not_replaced(path: Path) -> None:
    first = Emulator()
    save(saved(path, first))
    second = Emulator()
    second.parameters["/flexchat/local/mcp_commands"] = {"Value": "of the new template"}

    assert SavedData(path, second.stores()).restore()["ssm"] == 0
    assert second.parameters["/flexchat/local/mcp_commands"] == {"Value": "of the new template"}


def test_entries_of_a_table_or_bucket_that_is_gone_are_left_out(path: Path) -> None:
    first = Emulator()
    data = saved(path, first)
    first.items["s"] = {"t": {}}
    first.objects["o"] = {"body": b""}
    save(data)
    second = Emulator()
    second.tables.clear()
    second.buckets.clear()

    assert SavedData(path, second.stores()).restore() == {"dynamodb": 0, "ssm": 0, "s3": 0}


def test_an_emulator_that_was_not_restored_changes_no_file(path: Path) -> None:
    first = Emulator()
    data = saved(path, first)
    first.items["s"] = {"t": {"n": {"N": "1"}}}
    save(data)

    killed_while_it_started = SavedData(path, Emulator().stores())
    assert save(killed_while_it_started) == 0

    third = Emulator()
    assert SavedData(path, third.stores()).restore()["dynamodb"] == 1


def test_an_interrupted_save_leaves_the_last_one(path: Path) -> None:
    emulator = Emulator()
    data = saved(path, emulator)
    emulator.items["s"] = {"t": {"n": {"N": "1"}}}
    save(data)
    emulator.items["s"] = {"t": {"n": {"N": "2"}}, "u": {"not JSON": object()}}

    with pytest.raises(TypeError):
        save(data)

    later = Emulator()
    SavedData(path, later.stores()).restore()
    assert later.items == {"s": {"t": {"n": {"N": "1"}}}}
    del emulator.items["s"]["u"]
    assert save(data) == 1


def test_a_damaged_file_is_an_error(path: Path) -> None:
    path.write_bytes(b"no database at all, but a file of some length" * 30)

    with pytest.raises(sqlite3.DatabaseError):
        SavedData(path, Emulator().stores()).restore()


def test_keys_tell_apart_entries_of_one_name(path: Path) -> None:
    emulator = Emulator()
    emulator.items["x"] = {"y": {}}
    emulator.objects['["x", "y"]'] = {}

    assert {
        Key("dynamodb", "flexchat-local-chats", '["x", "y"]'),
        Key("s3", "flexchat-local-1", '["x", "y"]'),
    } <= SavedData(path, emulator.stores()).stores.entries().keys()


def test_bytes_at_any_depth_are_decoded() -> None:
    entry = {"body": b"\x00", "list": [{"deep": bytearray(b"x")}], "text": "__bytes__"}

    assert decoded(encoded(entry)) == {"body": b"\x00", "list": [{"deep": b"x"}], "text": "__bytes__"}
