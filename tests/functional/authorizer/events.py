"""Events of API Gateway's REQUEST authorizer."""

import json
from pathlib import Path
from typing import Any

EVENT = Path(__file__).parents[3] / "events" / "authorizer.json"
STAGE = "arn:aws:execute-api:us-east-1:123456789012:a1b2c3d4e5/dev"
ALL_ROUTES = f"{STAGE}/*"


def authorizer_event(
    authorization: str | None, *, name: str = "Authorization", route: str = "POST /api/chat"
) -> dict[str, Any]:
    """Return the sample event with this Authorization header, or without any, for a route."""
    event: dict[str, Any] = json.loads(EVENT.read_text(encoding="utf-8"))
    method, path = route.split(" ")
    event |= {"httpMethod": method, "resource": path, "path": path, "methodArn": f"{STAGE}/{method}{path}"}
    event["requestContext"] |= {"httpMethod": method, "resourcePath": path}
    del event["headers"]["Authorization"], event["multiValueHeaders"]["Authorization"]
    if authorization is not None:
        event["headers"][name] = authorization
        event["multiValueHeaders"][name] = [authorization]
    return event
