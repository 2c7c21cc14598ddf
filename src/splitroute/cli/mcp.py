"""`splitroute mcp`: tools for assistants over the Model Context Protocol."""

import typer

from splitroute.cli._command import add_command
from splitroute.registry import require

EXAMPLE = "splitroute mcp"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "mcp", _mcp, EXAMPLE)


def _mcp() -> None:
    """Serve tools for assistants (MCP) on standard input and output, until the input ends."""
    require("mcp", "mcp")
    from splitroute.cli._mcp_tools import create_server

    create_server().run("stdio")
