"""`flexchat approvals`: tool calls that wait for the approval of a person."""

from typing import Annotated

import typer

from cli.client import Client
from cli.errors import ServiceError
from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, connect, print_json
from cli.terminal import echo, require_confirmation
from cli.transport import parse_answer
from flexchat.api.approvals import ApprovalListView, ApprovalView
from flexchat.messages import Json

app = command_group("List, approve and deny tool calls that wait.")

ApprovalId = Annotated[str, typer.Argument(metavar="ID", help="The id of the chat's run or request, from `list`.")]
CallOption = Annotated[
    list[str] | None, typer.Option("--call", metavar="CALL_ID", help="Only this call, repeatable. [default: all]")
]
ReasonOption = Annotated[str, typer.Option("--reason", help="A reason, which the model receives.")]
DecideOption = Annotated[bool, typer.Option("--yes", "-y", help="Decide without a question.")]


@app.command("list")
def list_approvals(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """List the approvals that wait for you, the oldest first: of your chats, and for your roles."""
    body = connect(url=url, token=token).approvals()
    if as_json:
        print_json(body)
        return
    found = parse_answer(ApprovalListView, body)
    if not found.approvals:
        echo("no tool call waits for you")
        return
    from cli.console import Console
    from cli.render.approvals import approvals_table

    Console().print(approvals_table(found))


@app.command()
def show(id: ApprovalId, *, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """Show the calls of an approval with their arguments."""
    body = connect(url=url, token=token).approval(id)
    _print(body, as_json=as_json)


@app.command()
def approve(
    id: ApprovalId,
    *,
    call: CallOption = None,
    yes: DecideOption = False,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Approve the calls that wait; the chat goes on once every call is decided."""
    _decide(connect(url=url, token=token), id, call or [], approve=True, reason="", yes=yes, as_json=as_json)


@app.command()
def deny(
    id: ApprovalId,
    *,
    call: CallOption = None,
    reason: ReasonOption = "",
    yes: DecideOption = False,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Deny the calls that wait: they never run, and the chat goes on without their results."""
    _decide(connect(url=url, token=token), id, call or [], approve=False, reason=reason, yes=yes, as_json=as_json)


def _decide(
    client: Client, id: str, wanted: list[str], *, approve: bool, reason: str, yes: bool, as_json: bool
) -> None:
    approval = parse_answer(ApprovalView, client.approval(id))
    waiting = [call for call in approval.calls if call.decision is None]
    chosen = [call for call in waiting if not wanted or call.call_id in wanted]
    if unknown := set(wanted) - {call.call_id for call in chosen}:
        names = ", ".join(call.call_id for call in waiting) or "none"
        raise typer.BadParameter(f"{', '.join(sorted(unknown))} does not wait; the calls that do: {names}")
    if not chosen and approval.run_id is None:
        raise ServiceError(f"no call of {id} waits: it is {approval.status}")
    if not yes:
        from cli.console import Console
        from cli.render.approvals import print_approval

        print_approval(Console(stderr=True), approval.model_copy(update={"calls": tuple(chosen)}))
        require_confirmation("Approve?" if approve else "Deny?", err=True)
    decisions: list[Json] = [
        {"call_id": call.call_id, "digest": call.digest, "approve": approve, "reason": reason} for call in chosen
    ]
    _print(client.decide(id, decisions) if decisions else client.approval(id), as_json=as_json)


def _print(body: dict[str, Json], *, as_json: bool) -> None:
    if as_json:
        print_json(body)
        return
    from cli.console import Console
    from cli.render.approvals import print_approval, print_onwards

    approval, console = parse_answer(ApprovalView, body), Console()
    print_approval(console, approval)
    print_onwards(console, approval)
