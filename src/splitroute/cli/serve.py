"""`splitroute serve`: the service and the page."""

import os
from typing import Annotated, Any

import typer
from rich.console import Console

from splitroute.registry import require

QUIET: dict[str, Any] = {"log_level": "warning", "timeout_graceful_shutdown": 3, "ws": "none"}


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("serve")(_serve)


def _serve(
    host: Annotated[str, typer.Option("--host", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="On which port.")] = 8765,
    store: Annotated[
        str, typer.Option("--store", help="sqlite:///FILE or postgresql+psycopg://...")
    ] = "sqlite:///splitroute-jobs.db",
    token: Annotated[
        str | None,
        typer.Option("--token", envvar="SPLITROUTE_TOKEN", help="What clients must present."),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", help="Jobs at once; by default one per core.")
    ] = os.cpu_count() or 1,
    memory: Annotated[int, typer.Option("--memory", help="Megabytes per job.")] = 4096,
    most_customers: Annotated[int, typer.Option("--most-customers", help="Per instance.")] = 20_000,
    most_seconds: Annotated[float, typer.Option("--most-seconds", help="Per job.")] = 3600.0,
    most_open_jobs: Annotated[
        int, typer.Option("--most-open-jobs", help="Queued or running, per client.")
    ] = 100,
    max_streams: Annotated[
        int, typer.Option("--max-streams", help="Of events, open at once.")
    ] = 500,
    max_streams_per_client: Annotated[
        int, typer.Option("--max-streams-per-client", help="The same for one client.")
    ] = 100,
    max_parser_memory: Annotated[
        int, typer.Option("--max-parser-memory", help="Megabytes per parser process.")
    ] = 1024,
    max_request_seconds: Annotated[
        float, typer.Option("--max-request-seconds", help="To receive a request.")
    ] = 30.0,
    keep_days: Annotated[
        float | None,
        typer.Option("--keep-days", help="Delete jobs that ended so long ago; never by default."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy", metavar="ADDRESS", help="Take clients' addresses from this proxy."
        ),
    ] = None,
    tiles: Annotated[
        str | None, typer.Option("--tiles", help="Map tiles: https://.../{z}/{x}/{y}.png")
    ] = None,
    attribution: Annotated[
        str, typer.Option("--attribution", help="Whose tiles they are, for the map.")
    ] = "",
) -> None:
    """Plan deliveries in the browser, and by HTTP."""
    require("uvicorn", "web")
    require("fastapi", "web")
    require("sqlalchemy", "web")
    import uvicorn

    from splitroute.web.app import create_app
    from splitroute.web.protocol import bounded
    from splitroute.web.settings import Settings

    settings = Settings(
        store=store,
        host=host,
        port=port,
        token=token,
        workers=workers,
        memory=memory,
        most_customers=most_customers,
        most_seconds=most_seconds,
        most_open_jobs=most_open_jobs,
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
    # Any client can write the headers of a proxy, and addresses decide whose turn it is: they are
    # believed only of proxies that the operator names.
    proxies: dict[str, Any] = {
        "proxy_headers": bool(settings.trusted_proxies),
        "forwarded_allow_ips": list(settings.trusted_proxies),
    }
    protocol = bounded(settings.max_request_seconds)
    config = uvicorn.Config(app, host=host, port=port, http=protocol, **proxies, **QUIET)
    door = config.bind_socket()  # ends the program with a message if the port is taken
    Console(stderr=True).print(f"listening on http://{host}:{port}", markup=False)
    uvicorn.Server(config).run(sockets=[door])
