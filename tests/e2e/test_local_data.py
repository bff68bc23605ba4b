"""Data of the local stage across runs of the AWS emulator, also of killed ones."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from boto3.session import Session
from botocore.config import Config

from cli.files import make_private_folder
from cli.layout import Layout
from cli.local_stack import aws_environment
from cli.processes import Processes
from cli.system import wait_until
from dev.local_stack.emulator import Emulator, restore_data, save_data, start_emulator

SECONDS = 10.0
TABLE = "flexchat-local-test"
BUCKET = "flexchat-local-test"


@pytest.fixture(scope="session", autouse=True)
def project_configuration() -> None:
    """These tests start emulators of their own, and need no running stack."""


@pytest.fixture
def home(tmp_path: Path) -> Layout:
    """Layout of a stack of its own."""
    layout = Layout(tmp_path)
    make_private_folder(layout.tmp)
    make_private_folder(layout.data)
    return layout


@pytest.fixture
def processes(home: Layout) -> Iterator[Processes]:
    processes = Processes(home.processes)
    yield processes
    processes.stop_all()


class Run:
    """One run of the emulator, with the resources that a deployment makes."""

    def __init__(self, layout: Layout, home: Layout, processes: Processes) -> None:
        self.emulator: Emulator = start_emulator(layout.tools / "ministack" / "bin", layout=home, processes=processes)
        self.client("dynamodb").create_table(
            TableName=TABLE,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            BillingMode="PAY_PER_REQUEST",
        )
        self.client("s3").create_bucket(Bucket=BUCKET)

    def client(self, service: str) -> Any:
        names = aws_environment(self.emulator.endpoint, self.emulator.access_key_id)
        return cast("Any", Session()).client(
            service,
            endpoint_url=self.emulator.endpoint,
            aws_access_key_id=names["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key="local",
            region_name=names["AWS_REGION"],
            config=Config(s3={"addressing_style": "path"}, proxies={}),
        )

    def restore(self) -> int:
        return restore_data(self.emulator.endpoint, self.emulator.access_key_id)

    def put(self, number: int) -> None:
        item = {"pk": {"S": "s"}, "sk": {"S": f"{number:06}"}, "bytes": {"B": b"\x00\xff"}, "n": {"N": str(number)}}
        self.client("dynamodb").put_item(TableName=TABLE, Item=item)

    def numbers(self) -> list[int]:
        found = self.client("dynamodb").query(
            TableName=TABLE, KeyConditionExpression="pk = :s", ExpressionAttributeValues={":s": {"S": "s"}}
        )
        assert all(item["bytes"] == {"B": b"\x00\xff"} for item in found["Items"])
        return [int(item["n"]["N"]) for item in found["Items"]]

    def kill(self) -> None:
        os.killpg(self.emulator.process.pid, signal.SIGKILL)
        assert wait_until(lambda: not self.emulator.process.alive, seconds=SECONDS)


def test_items_secrets_and_objects_survive_a_stop(layout: Layout, home: Layout, processes: Processes) -> None:
    first = Run(layout, home, processes)
    first.restore()
    first.put(1)
    first.client("ssm").put_parameter(Name="/flexchat/local/secrets/KEY", Value="the key", Type="SecureString")
    first.client("s3").put_object(Bucket=BUCKET, Key="a/b", Body=b"\x00body", Metadata={"kind": "test"})
    processes.stop(first.emulator.process)  # saves what has changed since the last second

    second = Run(layout, home, processes)
    assert second.restore() == 3
    assert second.numbers() == [1]
    parameter = second.client("ssm").get_parameter(Name="/flexchat/local/secrets/KEY", WithDecryption=True)["Parameter"]
    assert (parameter["Value"], parameter["Type"], parameter["Version"]) == ("the key", "SecureString", 1)
    body = second.client("s3").get_object(Bucket=BUCKET, Key="a/b")
    assert (body["Body"].read(), body["Metadata"]) == (b"\x00body", {"kind": "test"})
    second.client("ssm").put_parameter(
        Name="/flexchat/local/secrets/KEY", Value="another", Type="SecureString", Overwrite=True
    )
    second.put(1)
    second.put(2)
    assert second.numbers() == [1, 2]


def test_a_killed_emulator_loses_at_most_what_was_not_saved(layout: Layout, home: Layout, processes: Processes) -> None:
    first = Run(layout, home, processes)
    first.restore()
    first.put(1)
    save_data(first.emulator.endpoint, first.emulator.access_key_id)
    for number in range(2, 60):  # killed while it saves some of them by itself
        first.put(number)
    first.kill()

    second = Run(layout, home, processes)
    second.kill()  # before the data was restored

    third = Run(layout, home, processes)
    third.restore()
    found = third.numbers()
    assert found == list(range(1, len(found) + 1))
    assert found[0] == 1


def stored(home: Layout) -> bytes:
    """Return the contents of the database and of its log, which SQLite deletes after a checkpoint."""
    contents = b""
    for name in ("stage.sqlite-wal", "stage.sqlite"):
        with suppress(FileNotFoundError):
            contents += (home.data / name).read_bytes()
    return contents


def test_changes_are_saved_by_themselves(layout: Layout, home: Layout, processes: Processes) -> None:
    first = Run(layout, home, processes)
    first.restore()
    first.put(1)
    assert wait_until(lambda: b"000001" in stored(home), seconds=SECONDS)
    first.kill()

    second = Run(layout, home, processes)
    second.restore()
    assert second.numbers() == [1]


def test_the_files_are_private(layout: Layout, home: Layout, processes: Processes) -> None:
    first = Run(layout, home, processes)
    first.restore()
    first.put(1)
    save_data(first.emulator.endpoint, first.emulator.access_key_id)

    assert {entry.stat().st_mode & 0o077 for entry in home.data.iterdir()} == {0}
