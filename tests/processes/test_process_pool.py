"""Pools of child processes."""

import os
import signal
import sys
import time
from typing import Any

import pytest

from splitroute.errors import InputError
from splitroute.processes.pool import Failure, Task, open_pool


def double(x: int) -> int:
    print("output that must not end up among the messages")  # noqa: T201
    return 2 * x


def own_process() -> int:
    return os.getpid()


def kill_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def raise_input_error() -> None:
    raise InputError("bad input")


def raise_runtime_error() -> None:
    raise RuntimeError("unexpected")


class Unreadable:
    """Can be pickled in a child process, but not unpickled in this one."""

    def __reduce__(self) -> Any:
        return _created_by, (os.getpid(),)


def _created_by(pid: int) -> Unreadable:
    if pid != os.getpid():
        raise ValueError("not readable here")
    return Unreadable()


class Unwritable:
    """Cannot be pickled; the message of the error is a text that occurs in its pickle before."""

    def __reduce__(self) -> Any:
        raise InputError(InputError.__module__)


def half_writable() -> object:
    return bytes(2**20), Unwritable()


def test_values_come_with_the_numbers_of_their_tasks() -> None:
    with open_pool(count=2) as pool:
        found = dict(pool.run(Task(double, (k,), 30.0) for k in range(20)))
    assert found == {k: 2 * k for k in range(20)}


def test_processes_are_reused() -> None:
    with open_pool(count=1) as pool:
        pids = {pid for _, pid in pool.run([Task(own_process, (), 30.0)] * 5)}
    assert len(pids) == 1
    assert os.getpid() not in pids


@pytest.mark.parametrize(
    ("function", "status", "reason"),
    [
        (kill_itself, "crashed", "signal 9"),
        (raise_input_error, "failed", "bad input"),
        (raise_runtime_error, "crashed", "RuntimeError: unexpected"),
        (sys.exit, "crashed", "SystemExit"),
        (Unreadable, "crashed", "ValueError: not readable here"),
        (half_writable, "failed", InputError.__module__),
    ],
)
def test_a_failure_affects_one_task(function: object, status: str, reason: str) -> None:
    tasks = [Task(double, (1,), 30.0), Task(function, (), 30.0), Task(double, (3,), 30.0)]  # type: ignore[arg-type]
    with open_pool(count=1) as pool:
        found = dict(pool.run(tasks))
    assert (found[0], found[2]) == (2, 6)
    assert found[1].status == status
    assert reason in found[1].reason


def test_a_task_that_overruns_is_killed() -> None:
    with open_pool(count=1) as pool:
        list(pool.run([Task(double, (1,), 30.0)]))  # starts the process
        began = time.perf_counter()
        found = dict(pool.run([Task(time.sleep, (600,), 0.3), Task(double, (4,), 30.0)]))
    assert isinstance(found[0], Failure)
    assert found[0].status == "overran"
    assert found[1] == 8
    assert time.perf_counter() - began < 60


def test_the_number_of_processes_has_a_range() -> None:
    with pytest.raises(InputError, match="from 1 to 1024"), open_pool(count=0):
        pass
