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
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.schema import CreateColumn

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
    Column("shown_request", Text),  # without the instance's text, which may be large
    Column("created", Float, nullable=False),
    Column("started", Float),
    Column("ended", Float),
    Column("owner", String(32)),
    Column("renewals", Integer, nullable=False, server_default="0"),  # of its lease
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
# As JSON without a matrix: parsed once, when the job comes in.
instances = Table(
    "instances",
    metadata,
    Column("job", String(32), primary_key=True),
    Column("data", Text, nullable=False),
)
# One row, written to see whether anything can be written.
probes = Table(
    "probes",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("count", Integer, nullable=False),
)

SETUP = 7_705_551_423  # the advisory lock of those who create tables


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
        _create_tables(engine)
    except (ArgumentError, ImportError, SQLAlchemyError) as error:
        if engine is not None:
            engine.dispose()
        shown = _shown(address)
        raise InputError(f"the store {shown!r} cannot be opened: {reason(error)}") from None
    return engine


def _create_tables(engine: Engine) -> None:
    """Creates what is missing; of several services that start at once, one after the other."""
    with engine.execution_options(writes=True).begin() as db:
        if engine.dialect.name == "postgresql":
            db.execute(select(func.pg_advisory_xact_lock(SETUP)))
        metadata.create_all(db)
        if db.execute(select(probes)).first() is None:
            db.execute(insert(probes).values(id=1, count=0))
        known = inspect(db)
        for table in metadata.sorted_tables:
            there = {column["name"] for column in known.get_columns(table.name)}
            for column in table.columns:
                if column.name not in there:  # a store of an earlier version
                    definition = CreateColumn(column).compile(dialect=engine.dialect)
                    db.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {definition}"))


def reason(error: BaseException) -> str:
    """Why the database does not do what it should, in one line."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _options(address: str) -> dict[str, Any]:
    if not address.startswith("sqlite"):
        connect = {"connect_timeout": 10} if address.startswith("postgresql") else {}
        return {"pool_pre_ping": True, "pool_size": 10, "connect_args": connect}
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
