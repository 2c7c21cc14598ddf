"""Opening a database, in SQLite and PostgreSQL."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text

from splitroute.errors import InputError
from splitroute.web.database import metadata
from splitroute.web.store import Store

pytest_plugins = ["stores"]


def test_services_that_start_together_create_the_tables_once(store: Store, tmp_path: Path) -> None:
    url = store.engine.url.render_as_string(hide_password=False)
    barrier = threading.Barrier(8)

    def start(_: int) -> str:
        barrier.wait()
        opened = Store(url)
        job = opened.add("me", "", 1, "{}")
        opened.close()
        return job

    for number in range(5):
        if store.engine.dialect.name == "sqlite":
            url = f"sqlite:///{tmp_path / f'new-{number}.db'}"
        else:
            metadata.drop_all(store.engine)
        with ThreadPoolExecutor(8) as threads:
            assert len(set(threads.map(start, range(8)))) == 8


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'jobs.db'}"
    first = Store(url)
    with first.engine.begin() as db:
        db.execute(text("ALTER TABLE jobs DROP COLUMN renewals"))
    first.close()
    with pytest.raises(InputError, match="created by another version of splitroute") as caught:
        Store(url)
    assert caught.value.field == "store"


def test_a_store_without_columns_that_may_be_empty_is_completed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'jobs.db'}"
    first = Store(url)
    job = first.add("me", "old", 1, "{}")
    with first.engine.begin() as db:
        db.execute(text("ALTER TABLE jobs DROP COLUMN undelivered"))
        db.execute(text("ALTER TABLE jobs DROP COLUMN unit"))
    first.close()
    second = Store(url)
    row = second.get(job)
    second.close()
    assert row is not None
    assert (row["name"], row["unit"], row["undelivered"]) == ("old", None, None)


@pytest.mark.parametrize(
    "url", ["nonsense", "sqlite:////nowhere/at/all.db", "postgresql+psycopg://x@127.0.0.1:1/y"]
)
def test_a_store_that_cannot_be_opened_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="cannot open the store"):
        Store(url)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_store_in_memory_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="use sqlite:///FILE"):
        Store(url)


def test_passwords_are_not_shown() -> None:
    with pytest.raises(InputError) as caught:
        Store("postgresql+psycopg://me:secret@127.0.0.1:1/y")
    assert "secret" not in str(caught.value)
