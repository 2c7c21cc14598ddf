import os
import signal
import threading
import time

import pytest

from splitroute.errors import InputError
from splitroute.processes.calls import Ended, Returned
from splitroute.processes.child import ChildProcess
from splitroute.processes.pool import Failure, Task, open_pool


def double(x: int) -> int:
    print("chatter on standard output must not confuse anybody")  # noqa: T201
    return 2 * x


def own_process() -> int:
    return os.getpid()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse() -> None:
    raise InputError("not like this")


def stumble() -> None:
    raise RuntimeError("no idea")


def test_answers_come_with_the_number_of_their_task() -> None:
    with open_pool(count=2) as where:
        found = dict(where.run(Task(double, (k,), 30.0) for k in range(20)))
    assert found == {k: 2 * k for k in range(20)}


def test_a_process_is_kept_for_the_next_task() -> None:
    with open_pool(count=1) as where:
        pids = {pid for _, pid in where.run([Task(own_process, (), 30.0)] * 5)}
    assert len(pids) == 1
    assert os.getpid() not in pids


@pytest.mark.parametrize(
    ("function", "status", "why"),
    [
        (die, "crashed", "signal 9"),
        (refuse, "failed", "not like this"),
        (stumble, "crashed", "RuntimeError: no idea"),
    ],
)
def test_a_failure_is_that_task_s_alone(function: object, status: str, why: str) -> None:
    tasks = [Task(double, (1,), 30.0), Task(function, (), 30.0), Task(double, (3,), 30.0)]  # type: ignore[arg-type]
    with open_pool(count=1) as where:
        found = dict(where.run(tasks))
    assert (found[0], found[2]) == (2, 6)
    assert found[1].status == status
    assert why in found[1].reason


def test_a_task_that_overruns_is_ended_and_replaced() -> None:
    with open_pool(count=1) as where:
        list(where.run([Task(double, (1,), 30.0)]))  # the process is up
        began = time.perf_counter()
        found = dict(where.run([Task(time.sleep, (600,), 0.3), Task(double, (4,), 30.0)]))
    assert isinstance(found[0], Failure)
    assert found[0].status == "overran"
    assert found[1] == 8
    assert time.perf_counter() - began < 60


def test_the_number_of_jobs_has_a_range() -> None:
    with pytest.raises(InputError, match="from 1 to 1024"), open_pool(count=0):
        pass


def test_a_child_that_does_not_read_keeps_nobody_waiting() -> None:
    with ChildProcess() as child:
        child.call(os.getpid)
        started = child.get(30)
        assert isinstance(started, Returned)
        os.kill(started.value, signal.SIGSTOP)
        sending = threading.Thread(target=child.call, args=(len, bytes(2**20)), daemon=True)
        sending.start()
        sending.join(10)
        was_sent = not sending.is_alive()
        child.kill()
        assert was_sent
        assert isinstance(child.get(30), Ended)
