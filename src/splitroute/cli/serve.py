"""`splitroute serve`: the HTTP service and web page."""

import errno
import socket
from contextlib import suppress
from typing import Annotated, Any

import typer

from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._console import plain_console
from splitroute.errors import InputError
from splitroute.registry import require
from splitroute.web.settings import Settings

EXAMPLE = "splitroute serve --port 8765 --workers 2"

SQLITE = "sqlite:///"
BACKLOG = 2048  # connections that wait to be accepted
UVICORN: dict[str, Any] = {"log_level": "warning", "timeout_graceful_shutdown": 3, "ws": "none"}

SERVER, JOBS, LIMITS, MAP = "Server", "Jobs", "Limits", "Map"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "serve", _serve, EXAMPLE)


def _serve(
    host: Annotated[
        str, o.option("--host", SERVER, "Address to listen on.", "HOST")
    ] = Settings.host,
    port: Annotated[int, o.option("--port", SERVER, "Port to listen on.", "PORT")] = Settings.port,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            envvar="SPLITROUTE_TOKEN",
            help="Token that clients must send.",
            rich_help_panel=SERVER,
            metavar="TOKEN",
        ),
    ] = None,
    trusted_proxies: Annotated[
        list[str] | None,
        o.option(
            "--trusted-proxy", SERVER, "Proxy whose X-Forwarded-For is believed.", "ADDRESS..."
        ),
    ] = None,
    store: Annotated[
        str, o.option("--store", JOBS, "sqlite:///FILE or postgresql+psycopg://...", "URL")
    ] = Settings.store,
    workers: Annotated[
        int | None,
        o.option("--workers", JOBS, "Jobs that run at the same time; default: one per core.", "N"),
    ] = None,
    memory: Annotated[int, o.option("--memory", JOBS, "Memory per job.", "MB")] = Settings.memory,
    keep_days: Annotated[
        float | None,
        o.option("--keep-days", JOBS, "Delete ended jobs after this time; default: never.", "DAYS"),
    ] = None,
    max_customers: Annotated[
        int, o.option("--max-customers", LIMITS, "Customers per instance.", "N")
    ] = Settings.max_customers,
    max_seconds: Annotated[
        float, o.option("--max-seconds", LIMITS, "Time limit of a job.", "SECONDS")
    ] = Settings.max_seconds,
    max_open_jobs: Annotated[
        int, o.option("--max-open-jobs", LIMITS, "Queued or running jobs per client.", "N")
    ] = Settings.max_open_jobs,
    max_bytes: Annotated[
        int, o.option("--max-bytes", LIMITS, "Size of a request.", "BYTES")
    ] = Settings.max_bytes,
    max_request_seconds: Annotated[
        float, o.option("--max-request-seconds", LIMITS, "Time to receive a request.", "SECONDS")
    ] = Settings.max_request_seconds,
    max_parser_memory: Annotated[
        int, o.option("--max-parser-memory", LIMITS, "Memory per parser process.", "MB")
    ] = Settings.max_parser_memory,
    max_streams: Annotated[
        int, o.option("--max-streams", LIMITS, "Open event streams.", "N")
    ] = Settings.max_streams,
    max_streams_per_client: Annotated[
        int, o.option("--max-streams-per-client", LIMITS, "Open event streams per client.", "N")
    ] = Settings.max_streams_per_client,
    roads: Annotated[
        list[str] | None,
        o.option(
            "--roads", MAP, "Road server for jobs: truck=osrm:http://localhost:5000", "NAME=SERVER"
        ),
    ] = None,
    roads_cache: Annotated[
        str | None,
        o.option("--roads-cache", MAP, "Folder for its answers; default: the user's.", "DIR"),
    ] = None,
    tiles: Annotated[
        str | None, o.option("--tiles", MAP, "Map tiles: https://.../{z}/{x}/{y}.png", "URL")
    ] = None,
    attribution: Annotated[
        str, o.option("--attribution", MAP, "Attribution of the tiles.", "TEXT")
    ] = Settings.attribution,
) -> None:
    """Serve the web page and the HTTP API."""
    require("uvicorn", "web")
    require("fastapi", "web")
    require("sqlalchemy", "web")
    import uvicorn

    from splitroute.web.app import create_app
    from splitroute.web.protocol import bounded_protocol
    from splitroute.web.roads import RoadServers

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
        trusted_proxies=tuple(trusted_proxies or ()),
        roads=RoadServers.parse(roads or (), roads_cache),
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
    listener = _listen(host, port)
    stored = (
        f"; jobs are stored in {store.removeprefix(SQLITE)}" if store.startswith(SQLITE) else ""
    )
    address = f"[{host}]" if ":" in host else host
    plain_console(stderr=True).print(
        f"listening on http://{address}:{listener.getsockname()[1]}{stored}",
        soft_wrap=True,
    )
    # uvicorn repeats the signal that stopped it. A service that was told to stop has not failed.
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        reason = str(error.strerror).partition(" (while ")[0]  # Python appends the address
        is_port = error.errno in (errno.EADDRINUSE, errno.EACCES)
        raise InputError(
            f"cannot listen on {host}, port {port}: {reason}",
            field="port" if is_port else "host",
            value=port if is_port else host,
        ) from None
