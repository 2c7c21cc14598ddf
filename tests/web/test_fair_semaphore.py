"""Slots for clients in turn."""

import asyncio

import pytest

from splitroute.web.fair_semaphore import FairSemaphore


async def wait_in_line(
    slots: FairSemaphore, *clients: str
) -> tuple[list[str], list[asyncio.Task[None]]]:
    """Return who has got a slot, in order, and the tasks that wait for one each."""
    served: list[str] = []

    async def acquire(client: str) -> None:
        await slots.acquire(client)
        served.append(client)

    tasks = [asyncio.create_task(acquire(client)) for client in clients]
    await asyncio.sleep(0)
    return served, tasks


async def release(slots: FairSemaphore, times: int) -> None:
    for _ in range(times):
        slots.release()
        await asyncio.sleep(0)


def test_clients_are_served_in_turn() -> None:
    async def scenario() -> None:
        slots = FairSemaphore(2)
        served, _ = await wait_in_line(slots, "a", "a", "a", "a", "a", "b", "c", "b")
        assert served == ["a", "a"], "as many as there are slots"
        await release(slots, 6)
        assert served[2:] == ["a", "b", "c", "a", "b", "a"]
        await release(slots, 2)
        again, _ = await wait_in_line(slots, "d", "d", "d")
        assert again == ["d", "d"], "all slots are free again"

    asyncio.run(scenario())


@pytest.mark.parametrize("has_slot", [False, True])
def test_a_cancelled_client_takes_no_slot(has_slot: bool) -> None:
    async def scenario() -> None:
        slots = FairSemaphore(1)
        served, tasks = await wait_in_line(slots, "a", "b", "c")
        if has_slot:
            slots.release()  # b has it, but is cancelled before it runs
        tasks[1].cancel()
        await asyncio.gather(*tasks[:2], return_exceptions=True)
        if not has_slot:
            slots.release()
        await asyncio.wait_for(tasks[2], 10)
        assert served == ["a", "c"]

    asyncio.run(scenario())
