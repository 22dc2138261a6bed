# SPDX-License-Identifier: BSD-2-Clause
"""``judged_by`` of the numbers in the papers' texts: each claim and each cell that it names is
there."""

from functools import cache
from pathlib import Path

import pytest
from tools_support import study_example

from mcpi import studies
from mcpi.studies.tr9304.plan import configurations
from mcpi.studies.tr9304.probes import FIELDS
from mcpi.studykit import claims, text_numbers
from mcpi.studykit.cell import Table
from mcpi.studykit.measured import Measured

PAPERS = {paper: name for name in studies.there() if (paper := studies.find(name).paper)}
NOTHING = {"results": {}, "absent": {}, "extent": {"shuffles": 0, "samples": {}, "round_trips": 1}}
BOOT = {"offered": 1, "received": 1, "ideal": 0, "counts": {}, "measured": 0, "counters": {}}


def record(study: str) -> Measured:
    """A record with all rows that the study can have."""
    if study == studies.DEFAULT:
        return study_example.study()
    if study != "tr9304":
        return Measured(NOTHING)
    one = {"runs": [BOOT], "overheads": [[0] * 20], "measured": 1, "probes": 1, "of_probes": 1}
    causes = dict.fromkeys((*FIELDS, "interrupt_ticks", "code_ticks", "unexplained"), 0)
    one |= {"causes": causes, "counters": {"ticks": 2}, "owners": {"issue": 1}, "evictors": {}}
    results = {c.key: one for c in configurations()}
    return Measured({**NOTHING, "results": results, "saturation": {}, "steps": {}})


@cache
def tables(study: str) -> dict[str, Table]:
    return {table.key: table for table in studies.find(study).tables(record(study))}


@cache
def keys(study: str) -> list[str]:
    folder = Path(studies.__file__).parent / study
    return [claim["key"] for claim in claims.listed(folder / "claims.csv")]


def lacks(own: str, reference: text_numbers.Reference) -> str:
    """The part of a reference that is not there; empty if all is."""
    study = reference.study or own
    if study not in studies.there():
        return f"study {study}"
    if reference.key:
        return "" if reference.key in keys(study) else f"claim {reference.key}"
    table = tables(study).get(reference.table)
    if table is None:
        return f"table {reference.table}"
    if reference.row not in [row.labels for row in table.rows]:
        return f"row {reference.row} of {reference.table}"
    there = reference.column in [column.key for column in table.columns]
    return "" if there else f"column {reference.column} of {reference.table}"


def test_each_paper_with_numbers_has_a_study():
    assert sorted(PAPERS) == text_numbers.papers()


@pytest.mark.parametrize("paper", PAPERS)
def test_judged_by_names_claims_and_cells_that_are_there(paper):
    missing = {
        number.id: why
        for number in text_numbers.numbers(paper)
        for reference in number.references
        if (why := lacks(PAPERS[paper], reference))
    }
    assert not missing, f"papers/{paper}/{text_numbers.FILE}: {missing}"


@pytest.mark.parametrize("paper", PAPERS)
def test_judged_by_says_why_not_and_is_counted(paper, capsys):
    every = text_numbers.numbers(paper)
    said = text_numbers.line(paper)
    with capsys.disabled():
        print(f"\n{paper}: {said}")
    without = [number for number in every if number.kind == text_numbers.NOT]
    assert all(len(number.why.split()) >= 2 for number in without)
    assert said.endswith(f" {len(without)} not judged.")
    assert sum(int(word) for word in said.split() if word.isdigit()) == len(every)


@pytest.mark.parametrize("study", studies.there())
def test_each_claim_has_a_key_of_its_own(study):
    found = keys(study)
    assert all(found) and len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("claim bad-te", ""),
        ("claim no-such", "claim no-such"),
        ("claim slides/s4", ""),
        ("claim nowhere/s4", "study nowhere"),
        ("cell table4[BAD].tcp_te_us", ""),
        ("cell table44[BAD].tcp_te_us", "table table44"),
        ("cell table4[WORSE].tcp_te_us", "row ('WORSE',) of table4"),
        ("cell table4[BAD].tcp_te", "column tcp_te of table4"),
        ("cell table6[TCP/IP / OUT / replay].icache_repl", ""),
        ("cell osdi94/disorder[mutex].p8", ""),
    ],
)
def test_judged_by_is_looked_up(text, wrong):
    assert lacks(studies.DEFAULT, text_numbers.reference(text)) == wrong


@pytest.mark.parametrize("text", ["", "claims bad-te", "cell table4", "claim a b", "not judged"])
def test_judged_by_refuses_other_words(text):
    with pytest.raises(ValueError, match="is none of: claim KEY"):
        text_numbers.reference(text)
