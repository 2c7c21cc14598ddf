"""Pages whose line MARKER is replaced by what the code says about itself, or by records of runs."""

from collections.abc import Callable, Iterator
from typing import Any

import typer.main
from markup import definition, fields, kind, table, text
from recorded import results

from splitroute.cli import app as command_line_app
from splitroute.cli._exit import exit_code
from splitroute.errors import SplitRouteError
from splitroute.formats import schema
from splitroute.web.openapi import description

MARKER = "<!-- generated -->\n"


def command_line() -> Iterator[str]:
    """Describe every command with its arguments and options."""
    yield from _commands(typer.main.get_command(command_line_app), [])


def _commands(command: Any, path: list[str]) -> Iterator[str]:
    for child in getattr(command, "commands", {}).values():
        names = [*path, child.name]
        yield f"\n## {' '.join(names)}\n\n{text(child.help)}\n"
        if not hasattr(child, "commands"):
            yield from _parameters(child, names)
        yield from _commands(child, names)


def _parameters(command: Any, names: list[str]) -> Iterator[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    usage = ["splitroute", *names, *map(_argument, arguments)]
    yield f"\n```text\n{' '.join(usage)} [OPTIONS]\n```\n"
    if command.epilog:
        yield f"\nExample:\n\n```text\n{command.epilog.removeprefix('Example: ')}\n```\n"
    panels: dict[str, list[Any]] = {}
    for option in command.params:
        if option.param_type_name == "option":
            panel = getattr(option, "rich_help_panel", None) or "Options"
            panels.setdefault(panel, []).append(option)
    yield from table(("argument", ""), [(f"`{_name(a)}`", text(a.help)) for a in arguments])
    for panel, options in panels.items():
        yield from table((panel.lower(), ""), [(_option(o), _help(o)) for o in options])


def _name(argument: Any) -> str:
    return argument.metavar or argument.name.upper()


def _argument(argument: Any) -> str:
    name = _name(argument) + ("..." if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _option(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    return f"{names[:-1]} {option.metavar}`" if option.metavar else names


def _help(option: Any) -> str:
    has_default = isinstance(option.default, int | float | str) and not option.is_flag
    if not has_default or "default" in str(option.help):
        return text(option.help)
    return f"{text(option.help)} Default: `{option.default}`."


def json_files() -> Iterator[str]:
    """Describe the JSON of instances and solutions."""
    for name in ("instance", "solution"):
        whole = schema(name)
        yield f"\n## {name.capitalize()}\n\n{text(whole.get('description'))}\n"
        yield from fields(whole)
        for key, part in whole.get("$defs", {}).items():
            yield from definition(key, part)


def http() -> Iterator[str]:
    """Describe the requests of the service, and what they send and receive."""
    api = description()
    yield "\n## Requests\n"
    for path, methods in api["paths"].items():
        for method, request in methods.items():
            yield f"\n### {method.upper()} {path}\n\n{text(request.get('description'))}\n"
            yield from table(("parameter", "type", "meaning"), map(_parameter, _sent(request)))
            yield from table(("status", "body", "meaning"), _received(request))
    yield "\n## Bodies\n"
    for name, part in api["components"]["schemas"].items():
        yield from definition(name, part)


def _sent(request: dict[str, Any]) -> list[dict[str, Any]]:
    content = request.get("requestBody", {}).get("content", {})
    bodies = [{"name": "body", "in": k, "schema": c.get("schema", {})} for k, c in content.items()]
    return [*request.get("parameters", []), *bodies]


def _parameter(sent: dict[str, Any]) -> tuple[str, str, str]:
    about = text(sent.get("description") or sent["schema"].get("description"))
    return f"`{sent['name']}`, {text(sent['in'])}", kind(sent["schema"]), about


def _received(request: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """A row per body, with all statuses that have it."""
    rows: dict[tuple[str, str], list[str]] = {}
    for status, response in sorted(request["responses"].items()):
        content = response.get("content") or {"": {}}
        body = ", ".join(
            kind(c["schema"]) if c.get("schema") else text(k) for k, c in content.items()
        )
        rows.setdefault((body, text(response["description"])), []).append(status)
    for (body, about), statuses in rows.items():
        yield ", ".join(statuses), body, about


def errors() -> Iterator[str]:
    """Describe the kinds of errors."""
    rows = [
        (f"`{k.__name__}`, `{k.code}`", str(exit_code(k(""))), text(k.__doc__))
        for k in (SplitRouteError, *_kinds(SplitRouteError))
    ]
    yield from table(("class, default code", "exit code", "what it is"), rows)


def _kinds(parent: type[SplitRouteError]) -> Iterator[type[SplitRouteError]]:
    for child in parent.__subclasses__():
        if child.__module__ == parent.__module__:
            yield from (child, *_kinds(child))


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "reference/command-line": command_line,
    "reference/json": json_files,
    "reference/http": http,
    "reference/errors": errors,
    "results/repeatable": results,
}


def read(app: Any, docname: str, source: list[str]) -> None:
    """Replace the marker of a page."""
    if docname in PAGES:
        before, marker, after = source[0].partition(MARKER)
        assert marker, docname
        source[0] = before + "".join(PAGES[docname]()) + after


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
