"""HTTP API of traces and audit records."""

from flexchat.http_api.api import HttpApi
from flexchat.http_api.body import BodyLimit
from functions.traces import audit_routes, routes
from functions.traces.services import TraceServices

ROUTERS = (routes.router, audit_routes.router)


class TracesApi(HttpApi[TraceServices]):
    """Traces, their logs and cases, feedback, usage, and audit records."""

    routers = ROUTERS
    body = BodyLimit('{"rating": "up"}')
