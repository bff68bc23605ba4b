"""Table of the layer's modules with their users; exit code 1 for fewer than two users, or an import cycle.

A user is a function whose imports reach the module, or the command by imports that do not go through a function.
The `__init__.py` of packages are not listed.
"""

import sys
from collections.abc import Collection, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
LAYER, FUNCTIONS, COMMAND = "flexchat", "functions", "cli"
PACKAGES = (LAYER, FUNCTIONS, COMMAND, "dev")


def main() -> int:
    """Print the table and the problems; return the exit code."""
    graph = grimp.build_graph(*PACKAGES)
    users = users_of_layer(graph)
    width = max(map(len, users))
    for module, names in users.items():
        print(f"{module:{width}}  {', '.join(names)}")
    problems = [*too_few(users), *cycles(graph)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def users_of_layer(graph: grimp.ImportGraph) -> dict[str, tuple[str, ...]]:
    """Return the users of each module of the layer."""
    reached = {name.removeprefix(f"{FUNCTIONS}."): set(_imports(graph, name)) for name in function_packages()}
    reached[COMMAND] = set(_imports(graph, COMMAND, barrier=FUNCTIONS))
    modules = sorted(name for name in graph.modules if _is_below(name, LAYER) and not _is_package(name))
    return {module: tuple(user for user, found in reached.items() if module in found) for module in modules}


def function_packages() -> tuple[str, ...]:
    """Return the packages of the functions: those with an app.py."""
    apps = (ROOT / FUNCTIONS).rglob("app.py")
    return tuple(sorted(".".join(app.relative_to(ROOT).parent.parts) for app in apps))


def too_few(users: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield a problem for each module with fewer than two users."""
    for module, names in users.items():
        if len(names) < 2:
            yield f"{module}: {', '.join(names) or 'nothing'} uses it; a module of the layer needs two users"


def cycles(graph: grimp.ImportGraph) -> Iterator[str]:
    """Yield the first import cycle between modules, if there is one."""
    imports = {module: graph.find_modules_directly_imported_by(module) for module in sorted(graph.modules)}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        yield f"import cycle: {' <- '.join(error.args[1])}"


def _imports(graph: grimp.ImportGraph, package: str, *, barrier: str | None = None) -> Iterator[str]:
    """Yield the modules that `package` imports, also indirectly, but not through `barrier`."""
    pending = [name for name in graph.modules if _is_below(name, package)]
    seen: set[str] = set()
    while pending:
        module = pending.pop()
        if module in seen or (barrier is not None and _is_below(module, barrier)):
            continue
        seen.add(module)
        yield module
        pending += graph.find_modules_directly_imported_by(module)


def _is_below(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _is_package(module: str) -> bool:
    return (ROOT / "layers" / "common" / "src" / Path(*module.split("."))).is_dir()


if __name__ == "__main__":
    sys.exit(main())
