# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi whatif``: the same round trip as a run's, effects that sum, tables, words it refuses."""

import json

import pytest
from typer.main import get_command

from mcpi import api
from mcpi.analysis import causal
from mcpi.api import causes
from mcpi.base.errors import UserError
from mcpi.base.progress import Silent
from mcpi.cli import main
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RTL, RunSpec

COMMAND = get_command(main.app)
SPEC = RunSpec(variant="all", round_trips=2, warmup=2)
TWO = ("tcp_output:issue", ":d_miss")
PROGRAM = "examples/write-merging.c"


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> causal.WhatIf:
    """A program of few functions."""
    place = tmp_path_factory.mktemp("whatif") / "small.c"
    place.write_text(
        "static volatile long data[512];\n"
        "__attribute__((noinline)) long sum(void)\n"
        "{\n\tlong all = 0;\n\tfor (int n = 0; n < 512; n++)\n\t\tall += data[n];\n"
        "\treturn all;\n}\nint main(void) { return (int)sum(); }\n"
    )
    spec = ProgramSpec((str(place),), measure=("sum",))
    return causes.find(spec, "both", [(":d_miss",)], Silent())


def test_the_whole_is_the_runs_round_trip(tmp_path) -> None:
    _, result = api.perform(SPEC, tmp_path / "run")
    whole, less = causes.shorter(SPEC, TWO, Silent())
    assert whole / 2 / 175 == pytest.approx(result.round_trip.mean_us, abs=1e-6)
    assert 0 < less < whole
    ours = sum(causes.ticks(SPEC, Silent()).values())
    paths = (result.steady.client, result.steady.server)
    world = sum(p.owners.get(o, 0) for p in paths for o in causal.OF_WORLD)
    assert ours / 2 == pytest.approx(sum(p.ticks for p in paths) - world)


def test_a_program_alone_gets_shorter_by_all_that_vanishes(small) -> None:
    """Each effect is the ticks that vanish less those that grow; all together are the path."""
    assert small.is_program and small.passages == 1
    for effect in [*small.pairs, *small.functions, *small.owners]:
        assert effect.shorter <= effect.ticks
    assert small.every.shorter == small.every.ticks == small.path
    assert small.sets[0].shorter == small.sets[0].ticks > 0
    assert sum(e.ticks for e in small.pairs) == small.path
    issue = next(e for e in small.owners if e.owner == "issue")
    assert issue.shorter == issue.ticks - sum(issue.grows.values()) < issue.ticks


def test_without_memorys_owners_it_is_ideal_memory_but_for_covered_ticks(small) -> None:
    left, ideal = sum(small.left.values()), sum(small.ideal.values())
    assert left + sum(small.covered.values()) == ideal
    assert small.memory.shorter == small.memory.ticks == small.path - left


def test_the_command_prints_tables_and_a_record(capsys) -> None:
    COMMAND.main(["whatif", PROGRAM, "--json"], standalone_mode=False)
    record = json.loads(capsys.readouterr().out)
    assert record["round_trips"] is None and record["ticks"] > record["path_ticks"] > 0
    assert {p["owner"] for p in record["pairs"]} == {o["owner"] for o in record["owners"]}
    best = max(record["pairs"], key=lambda one: one["shorter"])
    assert best == record["pairs"][0]
    COMMAND.main(["whatif", PROGRAM, "--top", "1"], standalone_mode=False)
    printed = capsys.readouterr().out
    assert f"{record['ticks']:,.1f} ticks" in printed and best["function"] in printed
    assert "memory.ideal = on" in printed and "more" in printed


def test_tables_are_means_of_a_round_trip(small) -> None:
    frame = causes.Causes(small).pairs
    assert list(frame.columns) == ["ticks", "shorter"]
    assert frame["ticks"].sum() == small.path
    assert "alone" in causes.Causes(small).functions and "alone" in causes.Causes(small).owners


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--without", "tcp_outptu"], "no function tcp_outptu.*tcp_output"),
        (["--without", "tcp_output:d_mis"], "are known.*d_miss"),
        (["--without", ":io"], "wait for the world"),
        (["--side", "middle"], "client, server or both"),
        (["--measure", "f"], "only a program"),
        ([PROGRAM, "--variant", "all"], "no stack's"),
        ([PROGRAM, "--side", "server"], "runs on one machine"),
    ],
)
def test_what_is_wrong_is_said_before_anything_runs(words, said) -> None:
    with pytest.raises(UserError, match=f"(?s){said}"):
        COMMAND.main(["whatif", *words], standalone_mode=False)


def test_engine_rtl_is_refused_by_name() -> None:
    with pytest.raises(UserError, match="engine rtl cannot hold the world"):
        causes.check(RunSpec(engine=RTL), "both", [])
