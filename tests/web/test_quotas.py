"""Quotas in total and per client."""

import pytest

from splitroute.web.quotas import Quota, QuotaExceededError


@pytest.mark.parametrize(
    ("client", "amount", "by_client"), [("a", 2, True), ("b", 3, False), ("b", 4, True)]
)
def test_more_than_the_quota_is_refused(client: str, amount: int, by_client: bool) -> None:
    quota = Quota(max_total=4, max_per_client=3)
    quota.acquire("a", 2)
    with pytest.raises(QuotaExceededError) as caught:
        quota.acquire(client, amount)
    assert caught.value.by_client == by_client
    assert quota.total == 2, "what is refused is not used"


def test_what_is_released_can_be_used_again() -> None:
    quota = Quota(max_total=3, max_per_client=3)
    quota.acquire("a", 3)
    quota.release("a", 2)
    quota.acquire("b", 2)
    assert quota.total == 3
    quota.release("a")
    quota.release("b", 2)
    assert (quota.total, len(quota._used)) == (0, 0), "clients are forgotten"


def test_a_block_holds_one_unit_until_it_fails() -> None:
    quota = Quota(max_total=1, max_per_client=1)
    with pytest.raises(ValueError, match="2"), quota.hold("a"):
        raise ValueError(quota.total + 1)
    assert quota.total == 0
