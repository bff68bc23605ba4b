"""`flexchat validate`: measure how reliably models call tools."""

from cli.commands.validate.models import compare, forget, history, show, status
from cli.commands.validate.records import export_records, import_records
from cli.commands.validate.runs import resume, run, runs, stop, watch_run
from cli.commands.validate.suites import check, draft, import_bfcl, suites
from cli.lazy import command_group

app = command_group("Measure how reliably models call tools.")
app.command()(run)
app.command("watch")(watch_run)
app.command()(stop)
app.command()(resume)
app.command()(runs)
app.command()(status)
app.command()(history)
app.command()(show)
app.command()(forget)
app.command()(compare)
app.command()(check)
app.command()(draft)
app.command("import-bfcl")(import_bfcl)
app.command("export")(export_records)
app.command("import")(import_records)
app.add_typer(suites, name="suites")
