"""How an answer gets to its caller, below the door."""

from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api import ChatRequest, ChatResponse
from flexchat.aws.idempotency import Idempotency
from flexchat.deadline import Deadline
from functions.chat.runs.delivery import SAVE_SECONDS, ChatPost, Delivered, Delivery
from functions.chat.runs.view import answer_text
from tests.unit.runs.table import CHATS, IDEMPOTENCY
from tests.unit.runs.world import ALICE, FUNCTION, World, answer


def deliver(dynamodb: DynamoDBClient, **headers: str) -> tuple[Delivered, list[float]]:
    """The response to a chat with `headers`, and how many seconds the answer had, of ten."""
    world = World(dynamodb)
    due: list[float] = []
    delivery = Delivery(
        runs=world.runs, blobs=world.blobs, idempotency=Idempotency(dynamodb, IDEMPOTENCY), now=world.time.now
    )
    post = ChatPost(
        event={"headers": headers, "path": "/api/chat", "requestContext": {}},
        request=ChatRequest(message="hello"),
        caller=ALICE,
        request_id="api-request",
        function=FUNCTION,
        deadline=Deadline.after(10.0, clock=world.time.clock),
    )

    def make(deadline: Deadline) -> ChatResponse:
        due.append(deadline.remaining())
        return answer("hi")

    return delivery.deliver(post, make), due


def test_without_headers_an_answer_has_all_the_time_there_is(dynamodb: DynamoDBClient) -> None:
    assert deliver(dynamodb) == (Delivered(200, answer_text(answer("hi"))), [10.0])
    assert dynamodb.scan(TableName=CHATS)["Items"] == []


def test_an_answer_that_is_to_be_remembered_leaves_time_to_write_it_down(dynamodb: DynamoDBClient) -> None:
    assert deliver(dynamodb, prefer="wait=1", **{"idempotency-key": "key"}) == (
        Delivered(200, answer_text(answer("hi"))),
        [10.0 - SAVE_SECONDS],
    )


def test_a_remembered_answer_outlives_its_key(dynamodb: DynamoDBClient) -> None:
    deliver(dynamodb, **{"idempotency-key": "key"})

    (blob,) = dynamodb.scan(TableName=CHATS)["Items"]
    assert blob["pk"].get("S", "").startswith("B#answer/alice/")
    assert blob["expires_at"] == {"N": str(1_800_000_000 + 25 * 3_600)}


def test_an_answer_for_later_is_not_made_at_once(dynamodb: DynamoDBClient) -> None:
    delivered, due = deliver(dynamodb, prefer="respond-async")

    assert (delivered.status, due) == (202, [])
    assert delivered.headers["Location"] == "/api/runs/run-1"
