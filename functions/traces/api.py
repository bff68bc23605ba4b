"""HTTP API of traces."""

from flexchat.http_api.api import HttpApi
from flexchat.http_api.body import BodyLimit
from functions.traces import routes
from functions.traces.services import TraceServices

ROUTERS = (routes.router,)


class TracesApi(HttpApi[TraceServices]):
    """Traces, their logs and cases, feedback, and usage."""

    routers = ROUTERS
    body = BodyLimit('{"rating": "up"}')
