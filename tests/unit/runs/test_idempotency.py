"""Records of requests with idempotency keys."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, ModelError, RequestError, UnavailableError
from functions.chat.aws.idempotency import IdempotencyStore
from functions.chat.runs.responder import StoredOutcome
from tests.unit.runs.table import IDEMPOTENCY, CrashingDynamoDb, ProcessCrashError, Throttled

BODY = {"message": "hello"}
SCOPE = "POST /api/chat#alice"


class AnswerFunction:
    """Answer function that counts its calls and raises `error` if given."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.made = 0
        self.error = error

    def __call__(self) -> dict[str, Any]:
        self.made += 1
        if self.error:
            raise self.error
        return StoredOutcome(200, blob=f"answer/{self.made}").as_json()


@pytest.fixture
def idempotency(dynamodb: DynamoDBClient) -> IdempotencyStore:
    return IdempotencyStore(dynamodb, IDEMPOTENCY)


def run(
    idempotency: IdempotencyStore,
    produce: Callable[[], dict[str, Any]],
    *,
    key: str = "key",
    scope: str = SCOPE,
    body: dict[str, Any] | None = None,
    seconds: float = 28.0,
) -> tuple[dict[str, Any], bool]:
    deadline = Deadline.after(seconds)
    return idempotency.run(key, scope=scope, body=body or BODY, deadline=deadline, produce=produce)


def refused(call: Callable[[], object]) -> tuple[int, str, float | None]:
    with pytest.raises(RequestError) as caught:
        call()
    return caught.value.status, caught.value.code, caught.value.retry_after


def records(dynamodb: DynamoDBClient) -> list[dict[str, Any]]:
    return [dict(item) for item in dynamodb.scan(TableName=IDEMPOTENCY)["Items"]]


def test_a_request_is_executed_once_and_its_outcome_repeated(
    idempotency: IdempotencyStore, dynamodb: DynamoDBClient
) -> None:
    maker = AnswerFunction()

    assert run(idempotency, maker) == (StoredOutcome(200, blob="answer/1").as_json(), False)
    assert run(idempotency, maker) == (StoredOutcome(200, blob="answer/1").as_json(), True)
    assert run(IdempotencyStore(dynamodb, IDEMPOTENCY), maker) == (StoredOutcome(200, blob="answer/1").as_json(), True)
    assert maker.made == 1


def test_a_background_run_is_stored_as_a_run(idempotency: IdempotencyStore) -> None:
    first = run(idempotency, lambda: StoredOutcome(202, run="r1").as_json())

    assert first == (StoredOutcome(202, run="r1").as_json(), False)
    assert run(idempotency, AnswerFunction()) == (StoredOutcome(202, run="r1").as_json(), True)


@pytest.mark.parametrize(("key", "scope"), [("other", SCOPE), ("key", "POST /api/chat#bob"), ("KEY", SCOPE)])
def test_another_key_or_another_caller_is_another_request(idempotency: IdempotencyStore, key: str, scope: str) -> None:
    maker = AnswerFunction()
    run(idempotency, maker)

    assert run(idempotency, maker, key=key, scope=scope) == (StoredOutcome(200, blob="answer/2").as_json(), False)


def test_a_key_with_another_body_is_rejected(idempotency: IdempotencyStore) -> None:
    maker = AnswerFunction()
    run(idempotency, maker)

    assert refused(lambda: run(idempotency, maker, body={"message": "bye"})) == (422, "idempotency_key_reused", None)
    assert maker.made == 1


def test_a_request_in_progress_is_not_repeated(idempotency: IdempotencyStore, dynamodb: DynamoDBClient) -> None:
    twin = AnswerFunction()
    answers: list[object] = []

    def produce() -> dict[str, Any]:
        other = IdempotencyStore(dynamodb, IDEMPOTENCY)
        answers.append(refused(lambda: run(other, twin)))
        answers.append(refused(lambda: run(other, twin, body={"message": "bye"})))
        return StoredOutcome(200, blob="first").as_json()

    assert run(idempotency, produce) == (StoredOutcome(200, blob="first").as_json(), False)
    assert answers == [(409, "idempotency_in_progress", 2.0), (422, "idempotency_key_reused", None)]
    assert twin.made == 0


@pytest.mark.parametrize(
    "error",
    [ModelError("no", type="overloaded", provider="openai"), UnavailableError("table"), ZeroDivisionError("division")],
    ids=lambda error: type(error).__name__,
)
def test_a_failed_request_can_be_repeated(
    idempotency: IdempotencyStore, dynamodb: DynamoDBClient, error: Exception
) -> None:
    with pytest.raises(type(error)) as caught:
        run(idempotency, AnswerFunction(error))

    assert caught.value is error
    assert records(dynamodb) == []
    assert run(idempotency, AnswerFunction()) == (StoredOutcome(200, blob="answer/1").as_json(), False)


def test_a_request_of_a_crashed_process_can_be_repeated_after_its_lease(
    idempotency: IdempotencyStore, dynamodb: DynamoDBClient
) -> None:
    with pytest.raises(ProcessCrashError):
        run(idempotency, AnswerFunction(ProcessCrashError()), seconds=28.0)
    (record,) = records(dynamodb)
    dead_at = int(record["in_progress_expiration"]["N"]) / 1000

    assert refused(lambda: run(idempotency, AnswerFunction()))[1] == "idempotency_in_progress"
    assert dead_at == pytest.approx(time.time() + 30.0, abs=5.0)

    past = {":past": {"N": "1000"}}
    dynamodb.update_item(
        TableName=IDEMPOTENCY,
        Key={"id": record["id"]},
        UpdateExpression="SET in_progress_expiration = :past",
        ExpressionAttributeValues=cast("Any", past),
    )
    assert run(idempotency, AnswerFunction()) == (StoredOutcome(200, blob="answer/1").as_json(), False)


