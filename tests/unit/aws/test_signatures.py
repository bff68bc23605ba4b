"""Signatures, compared with those of botocore."""

import calendar
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as BotocoreCredentials

from flexchat.aws.signatures import Credentials, signed

MOMENT = datetime(2026, 3, 1, 12, 30, 59, tzinfo=UTC)
FUNCTION = quote("arn:aws:lambda:eu-central-1:123456789012:function:tool name:live", safe="")


@pytest.mark.parametrize("token", [None, "a-session-token=="])
@pytest.mark.parametrize(
    ("service", "path", "headers", "body"),
    [
        ("dynamodb", "/", {"x-amz-target": "DynamoDB_20120810.GetItem"}, b"{}"),
        ("ssm", "/", {"content-type": "application/x-amz-json-1.1"}, '{"Name":"/a/ä€𝄞"}'.encode()),
        ("lambda", f"/2015-03-31/functions/{FUNCTION}/invocations", {"x-amz-invocation-type": "Event"}, b""),
    ],
)
def test_the_signature_is_that_of_botocore(
    monkeypatch: pytest.MonkeyPatch, service: str, path: str, headers: dict[str, str], body: bytes, token: str | None
) -> None:
    monkeypatch.setattr("botocore.auth.get_current_datetime", lambda: MOMENT.replace(tzinfo=None))
    host = f"{service}.eu-central-1.amazonaws.com"
    request = AWSRequest("POST", f"https://{host}{path}", headers=headers, data=body)
    SigV4Auth(BotocoreCredentials("AKID", "secret/key+", token), service, "eu-central-1").add_auth(request)

    found = signed(
        path,
        {"host": host, **headers},
        body,
        credentials=Credentials("AKID", "secret/key+", token),
        region="eu-central-1",
        service=service,
        seconds=calendar.timegm(MOMENT.timetuple()),
    )

    expected = {name.lower(): value for name, value in request.headers.items()}
    assert found == {"host": host, **expected}


def test_credentials_have_no_secret_in_their_text() -> None:
    assert repr(Credentials("AKID", "canary", "canary")) == "Credentials(access_key='AKID')"
