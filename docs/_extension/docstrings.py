"""Docstrings of the code as reStructuredText: parameters, and fields of data classes."""

import inspect
import re
import sys
from typing import Any

PARAMETER = re.compile(r"^(\w+): (?=\S)")


def process(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Turn lines `name: text` of a function into fields, and comments of attributes into text."""
    if what in ("function", "method"):
        names = set(inspect.signature(obj).parameters)
        for number, line in enumerate(lines):
            found = PARAMETER.match(line)
            if found and found[1] in names:
                lines[number] = f":param {found[1]}: {line[found.end() :]}"
                if number and not lines[number - 1].startswith((":param", " ")):
                    lines[number] = "\n" + lines[number]
        lines[:] = "\n".join(lines).splitlines()
    elif what == "attribute" and not any(lines):
        lines[:] = [_comment(name), ""]


def _comment(name: str) -> str:
    """The comment behind a field of a data class, as a sentence."""
    module, owner, field = name.rsplit(".", 2)
    try:
        source = inspect.getsource(getattr(sys.modules[module], owner))
    except (AttributeError, KeyError, OSError, TypeError):
        return ""
    found = re.search(rf"^    {field}: .*?  # (.+)$", source, re.M)
    return f"{found[1][0].upper()}{found[1][1:].rstrip(',')}." if found else ""


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
