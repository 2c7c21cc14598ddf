"""The tables of jobs and of what happened to them: SQLite by default, PostgreSQL by its address."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
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
    Column("method", Text, nullable=False, default=""),
    Column("request", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("started", Float),
    Column("ended", Float),
    Column("owner", String(32)),
    Column("lent_until", Float),
    Column("attempts", Integer, nullable=False, default=0),
    Column("stop_asked", Integer, nullable=False, default=0),
    Column("cost", Float),
    Column("bound", Float),
    Column("solution", Text),  # the best so far
    Column("result", Text),  # what is known in the end
    Column("error", Text),
    Index("jobs_by_status", "status"),
    sqlite_autoincrement=True,  # a number is never used again
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


def open_database(address: str) -> Engine:
    """The database with its tables, made if they are not there."""
    if address.removesuffix(":memory:") in ("sqlite://", "sqlite:///"):
        raise InputError("the store sqlite:// is forgotten at once; sqlite:///FILE is kept")
    engine = None
    try:
        engine = create_engine(address, **_options(address))
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _prepare)
            event.listen(engine, "begin", _begin)
        metadata.create_all(engine)
    except (ArgumentError, ImportError, SQLAlchemyError) as error:
        if engine is not None:
            engine.dispose()
        why = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise InputError(f"the store {_shown(address)!r} cannot be opened: {why}") from None
    return engine


def _options(address: str) -> dict[str, Any]:
    if not address.startswith("sqlite"):
        return {"pool_pre_ping": True, "pool_size": 10}
    return {"connect_args": {"timeout": 30, "check_same_thread": False}, "pool_size": 40}


def _prepare(connection: Any, _: Any) -> None:
    """SQLite: readers do not wait for writers, and what is written stays written."""
    connection.isolation_level = None  # transactions begin as we say, below
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


def _begin(connection: Connection) -> None:
    """SQLite: a transaction that will write takes its turn at the start, not half-way."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _shown(address: str) -> str:
    """Without a password."""
    head, at, tail = address.rpartition("@")
    return f"{head.partition('://')[0]}://...@{tail}" if at else address
