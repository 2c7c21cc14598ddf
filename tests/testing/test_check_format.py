"""Formats that break their contract are caught."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import splitroute as sr
from splitroute.errors import InputError
from splitroute.formats import ReadOptions, csv, dimacs, json
from splitroute.testing import check_format


def changed(format: Any, **changes: Any) -> SimpleNamespace:
    return SimpleNamespace(**{**vars(format), **changes})


def declaring(format: Any, **capabilities: Any) -> SimpleNamespace:
    return changed(format, CAPABILITIES=replace(format.CAPABILITIES, **capabilities))


def loses_a_quantity(instance: sr.Instance, solution: sr.Solution, about: object) -> str:
    return dimacs.dump_solution(instance, solution, about).replace("( 30 )", "( 0 )")


def without_line(text: str, *rest: Any) -> Any:
    try:
        return dimacs.parse_solution(text, *rest)
    except InputError as error:
        raise InputError(str(error)) from None


def fails(text: str, *rest: Any) -> Any:
    return float(text)


def ignores_options(text: str, options: ReadOptions) -> sr.Instance:
    return json.parse_instance(text, replace(options, speed=None, partial=False))


def accepts(*_: Any) -> sr.Instance:
    return sr.Instance.create(1, [1], [(0, 0), (1, 1)])


@pytest.mark.parametrize(
    ("format", "contract"),
    [
        (SimpleNamespace(), "at least one of parse_instance"),
        (changed(dimacs, CAPABILITIES=None), "declares CAPABILITIES"),
        (declaring(csv, instance_suffixes=("CSV",)), "instance_suffixes lists lowercase suffixes"),
        (changed(dimacs, dump_solution=loses_a_quantity), "a solution is read as it was written"),
        (
            changed(json, dump_instance=lambda i: json.dump_instance(i).replace("70", "71")),
            "demands of 'contract' was",
        ),
        (
            changed(json, dump_instance=lambda i: json.dump_instance(i).replace("12.0", "13.0")),
            "distances of 'contract' differ",
        ),
        (changed(json, parse_instance=ignores_options), "sets the speed and partial"),
        (
            changed(json, dump_instance=lambda i: json.dump_instance(i)[1:]),
            "a format reads what it writes",
        ),
        (changed(dimacs, parse_solution=without_line), "InputError with its line"),
        (changed(csv, parse_instance=fails), "bad text raises InputError: '' raised ValueError"),
        (changed(csv, parse_instance=accepts), "bad text raises InputError: '' was accepted"),
        (declaring(dimacs, splits=False), "writes every valid solution"),
        (declaring(csv, encode=lambda text, instance: text), "returns bytes"),
        (changed(dimacs, dump_solution=lambda *_: b""), "writes text, not bytes"),
    ],
)
def test_a_broken_contract(format: Any, contract: str) -> None:
    with pytest.raises(AssertionError, match=contract):
        check_format(format)
