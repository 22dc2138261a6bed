# SPDX-License-Identifier: BSD-2-Clause
"""Translation in the models (docs/explanation/translation.md): TLBs, rights, traps, ticks."""

import csv
import os
from collections import Counter
from pathlib import Path

import pytest
from sim_support import planted
from sim_support.simulators import run
from sim_support.translated_cases import MACHINES, Case
from sim_support.translated_programs import FUNCTION_BINS, Program

from mcpi.build import models
from mcpi.machine import profile
from verify.long_tests import sampled
from verify.random import inputs

OF_MODEL = planted.mistakes("translation_mutants", "model")
OF_ENGINE = planted.mistakes("translation_mutants", "engine")


def test_tlb_and_traps_are_the_sheets():
    """Random accesses against a walk of the page table, and each rule by hand."""
    run(models.build("unit_translation"))


@pytest.fixture(scope="module")
def with_all() -> Path:
    return planted.program("unit_translation")


@pytest.mark.parametrize("number", range(len(OF_MODEL) + 1))
def test_a_mistake_in_translation_is_found(with_all, number):
    mistake = OF_MODEL[number - 1] if number else None
    done = run(with_all, check=False, env=os.environ | (mistake.environment if mistake else {}))
    assert (done.returncode != 0) == (number > 0), mistake and mistake.title


# PAL-mode instructions of a refill that finds a PTE: palcode.md, Translated machines.
COST = {
    ("tuned", "itb"): 18,
    ("tuned", "dtb"): 16,
    ("portable", "itb"): 33,
    ("portable", "dtb"): 31,
}


CASES = [(seed, name) for seed in range(1, 9) for name in MACHINES]


def test_random_translated_programs_fill_every_bin():
    """Where a function lies in the I-cache, by its virtual index, and where by its physical one;
    whether it has run before, and since the last flush."""
    total = Counter()
    for seed, name in CASES:
        machine = profile.load("dec3000-600", {"core.translation": "tlb"} | MACHINES[name])
        total += Program(seed, machine).met
    print(inputs.report(FUNCTION_BINS, total))
    assert not inputs.holes(FUNCTION_BINS, total)


@pytest.mark.parametrize("case", sampled(CASES, lambda case: case[0] == 1))
def test_programs_do_what_their_page_tables_say(case, tmp_path):
    """On the model and, with each refill as the sheet has it, on the exact engine."""
    case = Case(*case, tmp_path)
    assert not case.different(case.on_model())
    said, log = case.on_engine(models.build("mcpi-exact"))
    assert not case.different(said)
    check(log, case)


def check(log: Path, case: Case) -> None:
    """Check the log of a program's ticks (translation.md)."""
    ticks = []
    with log.open() as file:
        for row in csv.DictReader(file):
            events = set(row["events"].split())
            ticks += [(row["owner"], row["pc"], events)] * int(row["count"])
    check_refills(ticks, case)
    program = case.program
    faults = [n for n, tick in enumerate(ticks) if "translation.faults" in tick[2]]
    assert len(faults) == sum(kind == 2 and code in (1, 2, 4) for kind, _, code, *_ in program.log)
    for n in faults:
        assert ticks[n - 1][0] != "translation" or "itb.refill_ticks" not in ticks[n - 1][2]
    switches = sum("context_switches" in events for _, _, events in ticks)
    assert switches == 1 + program.switches


def check_refills(ticks: list[tuple[str, str, set[str]]], case: Case) -> None:
    """Each has its first tick, its floor, its last tick, and its owners."""
    seen = {"itb": 0, "dtb": 0}
    for side in seen:
        costs = []
        inside = [f"{side}.refill_ticks" in events for _, _, events in ticks]
        for at, (owner, _, events) in enumerate(ticks):
            if f"{side}.misses" not in events:
                continue
            seen[side] += 1
            assert owner == "exception"
            first = at - (side == "itb")
            if side == "itb":
                assert ticks[first][0] == "translation"
                assert not {"icache.misses", "bcache.fetches"} & ticks[first][2]
            assert inside[first] and not inside[first - 1]
            length = inside.index(False, first) - first
            costs += [sum(tick[0] == "issue" for tick in ticks[first : first + length])]
            waits = [n for n in range(at, first + length) if ticks[n][0] == "translation"]
            assert (length == case.floor) if waits else (length >= case.floor)
            back = range(first + length - case.penalty, first + length)
            assert all(ticks[n][0] == "exception" for n in back)
            assert ticks[back[0] - 1][0] == "issue" and "pal_ticks" in ticks[back[0] - 1][2]
        assert costs and min(costs) == COST[case.refill, side]
    assert seen["dtb"] > 10 and seen["itb"] > 3
    allowed = ("itb.refill_ticks", "dtb.refill_ticks")
    for n, (owner, _, events) in enumerate(ticks):
        if owner == "translation" and not set(allowed) & events:
            assert "translation.faults" in ticks[n + 1][2]


@pytest.fixture(scope="module")
def engine_with_all() -> Path:
    return planted.program("mcpi-exact")


@pytest.mark.parametrize("number", range(len(OF_ENGINE) + 1))
def test_a_mistake_of_the_engine_is_found(engine_with_all, number, tmp_path):
    mistake = OF_ENGINE[number - 1] if number else None
    case = Case(1, "floor", tmp_path)
    environment = os.environ | (mistake.environment if mistake else {})
    try:
        said, log = case.on_engine(engine_with_all, env=environment)
        found = case.different(said)
        check(log, case)
    except AssertionError as wrong:
        found = str(wrong)
    assert bool(found) == (number > 0), mistake.title if mistake else found
