"""Tables of jobs and events: in SQLite by default, in PostgreSQL by its URL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    func,
    insert,
    inspect,
    select,
)
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from splitroute.errors import InputError

metadata = MetaData()
jobs = Table(
    "jobs",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), unique=True, nullable=False),
    Column("client", String(64), nullable=False),
    Column("status", String(10), nullable=False),
    Column("name", Text, nullable=False),
    Column("customers", Integer, nullable=False),
    Column("method", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("request_summary", Text, nullable=False),  # without the text of the instance
    Column("warnings", Text),  # about the instance
    Column("created", Float, nullable=False),
    Column("started", Float),
    Column("ended", Float),
    Column("owner", String(32)),
    Column("renewals", Integer, nullable=False),  # of the lease
    Column("attempts", Integer, nullable=False),
    Column("stop_requested", Integer, nullable=False),
    Column("cost", Float),
    Column("bound", Float),
    Column("unit", String(10)),  # of costs
    Column("undelivered", Float),  # mandatory demand, of the best solution
    Column("solution", Text),  # best so far
    Column("outcome", Text),
    Column("error", Text),
    Index("jobs_by_status", "status"),
    sqlite_autoincrement=True,  # numbers are never reused
)
events = Table(
    "events",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("job", String(32), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("data", Text, nullable=False),
    Index("events_by_job", "job", "number"),
    sqlite_autoincrement=True,
)
# Parsed instances as JSON without a matrix, so that showing a job does not parse it again.
instances = Table(
    "instances",
    metadata,
    Column("job", String(32), primary_key=True),
    Column("data", Text, nullable=False),
    Column("road_tables", LargeBinary),  # so that files need no road server
)
# One row, written to find out whether the database is writable.
probes = Table(
    "probes",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("count", Integer, nullable=False),
)

SETUP_LOCK = 7_705_551_423  # key of the PostgreSQL advisory lock held while tables are created


def open_database(url: str) -> Engine:
    """Connect to the database and create missing tables."""
    if url.removesuffix(":memory:") in ("sqlite://", "sqlite:///"):
        raise InputError(
            "the store sqlite:// is lost on exit; use sqlite:///FILE", field="store", value=url
        )
    engine = None
    try:
        engine = create_engine(url, **_options(url))
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _configure_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        _create_tables(engine)
    except (ArgumentError, ImportError, InputError, SQLAlchemyError) as error:
        if engine is not None:
            engine.dispose()
        raise InputError(
            f"cannot open the store {_without_password(url)!r}: {reason(error)}", field="store"
        ) from None
    return engine


def _create_tables(engine: Engine) -> None:
    """Create missing tables; services that start together do so one after another."""
    with write(engine) as db:
        if engine.dialect.name == "postgresql":
            db.execute(select(func.pg_advisory_xact_lock(SETUP_LOCK)))
        metadata.create_all(db)
        if db.execute(select(probes)).first() is None:
            db.execute(insert(probes).values(id=1, count=0))
        for table in metadata.sorted_tables:
            _add_columns(db, table)
            columns = {column["name"] for column in inspect(db).get_columns(table.name)}
            if columns != set(table.columns.keys()):
                message = "it was created by another version of splitroute; use a new one"
                raise InputError(message, field="store")


def _add_columns(db: Connection, table: Table) -> None:
    """Add columns that a store of an older version lacks, if they may be empty."""
    present = {column["name"] for column in inspect(db).get_columns(table.name)}
    for column in table.columns:
        if column.name not in present and column.nullable:
            kind = column.type.compile(db.dialect)
            db.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {column.name} {kind}")


@contextmanager
def write(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that writes."""
    with engine.execution_options(writes=True).begin() as db:
        yield db


def add_event(db: Connection, job: str, kind: str, data: dict[str, Any]) -> None:
    """Append an event to the history of a job."""
    db.execute(insert(events).values(job=job, kind=kind, data=json.dumps(data)))


def reason(error: BaseException) -> str:
    """Return the cause of a database error in one line."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _options(url: str) -> dict[str, Any]:
    if not url.startswith("sqlite"):
        connect = {"connect_timeout": 10} if url.startswith("postgresql") else {}
        return {"pool_pre_ping": True, "pool_size": 10, "connect_args": connect}
    return {"connect_args": {"timeout": 30, "check_same_thread": False}, "pool_size": 40}


def _configure_sqlite(connection: Any, _: Any) -> None:
    """Let readers run while others write, and survive a power failure."""
    connection.isolation_level = None  # `_begin_sqlite` starts transactions
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at the start: upgrading a read lock later could fail."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _without_password(url: str) -> str:
    head, at, tail = url.rpartition("@")
    return f"{head.partition('://')[0]}://...@{tail}" if at else url
