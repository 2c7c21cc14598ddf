"""A supervised child process."""

import os
import signal
import threading
import time

from splitroute.processes.calls import Call, Ended, Raised, Report, Returned
from splitroute.processes.child import ChildProcess


def count(call: Call, start: int) -> int:
    while not call.is_stop_requested:
        call.report(start)
        start += 1
    return start


def is_stopped(call: Call) -> bool:
    return call.is_stop_requested


def test_a_function_reports_and_stops() -> None:
    with ChildProcess() as child:
        child.call(count, 5, reports=True)
        first = child.get(30)
        child.request_stop()
        message = first
        while isinstance(message, Report):
            message = child.get(30)
    assert first == Report(5)
    assert isinstance(message, Returned)


def wait_for_stop(call: Call) -> bool:
    deadline = time.monotonic() + 10
    while not call.is_stop_requested and time.monotonic() < deadline:
        time.sleep(0.01)
    return call.is_stop_requested


def test_a_function_can_be_stopped_before_it_runs() -> None:
    with ChildProcess() as child:
        for _ in range(3):
            child.call(wait_for_stop, reports=True)
            child.request_stop()
            assert child.get(30) == Returned(True)


def test_a_stop_request_does_not_stop_the_next_function() -> None:
    with ChildProcess() as child:
        child.call(wait_for_stop, reports=True)
        child.request_stop()
        child.call(is_stopped, reports=True)
        assert [child.get(30), child.get(30)] == [Returned(True), Returned(False)]


def test_an_exception_does_not_end_the_child() -> None:
    with ChildProcess() as child:
        child.call(int, "x")
        raised = child.get(30)
        child.call(int, "3")
        assert child.get(30) == Returned(3)
    assert isinstance(raised, Raised)
    assert isinstance(raised.error, ValueError)
    assert "ValueError" in raised.traceback


def test_the_exit_message_of_a_killed_child() -> None:
    with ChildProcess() as child:
        child.kill()
        assert isinstance(child.get(30), Ended)
        assert child.exit_message() == "signal 9"
        assert not child.is_usable


def test_calls_do_not_wait_for_a_child_that_does_not_read() -> None:
    with ChildProcess() as child:
        child.call(os.getpid)
        started = child.get(30)
        assert isinstance(started, Returned)
        os.kill(started.value, signal.SIGSTOP)
        caller = threading.Thread(target=child.call, args=(len, bytes(2**20)), daemon=True)
        caller.start()
        caller.join(10)
        has_returned = not caller.is_alive()
        child.kill()
        assert has_returned
        assert isinstance(child.get(30), Ended)
