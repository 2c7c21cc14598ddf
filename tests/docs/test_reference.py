"""The reference names every code of an error; tables of results are made of complete records."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from conftest import ROOT
from splitroute.bench.best_known import proven_bound
from splitroute.bench.records import read_records

ERRORS = ROOT / "docs" / "reference" / "errors.md"
OF_STATUSES = {"not_found", "method_not_allowed"}  # codes that are the names of their statuses
RECORDS = ROOT / "docs" / "results" / "records.jsonl"


def test_the_reference_names_exactly_the_codes_of_errors() -> None:
    trees = [ast.parse(path.read_text()) for path in (ROOT / "src").rglob("*.py")]
    used = {code for tree in trees for node in ast.walk(tree) for code in _codes(node)}
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \|", ERRORS.read_text(), re.M)
    named = [code for row in rows for code in re.findall(r"\w+", row)]
    assert sorted(named) == sorted(used | OF_STATUSES)


def _codes(node: ast.AST) -> Iterator[str]:
    """Texts that are the code of a class of errors, or passed as one."""
    match node:
        case ast.ClassDef():
            for part in node.body:
                if isinstance(part, ast.Assign | ast.AnnAssign) and part.value:
                    target = part.targets[0] if isinstance(part, ast.Assign) else part.target
                    if ast.unparse(target) == "code":
                        yield from _texts(part.value)
        case ast.keyword(arg="code"):
            yield from _texts(node.value)
        case ast.Dict(keys=[ast.Constant("code")]):  # passed with two stars
            yield from _texts(node.values[0])
        case ast.Call(func=ast.Name("RequestError"), args=[_, _, code, *_]):
            yield from _texts(code)
        case ast.Assign(targets=[ast.Name("INVALID_REQUEST")]):
            yield from _texts(node.value)


def _texts(node: ast.AST) -> Iterator[str]:
    texts = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return (text for text in texts if isinstance(text, str) and re.fullmatch("[a-z_]+", text))


def test_recorded_runs_are_complete_and_possible() -> None:
    records = list(read_records([RECORDS]))
    assert {record["status"] for record in records} == {"ok"}
    assert len({record["commit"] for record in records}) == 1
    assert set(Counter(record["method"] for record in records).values()) == {85}
    for record in records:
        bound = proven_bound(record["set"], record["instance"], record["metric"])
        assert bound is None or record["cost"] > bound - 1e-3
