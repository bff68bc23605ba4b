"""The packed configuration, from a push to the functions that read it."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from cli.configuration import push_configuration
from cli.deployment.account import client
from cli.stage_bucket import operator_objects
from flexchat.aws.catalog import CatalogSource
from flexchat.aws.objects import ObjectStore
from flexchat.aws.packed_configuration import PackedObject
from flexchat.aws.parameters import ParameterStore
from flexchat.config.encoding import StoredParameters
from flexchat.config.packed import MAX_PACKED_BYTES, PACKED_KEY
from flexchat.messages import Json
from tests.functional.config.commands import STAGE, config, write
from tests.functional.config.conftest import BUCKET
from tests.unit.config.sources import MemoryParameters, logged, rule, source


class CountedReads:
    """Parameters of the stage, with the calls that were made."""

    def __init__(self, store: ParameterStore) -> None:
        self._store = store
        self.calls: list[str] = []

    def read_path(self, path: str) -> StoredParameters:
        self.calls.append("read_path")
        return self._store.read_path(path)

    def read(self, names: Iterable[str]) -> StoredParameters:
        self.calls.append("read")
        return self._store.read(names)


@pytest.fixture
def reads(store: ParameterStore) -> CountedReads:
    return CountedReads(store)


def catalogs(reads: CountedReads) -> CatalogSource:
    packed = PackedObject.of(lambda: client("s3"), BUCKET, stage=STAGE)
    return CatalogSource(store=reads, packed=packed, stage=STAGE)


def test_a_push_is_read_from_its_packed_copy(file: Path, reads: CountedReads) -> None:
    config("push", "--stage", STAGE, "--file", str(file))

    assert [rule.llm for rule in catalogs(reads).current().configuration.responses]
    assert reads.calls == ["read"]


def test_each_push_replaces_the_copy_and_an_equal_one_writes_nothing(file: Path, reads: CountedReads) -> None:
    config("push", "--stage", STAGE, "--file", str(file))
    first = operator_objects(STAGE).etag(PACKED_KEY)
    config("push", "--stage", STAGE, "--file", str(file))
    same = client("s3").head_object(Bucket=BUCKET, Key=PACKED_KEY)["LastModified"]
    write(file, source(responses=[rule(model="gpt-4o-mini")]))
    config("push", "--stage", STAGE, "--file", str(file))

    assert operator_objects(STAGE).etag(PACKED_KEY) != first
    assert client("s3").head_object(Bucket=BUCKET, Key=PACKED_KEY)["LastModified"] >= same
    assert [rule.model for rule in catalogs(reads).current().configuration.responses] == ["gpt-4o-mini"]
    assert reads.calls == ["read"]


def test_a_push_without_a_bucket_warns_and_the_entries_are_read(file: Path, reads: CountedReads) -> None:
    client("s3").delete_bucket(Bucket=BUCKET)

    pushed = config("push", "--stage", STAGE, "--file", str(file))

    assert pushed.exit_code == 0
    assert "the packed configuration was not written, so each start reads every entry" in " ".join(
        pushed.output.split()
    )
    assert catalogs(reads).current().version
    assert reads.calls == ["read_path", "read"]


@pytest.mark.parametrize("content", [b"", b"no gzip", b"x" * 1_000_000])
def test_a_damaged_copy_is_logged_and_the_entries_are_read(
    file: Path, reads: CountedReads, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    config("push", "--stage", STAGE, "--file", str(file))
    ObjectStore(client("s3"), BUCKET).put(PACKED_KEY, content)
    capsys.readouterr()

    assert catalogs(reads).current().version
    assert reads.calls == ["read_path", "read"]
    assert "packed configuration not usable" in [line["message"] for line in logged(capsys.readouterr().out)]
    assert len(content) < MAX_PACKED_BYTES


def test_a_stage_without_a_copy_is_read_by_its_entries(file: Path, reads: CountedReads) -> None:
    config("push", "--stage", STAGE, "--file", str(file))
    client("s3").delete_object(Bucket=BUCKET, Key=PACKED_KEY)

    assert catalogs(reads).current().version
    assert reads.calls == ["read_path", "read"]


@pytest.mark.parametrize(("secrets", "requests"), [(4, None), (5, 2), (10, 3)])
def test_a_push_with_many_secrets_names_the_higher_throughput(secrets: int, requests: int | None) -> None:
    llms: dict[str, Json] = {
        f"llm-{number}": {"type": "openai", "api_key": f"${{KEY_{number}}}"} for number in range(secrets)
    }
    pushed = push_configuration({"llms": llms}, stage=STAGE, store=MemoryParameters())

    named = [str(warning) for warning in pushed.warnings if "high-throughput-enabled" in str(warning)]
    assert [f"in {requests} requests of SSM" in warning for warning in named] == ([] if requests is None else [True])
