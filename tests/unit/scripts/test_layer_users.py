"""Check of the layer's modules and of import cycles."""

import grimp

from scripts.layer_users import cycles, function_packages, too_few, users_of_layer


def graph(**imports: str) -> grimp.ImportGraph:
    """Return a graph of modules, `_` in place of dots; each imports the modules in its text."""
    found = grimp.ImportGraph()
    for importer, imported in imports.items():
        for name in imported.split():
            found.add_import(importer=importer.replace("_", "."), imported=name)
    return found


def test_a_module_imported_by_a_function_is_not_used_by_the_command() -> None:
    chat, page = "flexchat.errors flexchat.deadline", "flexchat.errors"
    found = graph(functions_chat_app=chat, functions_page_app=page, cli_main="functions.chat.app")

    users = users_of_layer(found)

    assert users == {"flexchat.deadline": ("chat",), "flexchat.errors": ("chat", "page")}
    assert list(too_few(users)) == ["flexchat.deadline: chat uses it; a module of the layer needs two users"]


def test_import_cycle_is_reported_with_its_modules() -> None:
    (problem,) = cycles(graph(a="b", b="c", c="a d"))

    assert problem.startswith("import cycle: ")
    assert set(problem.removeprefix("import cycle: ").split(" <- ")) == {"a", "b", "c"}
    assert list(cycles(graph(a="b", b="c"))) == []


def test_every_folder_with_an_app_is_a_function() -> None:
    assert {"functions.chat", "functions.page", "functions.retrieval", "functions.tools.mock"} <= {*function_packages()}
