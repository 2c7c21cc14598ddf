import pytest

import splitroute as sr
from splitroute.errors import wrong_type


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (sr.SplitRouteError, "error"),
        (sr.InputError, "invalid_input"),
        (sr.EngineError, "engine_failed"),
        (sr.MissingPackageError, "not_installed"),
        (sr.LimitError, "too_large"),
    ],
)
def test_every_error_has_a_code(error: type[sr.SplitRouteError], code: str) -> None:
    raised = error("message", field="levels", line=3, value=0)
    assert str(raised) == "message"
    assert (raised.code, raised.field, raised.line, raised.value) == (code, "levels", 3, 0)
    assert isinstance(raised, sr.SplitRouteError)
    assert error("message", code="special").code == "special"


def test_an_argument_of_the_wrong_type() -> None:
    error = wrong_type("stop", "x" * 1000, "a Stop", "solve(.., stop=Stop(seconds=5))")
    assert str(error).startswith("stop is str 'xxx")
    assert str(error).endswith("', not a Stop; call solve(.., stop=Stop(seconds=5))")
    assert len(str(error)) < 120
    assert error.field == "stop"
