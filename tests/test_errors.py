import pickle
from pathlib import Path

import pytest

import splitroute as sr
from splitroute import errors
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
    assert str(raised) == raised.message == "message"
    assert (raised.code, raised.field, raised.line, raised.value) == (code, "levels", 3, 0)
    assert isinstance(raised, sr.SplitRouteError)
    assert error("message", code="special").code == "special"


def test_the_file_is_no_part_of_the_message() -> None:
    error = sr.InputError("x is 1", file="a.csv", line=4)
    assert (str(error), error.message) == ("a.csv:4: x is 1", "x is 1")
    assert str(sr.LimitError("too long", file="a.csv")) == "a.csv: too long"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    several = sr.InputError("2 errors:", file="a.csv", line=4)
    several.errors = (error, sr.InputError("y is 2", file="a.csv", line=5))
    assert str(several).splitlines() == ["a.csv: 2 errors:", "a.csv:4: x is 1", "a.csv:5: y is 2"]
    assert several.message == "2 errors:"


def test_an_argument_of_the_wrong_type() -> None:
    error = wrong_type("stop", "x" * 1000, "a Stop", "solve(.., stop=Stop(seconds=5))")
    assert str(error).startswith("stop is str 'xxx")
    assert str(error).endswith("', not a Stop; call solve(.., stop=Stop(seconds=5))")
    assert len(str(error)) < 120
    assert error.field == "stop"


def test_a_warning_shows_the_line_of_a_package_with_a_similar_name() -> None:
    caller = f"{Path(errors.__file__).parent}_rules/halves.py"
    code = compile('issue(InputWarning("odd"))', caller, "exec")
    with pytest.warns(sr.InputWarning) as caught:
        exec(code, {"issue": errors.issue, "InputWarning": sr.InputWarning})
    assert caught[0].filename == caller


def test_a_warning_shows_the_line_of_the_caller(tmp_path: Path) -> None:
    (path := tmp_path / "it.csv").write_text(
        "# capacity: 1\nid,x,y,demand\nDépôt,0,0,\na,1,1,20000\n", encoding="cp1252"
    )
    with pytest.warns(sr.InputWarning) as reading:
        instance = sr.read(path)
    with pytest.warns(sr.InputWarning) as solving:
        sr.solve(instance, stop=sr.Stop(iterations=1))
    assert len(reading) == 2, "about the encoding and the depot"
    assert {warning.filename for warning in [*reading, *solving]} == {__file__}
