"""Pages of other origins, in Chromium: they read nothing of the local stack, and their requests have no effect."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Response

from cli.local_stack import StackState
from tests.browser.screen import ANSWER_MS
from tests.browser.site import served
from tests.e2e.conftest import AwsClients

QUEUE = "flexchat-foreign-page"
FUNCTION = "flexchat-foreign-function"
PARAMETER = "/flexchat/local/foreign"

ATTEMPTS = """async ([servers, names]) => {
  const read = [];
  const wait = (start) => new Promise((done) => { start(done); setTimeout(done, 3000); });
  const target = { "X-Amz-Target": "AmazonSSM.GetParametersByPath", "Content-Type": "application/x-amz-json-1.1" };
  const put = JSON.stringify({ Name: names.parameter, Value: "x", Type: "String" });
  const created = JSON.stringify({ FunctionName: names.function, Runtime: "python3.13", Handler: "a.b",
    Role: "arn:aws:iam::000000000000:role/r", Code: { ZipFile: "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==" } });
  for (const server of servers) {
    for (const path of server.paths) {
      const url = server.url + path;
      for (const [body, headers] of [
        ["{}", { "Content-Type": "text/plain" }], [created, { "Content-Type": "text/plain" }],
        [put, { "Content-Type": "text/plain", "X-Amz-Target": "AmazonSSM.PutParameter" }],
        ['{"Path": "/", "Recursive": true}', target],
        [`Action=CreateQueue&QueueName=${names.queue}`, { "Content-Type": "application/x-www-form-urlencoded" }],
        ["{}", { "Authorization": "AWS4-HMAC-SHA256 Credential=test/2/us-east-1/ssm/aws4_request" }],
      ]) {
        for (const mode of ["cors", "no-cors"]) {
          await fetch(url, { method: "POST", body, headers, mode })
            .then(async (response) => read.push(await response.text()), () => {});
        }
      }
      for (const headers of [{}, { "X-Any": "1" }]) {
        await fetch(url, { headers }).then(async (response) => read.push(await response.text()), () => {});
      }
      await wait((done) => {
        const image = new Image();
        image.onload = () => { read.push("image"); done(); };
        image.onerror = done;
        image.src = url;
      });
      await wait((done) => {
        const script = document.createElement("script");
        script.onload = () => { read.push("script"); done(); };
        script.onerror = done;
        script.src = url;
        document.head.append(script);
      });
      await wait((done) => {
        const events = new EventSource(url);
        events.onopen = () => { read.push("events"); done(); };
        events.onerror = () => { events.close(); done(); };
      });
      await wait((done) => {
        const socket = new WebSocket(url.replace("http", "ws"));
        socket.onopen = () => { read.push("socket"); done(); };
        socket.onerror = done;
      });
      await wait((done) => {
        const frame = document.createElement("iframe");
        frame.name = `frame-${Math.random()}`;
        const form = document.createElement("form");
        Object.assign(form, { action: url, method: "post", target: frame.name });
        for (const [name, value] of Object.entries({ Action: "CreateQueue", QueueName: names.queue })) {
          const field = document.createElement("input");
          Object.assign(field, { name, value });
          form.append(field);
        }
        document.body.append(frame, form);
        frame.onload = done;
        form.submit();
      });
    }
  }
  return read.filter((text) => text !== "");
}"""


@pytest.fixture(scope="module")
def aws(stack: StackState) -> AwsClients:
    return AwsClients(stack)


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context()
    context.set_default_timeout(ANSWER_MS)
    yield context
    context.close()


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """A site at another port of this machine, without a policy that would stop its own requests."""
    document = "<!doctype html><title>Elsewhere</title>"
    sandboxed = f'{document}<iframe sandbox="allow-scripts allow-forms" srcdoc="{document}"></iframe>'
    with served({"/": document, "/sandboxed": sandboxed}, policy=None) as url:
        yield url


@pytest.mark.parametrize("kind", ["another port", "a file", "a sandboxed frame"])
def test_a_page_of_another_origin_reads_nothing_and_changes_nothing(
    context: BrowserContext, site: str, stack: StackState, aws: AwsClients, tmp_path: Path, kind: str
) -> None:
    assert stack.demo_model is not None
    servers = [
        {
            "url": stack.endpoint,
            "paths": ["/", "/2015-03-31/functions", "/2015-03-31/functions/flexchat-local-chat/invocations"],
        },
        {"url": stack.url, "paths": ["/health", "/api/chat"]},
        {"url": stack.demo_model, "paths": ["/v1/models", "/v1/chat/completions"]},
    ]
    answered: list[tuple[str, int]] = []

    def note(response: Response) -> None:
        if response.url.startswith((stack.endpoint, stack.url, str(stack.demo_model))):
            answered.append((response.url, response.status))

    page = context.new_page()
    (tmp_path / "page.html").write_text("<!doctype html><title>File</title>")
    addresses = {
        "another port": f"{site}/",
        "a file": (tmp_path / "page.html").as_uri(),
        "a sandboxed frame": f"{site}/sandboxed",
    }
    page.goto(addresses[kind])
    frame = page.frames[-1]
    context.on("response", note)

    read: Any = frame.evaluate(ATTEMPTS, [servers, {"queue": QUEUE, "function": FUNCTION, "parameter": PARAMETER}])

    assert read == []
    assert {status for _, status in answered} == {403}
    assert {url for url, _ in answered} >= {f"{stack.url}/health", f"{stack.demo_model}/v1/models"}
    assert aws.client("sqs").list_queues(QueueNamePrefix=QUEUE).get("QueueUrls", []) == []
    assert FUNCTION not in {function["FunctionName"] for function in aws.client("lambda").list_functions()["Functions"]}
    assert aws.client("ssm").get_parameters(Names=[PARAMETER])["Parameters"] == []
