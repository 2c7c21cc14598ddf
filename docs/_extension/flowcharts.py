"""Mermaid flow charts that are one chain, as in CONTRIBUTING.md, shown without any script."""

import re
from html import escape
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive

STEP = re.compile(r'(\S.*?) -- "?(.+?)"? --> (\w+)(.*)')
TEXT = re.compile(r'\w*[(\["]*(.*?)[)\]"]*$')


class Mermaid(Directive):
    """A flow chart whose lines are `a[from] -- label --> b[to]`."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a list with an item per line."""
        texts: dict[str, str] = {}
        items = []
        for line in self.content[1:]:
            found = STEP.search(line)
            if found is None:
                raise self.error(f"not a step of a flow chart: {line}")
            start, label, name, rest = found.groups()
            texts.setdefault(name, TEXT.sub(r"\1", rest) or name)
            shown = [texts.get(start) or TEXT.sub(r"\1", start), label, texts[name]]
            items.append("<li><b>{}</b> <i>{}</i> <b>{}</b></li>".format(*map(escape, shown)))
        return [nodes.raw("", f'<ol class="flow">{"".join(items)}</ol>', format="html")]


def setup(app: Any) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("mermaid", Mermaid)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
