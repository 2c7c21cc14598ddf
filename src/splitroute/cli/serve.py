"""`splitroute serve`: the HTTP service and web page."""

from typing import Annotated, Any

import typer
from rich.console import Console

from splitroute.registry import require

UVICORN: dict[str, Any] = {"log_level": "warning", "timeout_graceful_shutdown": 3, "ws": "none"}

SERVER, JOBS, LIMITS, MAP = "Server", "Jobs", "Limits", "Map"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(_serve)


def _serve(
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on.", rich_help_panel=SERVER)
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", help="Port to listen on.", rich_help_panel=SERVER)
    ] = 8765,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            envvar="SPLITROUTE_TOKEN",
            help="Token that clients must send.",
            rich_help_panel=SERVER,
        ),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            metavar="ADDRESS",
            help="Proxy whose X-Forwarded-For is believed; repeatable.",
            rich_help_panel=SERVER,
        ),
    ] = None,
    store: Annotated[
        str,
        typer.Option(
            "--store", help="sqlite:///FILE or postgresql+psycopg://...", rich_help_panel=JOBS
        ),
    ] = "sqlite:///splitroute-jobs.db",
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            help="Jobs that run at the same time; one per core by default.",
            rich_help_panel=JOBS,
        ),
    ] = None,
    memory: Annotated[
        int, typer.Option("--memory", help="Memory per job in MB.", rich_help_panel=JOBS)
    ] = 4096,
    keep_days: Annotated[
        float | None,
        typer.Option(
            "--keep-days",
            help="Delete jobs this long after they ended; never by default.",
            rich_help_panel=JOBS,
        ),
    ] = None,
    max_customers: Annotated[
        int,
        typer.Option("--max-customers", help="Customers per instance.", rich_help_panel=LIMITS),
    ] = 20_000,
    max_seconds: Annotated[
        float, typer.Option("--max-seconds", help="Seconds per job.", rich_help_panel=LIMITS)
    ] = 3600.0,
    max_open_jobs: Annotated[
        int,
        typer.Option(
            "--max-open-jobs", help="Queued or running jobs per client.", rich_help_panel=LIMITS
        ),
    ] = 100,
    max_bytes: Annotated[
        int, typer.Option("--max-bytes", help="Size of a request.", rich_help_panel=LIMITS)
    ] = 8 * 2**20,
    max_request_seconds: Annotated[
        float,
        typer.Option(
            "--max-request-seconds", help="Seconds to receive a request.", rich_help_panel=LIMITS
        ),
    ] = 30.0,
    max_parser_memory: Annotated[
        int,
        typer.Option(
            "--max-parser-memory", help="Memory per parser process in MB.", rich_help_panel=LIMITS
        ),
    ] = 1024,
    max_streams: Annotated[
        int, typer.Option("--max-streams", help="Open event streams.", rich_help_panel=LIMITS)
    ] = 500,
    max_streams_per_client: Annotated[
        int,
        typer.Option(
            "--max-streams-per-client",
            help="Open event streams per client.",
            rich_help_panel=LIMITS,
        ),
    ] = 100,
    tiles: Annotated[
        str | None,
        typer.Option("--tiles", help="Map tiles: https://.../{z}/{x}/{y}.png", rich_help_panel=MAP),
    ] = None,
    attribution: Annotated[
        str, typer.Option("--attribution", help="Attribution of the tiles.", rich_help_panel=MAP)
    ] = "",
) -> None:
    """Serve the web page and the HTTP API.

    Example: splitroute serve --port 8765 --workers 2
    """
    require("uvicorn", "web")
    require("fastapi", "web")
    require("sqlalchemy", "web")
    import uvicorn

    from splitroute.web.app import create_app
    from splitroute.web.protocol import bounded_protocol
    from splitroute.web.settings import Settings

    settings = Settings(
        store=store,
        host=host,
        port=port,
        token=token,
        **({} if workers is None else {"workers": workers}),
        memory=memory,
        max_bytes=max_bytes,
        max_customers=max_customers,
        max_seconds=max_seconds,
        max_open_jobs=max_open_jobs,
        max_streams=max_streams,
        max_streams_per_client=max_streams_per_client,
        max_parser_memory=max_parser_memory,
        max_request_seconds=max_request_seconds,
        keep_days=keep_days,
        trusted_proxies=tuple(trusted_proxy or ()),
        tiles=tiles,
        attribution=attribution,
    )
    app = create_app(settings)
    # Any client can send X-Forwarded-For, and limits are per address: only the proxies that the
    # operator names are believed.
    proxies: dict[str, Any] = {
        "proxy_headers": bool(settings.trusted_proxies),
        "forwarded_allow_ips": list(settings.trusted_proxies),
    }
    protocol = bounded_protocol(settings.max_request_seconds)
    config = uvicorn.Config(app, host=host, port=port, http=protocol, **proxies, **UVICORN)
    listener = config.bind_socket()  # exits with a message if the port is taken
    Console(stderr=True).print(f"listening on http://{host}:{port}", markup=False)
    uvicorn.Server(config).run(sockets=[listener])