def test_a_record_expires_after_a_day(idempotency: IdempotencyStore, dynamodb: DynamoDBClient) -> None:
    run(idempotency, AnswerFunction())
    (record,) = records(dynamodb)
    past = {":past": {"N": "1000"}}

    assert int(record["expiration"]["N"]) == pytest.approx(time.time() + 24 * 3_600, abs=5)
    dynamodb.update_item(
        TableName=IDEMPOTENCY,
        Key={"id": record["id"]},
        UpdateExpression="SET expiration = :past",
        ExpressionAttributeValues=cast("Any", past),
    )
    assert run(idempotency, AnswerFunction()) == (StoredOutcome(200, blob="answer/1").as_json(), False)


def test_a_record_contains_neither_the_key_nor_the_body_nor_the_answer(
    idempotency: IdempotencyStore, dynamodb: DynamoDBClient
) -> None:
    run(idempotency, AnswerFunction(), key="my-key", body={"message": "my message"})

    (record,) = records(dynamodb)
    assert record["id"]["S"].startswith(SCOPE + "#")
    assert record["data"]["S"] == '{"blob": "answer/1", "run": null, "status": 200}'
    assert "my-key" not in str(record)
    assert "my message" not in str(record)


def test_nothing_is_executed_if_the_key_cannot_be_written(dynamodb: DynamoDBClient) -> None:
    table = cast("DynamoDBClient", Throttled(dynamodb, "put_item"))
    maker = AnswerFunction()

    with pytest.raises(UnavailableError, match="ThrottlingException"):
        run(IdempotencyStore(table, IDEMPOTENCY), maker)
    assert maker.made == 0


def test_a_missing_table_is_a_configuration_error(dynamodb: DynamoDBClient) -> None:
    maker = AnswerFunction()

    with pytest.raises(ConfigError, match="deploy the stage first"):
        run(IdempotencyStore(dynamodb, "flexchat-test-nothing"), maker)
    assert maker.made == 0


def test_a_key_is_not_read_after_the_deadline(idempotency: IdempotencyStore) -> None:
    maker = AnswerFunction()

    with pytest.raises(UnavailableError, match="in time"):
        run(idempotency, maker, seconds=0.0)
    assert maker.made == 0


def test_an_outcome_that_cannot_be_stored_is_returned(dynamodb: DynamoDBClient) -> None:
    table = cast("DynamoDBClient", Throttled(dynamodb, "update_item"))
    maker = AnswerFunction()

    assert run(IdempotencyStore(table, IDEMPOTENCY), maker) == (StoredOutcome(200, blob="answer/1").as_json(), False)
    assert maker.made == 1


def test_the_error_of_a_request_is_raised_even_if_its_key_cannot_be_released(dynamodb: DynamoDBClient) -> None:
    table = cast("DynamoDBClient", Throttled(dynamodb, "delete_item"))
    error = ModelError("no", type="overloaded", provider="openai")

    with pytest.raises(ModelError) as caught:
        run(IdempotencyStore(table, IDEMPOTENCY), AnswerFunction(error))
    assert caught.value is error


def test_a_crash_at_any_write_never_executes_a_request_twice_at_the_same_time(
    dynamodb: DynamoDBClient,
) -> None:
    whole = CrashingDynamoDb(dynamodb, at=-1)
    run(IdempotencyStore(cast("DynamoDBClient", whole), IDEMPOTENCY), AnswerFunction(), key="whole")
    assert whole.writes == 2
    outcomes: list[object] = []

    for at in range(whole.writes):
        key = f"dies at {at}"
        crashing = IdempotencyStore(cast("DynamoDBClient", CrashingDynamoDb(dynamodb, at=at)), IDEMPOTENCY)
        maker = AnswerFunction()
        with pytest.raises(ProcessCrashError):
            run(crashing, maker, key=key)
        try:
            outcomes.append((maker.made, run(IdempotencyStore(dynamodb, IDEMPOTENCY), AnswerFunction(), key=key)[1]))
        except RequestError as error:
            outcomes.append((maker.made, error.code))

    assert outcomes == [(0, False), (1, "idempotency_in_progress")]


class EmulatorClient:
    """A client of an emulator that refuses a key without showing the record that is there."""

    def __init__(self, client: DynamoDBClient) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def put_item(self, **arguments: Any) -> Any:
        try:
            return self._client.put_item(**arguments)
        except ClientError as exc:
            cast("dict[str, Any]", exc.response).pop("Item")
            raise


def test_a_record_is_read_if_the_conditional_write_does_not_return_it(dynamodb: DynamoDBClient) -> None:
    idempotency = IdempotencyStore(cast("DynamoDBClient", EmulatorClient(dynamodb)), IDEMPOTENCY)
    maker = AnswerFunction()
    run(idempotency, maker)

    assert run(idempotency, maker) == (StoredOutcome(200, blob="answer/1").as_json(), True)
    assert refused(lambda: run(idempotency, maker, body={"message": "bye"}))[1] == "idempotency_key_reused"


def test_the_idempotency_of_powertools_is_imported_with_the_first_key_only() -> None:
    code = (
        "import sys, functions.chat.runs.responder\nprint('aws_lambda_powertools.utilities.idempotency' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603

    assert done.stdout.strip() == "False"
