"""Tool calls that wait for an approval, for the person who decides."""

import json
from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding

from cli.console import Console, Table, Text
from cli.invocation import flexchat
from flexchat.api.approvals import ApprovalCallView, ApprovalListView, ApprovalView
from flexchat.text import counted

_SIGNS = {"approved": ("✓", "green"), "denied": ("✗", "red"), None: ("…", "yellow")}


def approvals_table(found: ApprovalListView) -> Table:
    """Return one row for each approval, with complete ids."""
    table = Table(box=None, pad_edge=False)
    table.add_column("ID", min_width=max(len(each.id) for each in found.approvals))
    for heading in ("TOOLS", "ASKED", "UNTIL"):
        table.add_column(heading)
    for each in found.approvals:
        tools = ", ".join(dict.fromkeys(call.tool for call in each.calls))
        times = (f"{moment:%Y-%m-%d %H:%M}" for moment in (each.created_at, each.expires_at))
        table.add_row(*map(Text, (each.id, tools, *times)))
    return table


def print_approval(console: Console, approval: ApprovalView) -> None:
    """Print the calls with all their arguments: what is approved is what is read."""
    until = f" until {approval.expires_at:%Y-%m-%d %H:%M} UTC" if approval.status == "pending" else ""
    console.print(Text.assemble((approval.id, "bold"), f"  {approval.status}{until}"), soft_wrap=True)
    for call in approval.calls:
        for part in _call(call):
            console.print(part, soft_wrap=True)


def print_onwards(console: Console, approval: ApprovalView) -> None:
    """Print the command that goes on: with the decision, or with the answer of the run."""
    if approval.run_id is not None:
        console.print(f"the chat goes on: {flexchat('chat', '--follow', approval.run_id)}", soft_wrap=True)
    elif approval.status == "pending":
        console.print(f"decide: {flexchat('approvals', 'approve', approval.id)}", soft_wrap=True)
        console.print(f"    or: {flexchat('approvals', 'deny', approval.id)}", soft_wrap=True)


def waiting_line(approval: ApprovalView) -> str:
    """Return what waits in one line."""
    return f"{counted(len(approval.calls), 'tool call')} of {approval.id} waits for an approval"


def _call(call: ApprovalCallView) -> Iterator[RenderableType]:
    roles = f"  decided by the role {' or '.join(call.approvers)}" if call.approvers else ""
    yield Text.assemble(_SIGNS[call.decision], " ", (call.tool, "bold"), (f"  {call.call_id}{roles}", "dim"))
    if call.is_tainted:
        warning = "! the conversation has read private data and untrusted content, which may be behind this call"
        yield Padding(Text(warning, style="yellow"), (0, 0, 0, 4), expand=False)
    arguments = json.dumps(call.arguments, ensure_ascii=False, indent=2)
    yield Padding(Text(arguments), (0, 0, 0, 4), expand=False)
    if call.decision is not None:
        reason = f": {call.reason}" if call.reason else ""
        yield Padding(Text(f"{call.decision} by {call.decided_by}{reason}", style="dim"), (0, 0, 0, 4), expand=False)
