"""`flexchat models`: the models of a running service."""

from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, connect, print_json

app = command_group()


@app.command()
def models(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """List the models with their capabilities and validation."""
    body = connect(url=url, token=token).models()
    if as_json:
        print_json(body)
        return
    from cli.console import Console
    from cli.render.models import show_models

    show_models(Console(), body)
