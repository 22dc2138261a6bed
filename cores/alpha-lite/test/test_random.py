# SPDX-License-Identifier: BSD-2-Clause
"""Random programs on random machines, every instruction in lock-step (random-tests.md)."""

import concurrent.futures
import json
import os
from collections import Counter
from dataclasses import replace

import pytest

from verify.long_tests import sampled
from verify.random import build, inputs, program
from verify.random import configurations as machines

SLICE, SLICE_INSTRUCTIONS = range(3), 600_000
INSTRUCTIONS = 2_000_000  # of each configuration, with --all
ONLY = os.environ.get("MCPI_CONFIGURATION")


@pytest.mark.parametrize("number", [int(ONLY)] if ONLY else sampled(SLICE, (0).__eq__))
def test_slice(number):
    """A few machines; with MCPI_CONFIGURATION=n that one alone, in full."""
    result = machines.check(machines.draw(number), INSTRUCTIONS if ONLY else SLICE_INSTRUCTIONS)
    print(_line(result))
    assert all(sum(run["traps"].values()) for run in result["runs"])


@pytest.mark.skipif(bool(ONLY), reason="one configuration is wanted")
def test_skipped_ticks_and_cold_starts(tmp_path):
    """Skipped ticks change no tick, cold starts no value."""
    drawn = machines.draw(0, seed=6)
    bench, run = build.bench(drawn.settings), drawn.runs[1]
    said = []
    for flags in ([], ["--skip"], ["--cold-every", 200]):
        done = machines.execute(bench, tmp_path, run, 4000, drawn.again, flags)
        assert not done.returncode, done.stderr
        said.append(json.loads(done.stdout))
    usual, skipped, cold = said
    assert {key for key in usual if usual[key] != skipped[key]} == {"clocks", "wall_seconds"}
    assert skipped["clocks"] < usual["clocks"] and cold["reads"] > usual["reads"]


# Data that a cold start waits for comes back in a clock without a tick.
AT_ONCE = {"memory.ideal": "on", "icache.enable": "off"}
AT_ONCE |= {"core.prediction": "ev4", "core.predicted_penalty": "2"}


@pytest.mark.skipif(bool(ONLY), reason="one configuration is wanted")
@pytest.mark.parametrize("seed", sampled([1, 2, 3, 4], (1).__eq__))
def test_the_instruction_of_a_cold_start_is_executed_once(seed, tmp_path):
    drawn = machines.draw(0, seed)
    run = replace(drawn.runs[0], settings=drawn.runs[0].settings | AT_ONCE)
    bench, flags = build.bench(drawn.settings), ["--cold-every", 20]
    done = machines.execute(bench, tmp_path, run, 3000, drawn.again, flags)
    assert not done.returncode, done.stderr


FAR = {"icache.enable": "on", "icache.prefetch": "on"}


@pytest.mark.skipif(bool(ONLY), reason="one configuration is wanted")
@pytest.mark.parametrize("number", sampled(range(12), (0).__eq__))
def test_a_far_program(number, tmp_path):
    """Its blocks lie in all of RAM, and it fetches from beyond."""
    run, drawn = machines.far(number, FAR), machines.draw(0)
    bench = build.bench(drawn.settings)
    done = machines.execute(bench, tmp_path, run, 30_000, drawn.again)
    assert not done.returncode, done.stderr
    assert json.loads(done.stdout)["traps"]["mchk"]


@pytest.mark.skipif("MCPI_SEED" in os.environ, reason="the usual seed is meant")
def test_random_machines_of_the_core_fill_every_bin():
    """Each value, or part of a range, is drawn for one of the configurations."""
    total = sum((machines.met(machines.draw(n)) for n in range(machines.COUNT)), Counter())
    print(inputs.report(machines.bins(), total))
    assert not inputs.holes(machines.bins(), total)


@pytest.mark.parametrize("kind", ["core", "node", "far"])
def test_random_programs_fill_every_bin(kind):
    """Eight programs have each piece, outside and in PAL mode, and each end of a block."""
    flavour = {} if kind == "core" else {kind: True}
    total = sum((program.met(seed, **flavour) for seed in range(8)), Counter())
    names = program.bins(**flavour)
    print(inputs.report(names, total))
    assert not inputs.holes(names, total)


def test_a_hole_in_the_inputs_is_seen():
    """Choices, ranges and mixtures have bins; an empty bin and a value without a bin are named."""
    table = {"a": inputs.Choice((1, 1, 2)), "b": inputs.Span(3, 103), "c": inputs.Mixed((7,), 0, 9)}
    names = inputs.bins(table)
    assert names == ["a=1", "a=2", "b=3..27", "b=28..52", "b=53..77", "b=78..102", "c=7", "c=other"]
    total = Counter[str]()
    for drawn in ({"a": 1, "b": 27, "c": 7}, {"a": 2, "b": 28, "c": 8}, {"b": 53}, {"b": 102}):
        total += inputs.met({key: str(value) for key, value in drawn.items()}, table)
    assert not inputs.holes(names, total)
    del total["c=7"]
    assert inputs.holes(names, total | Counter({"d": 1})) == ["c=7", "no bin: d"]


@pytest.mark.long
@pytest.mark.skipif(bool(ONLY), reason="one configuration is wanted")
def test_every_configuration():
    """All of them; those whose result is recorded are not run again. Each bin of their machines and
    programs is hit."""
    failed, results = [], []
    drawn = [machines.draw(n) for n in range(machines.COUNT)]
    runs = [run for one in drawn for run in one.runs]
    total = sum((machines.met(one) for one in drawn), Counter())
    total += sum((program.met(run.program) for run in runs), Counter())
    names = [*machines.bins(), *program.bins()]
    print(inputs.report(names, total))
    assert not inputs.holes(names, total)
    machines.elaborate([c for c in drawn if not machines.known(c, INSTRUCTIONS)])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = [pool.submit(_one, c) for c in drawn]
        for done in concurrent.futures.as_completed(waiting):
            try:
                results.append(done.result())
                print(_line(results[-1]), flush=True)
            except AssertionError as error:
                failed.append(str(error))
                print(error, flush=True)
    instructions = sum(result["instructions"] for result in results)
    print(f"{len(results)} configurations, {instructions} instructions")
    assert not failed, "\n\n".join(failed)
    assert len(results) >= 50 and instructions >= 100_000_000


def _one(configuration: machines.Configuration) -> dict:
    known = machines.known(configuration, INSTRUCTIONS)
    return known or machines.check(configuration, INSTRUCTIONS)


def _line(result: dict) -> str:
    settings = " ".join(f"{k}={v}" for k, v in result["settings"].items())
    return (
        f"{result['configuration']:2} {result['instructions']:9} instructions "
        f"{result['ticks']:10} ticks, built {result['build_seconds']:5} s, "
        f"ran {result['run_seconds']:5} s: {settings}"
    )
