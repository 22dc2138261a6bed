# SPDX-License-Identifier: BSD-2-Clause
"""Reports of ``./mcpi profile``: by hand arithmetic, against the record, and what is refused."""

import csv
import json
import shutil
from pathlib import Path

import pytest
from tools_support.command import mcpi, refused

from mcpi import api as stacks
from mcpi.analysis import reports
from mcpi.analysis.profile import Profile
from mcpi.analysis.recording import Recording
from mcpi.api import load, places, single_run
from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Silent
from mcpi.base.repo import ROOT
from mcpi.engines.rtl import engine
from mcpi.export import cache_sets
from mcpi.results import record
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RTL, RunSpec
from verify.long_tests import sampled

PROGRAM = str(ROOT / "firmware/test/programs/misses.c")
NAMES = ("fits", "large", "pair")


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("reports")
    spec = ProgramSpec((PROGRAM,), tick_log="client", recording=True)
    return single_run.perform(spec, place / "run")[0]


def profile(run: Path, place: str = "") -> Profile:
    return Profile(
        run, "client", opens=places.opens(run, "client", place) if place else frozenset()
    )


@pytest.mark.parametrize(
    ("place", "classes"),
    [("fits", (128, 0, 0)), ("large", (512, 512, 0)), ("pair", (2, 0, 198)), ("", (642, 512, 198))],
)
def test_misses_of_a_place(run, place, classes):
    (sum_,) = (row for row in reports.misses(profile(run, place)).sums if row["cache"] == "d")
    assert tuple(sum_[name] for name in ("cold", "capacity", "conflict")) == classes
    assert sum_["misses"] == sum(classes)


@pytest.mark.parametrize("place", [*NAMES, ""])
def test_cpi_is_the_record_s(run, place):
    steady = record.read(run / "result.json").steady.client
    result = record.read(run / "result.json").regions.client[place] if place else steady
    (sum_,) = reports.cpi(profile(run, place)).sums
    for name in ("cpi", "icpi", "mcpi"):
        assert abs(sum_[name] - getattr(result, name)) < 2e-6, name
    assert sum_["ticks"] == result.totals.ticks
    loads = {"fits": 256, "large": 1024, "pair": 200, "": 1480}[place]
    assert sum_["loads"] == loads
    assert sum_["load_miss_percent"] == pytest.approx(100 * sum_["load_misses"] / loads)
    assert sum_["load_mpki"] == pytest.approx(1000 * sum_["load_misses"] / sum_["instructions"])


def test_places_are_all_that_is_measured(run):
    """Their ticks and their misses are those of the whole."""
    parts = [profile(run, name) for name in NAMES]
    assert sum(part.sum.total for part in parts) == profile(run).sum.total
    assert [m for p in parts for m in Recording(p).misses] == Recording(profile(run)).misses


def test_the_mix(run):
    """pair: 200 loads; a loop has a branch for each of its passages."""
    rows = {row["class"]: row for row in reports.mix(profile(run, "pair")).rows}
    assert rows["load"]["instructions"] == 200 and rows["branch"]["instructions"] in (99, 100)
    whole = profile(run, "pair").sum
    assert sum(row["ticks"] for row in rows.values()) == whole.total
    assert sum(row["percent"] for row in rows.values()) == pytest.approx(100)
    opcodes = reports.mix(profile(run, "pair"), "opcode").rows
    issued = {row["opcode"]: row["instructions"] for row in opcodes}
    assert sum(issued.get(name, 0) for name in ("ldl", "ldq", "ldq_u")) == 200


def test_who_displaces_whom(run):
    """Code that loads has data displace data, and a stack has functions displace functions."""
    found = reports.evictions(profile(run, "pair"), "main").rows
    pairs = {(row["brings"], row["displaces"]): row["blocks"] for row in found}
    assert pairs["pair", "pair"] >= 198 and sum(pairs.values()) == 200
    assert {row["by"] for row in found} == {"main"}
    with pytest.raises(UserError, match="no function nothing_"):
        reports.evictions(profile(run), "nothing_")
    with pytest.raises(UserError, match="exit: it displaces no block"):
        reports.evictions(profile(run), "exit")


def test_a_stack(tmp_path):
    spec = RunSpec(round_trips=3, tick_log="client", recording=True)
    folder, result = stacks.perform(spec, tmp_path / "run")
    found = Profile(folder, "client")
    (cpi,) = reports.cpi(found).sums
    assert abs(cpi["mcpi"] - result.steady.client.mcpi) < 2e-6
    displaced = reports.evictions(found, "tcp_output").rows
    assert {"tcp_output"} < {row["by"] for row in displaced}
    assert {"tcp_output"} < {row["displaces"] for row in displaced}
    table = load(folder).report("misses", by="line")
    assert table[table.cache == "i"].misses.sum() == pytest.approx(
        result.steady.client.icache.misses
    )
    stream = load(folder).report("stream")
    assert stream.tick.is_monotonic_increasing and len(stream) == len(Recording(found).misses)


def test_sets_over_time(run):
    """A mark lies in the row of its set: 256 sets, four to a row. In pair it is the same one."""
    found = Recording(profile(run, "pair"))
    whole = found.profile.sum.total
    cells = cache_sets.cells(found, "d", whole)
    (row,) = {row for _, row in cells["conflict"]}
    assert row == next(m.address for m in found.misses if m.cache == "d") // 32 % 256 // 4
    assert len({column for column, _ in cells["conflict"]}) > 150  # of 198
    assert max(column for column, _ in cells["conflict"]) >= cache_sets.COLUMNS - 4
    drawn = cache_sets.svg(found.profile)
    assert "D-cache: 200 misses" in drawn and drawn == cache_sets.svg(profile(run, "pair"))


def test_the_command(run, tmp_path):
    done = mcpi("profile", "--run", str(run), "--place", "pair", "--report", "misses", "--json")
    content = json.loads(done.stdout)
    assert content["invocations"] == 1 and content["sums"][1]["conflict"] == 198
    stream, ticks, packed = (tmp_path / name for name in ("m.csv", "t.parquet", "t.csv.zst"))
    done = mcpi("profile", "--run", str(run), "--report", "cpi", "--stream", str(stream))
    assert "mCPI" in done.stdout and "MPKI" in done.stdout, done.stderr
    rows = list(csv.DictReader(stream.open()))
    assert sum(row["class"] == "conflict" for row in rows) == 198
    assert rows[-1]["data"] == "pair" and rows[-1]["function"] == "main"
    mcpi("profile", "--run", str(run), "--ticks", str(ticks), "--sets", str(tmp_path / "s.svg"))
    mcpi("profile", "--run", str(run), "--ticks", str(packed))
    assert "<svg" in (tmp_path / "s.svg").read_text()
    import pandas
    import pyarrow

    log = (run / "ticks.csv").read_bytes()
    assert pyarrow.input_stream(str(packed), compression="zstd").read() == log
    table = pandas.read_parquet(ticks)
    assert len(table) == log.count(b"\n") - 1 and table["count"].sum() == profile(run).sum.total


def test_from_python(run):
    table = load(run).report("misses", place="pair").set_index("cache")
    assert table.conflict["d"] == 198 and list(table.columns[1:5]) == [
        "misses",
        *reports.CLASSES[:3],
    ]
    displaced = load(run).evicts("main", place="pair")
    assert displaced.blocks.sum() == 200 and set(displaced.cache) == {"d"}
    with pytest.raises(UserError, match="by is one of class, opcode"):
        load(run).report("mix", by="line")
    with pytest.raises(UserError, match="there are cpi, misses, mix, stream"):
        load(run).report("ticks")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--report", "cpii"], "Did you mean cpi"),
        (["--report", "mix", "--by", "line"], "class, opcode are known"),
        (["--report", "cpi", "--data"], "has no effect"),
        (["--evicts", "main", "--by", "line"], "has no effect"),
        (["--stream", "x.txt"], "ends with .csv or .parquet"),
        (["--ticks", "x.csv"], "ends with .csv.zst or .parquet"),
        (["--sets", "x.svg", "--set", "memory.ideal=on"], "memory.ideal = on: each block comes"),
        (["--stream", "x.csv", "--set", "memory.ideal=on", "--engine", "rtl"], "memory.ideal = on"),
        (["--report", "misses", "--machine", "dec3000-mp"], "a program on several cores has a"),
        (["--place", "pare"], "Did you mean pair"),
    ],
)
def test_what_is_refused(run, tmp_path, words, said):
    out = str(tmp_path / "out")
    assert said in refused("profile", PROGRAM, "--out", out, *words)


@pytest.mark.parametrize("engine_", sampled([EXACT, RTL], lambda engine_: engine_ == EXACT))
def test_recording_of_a_machine_with_tlbs(tmp_path, engine_):
    """Both engines leave the same files. Two refills are 32 instructions more than on the machine
    without TLBs, two loads of which one misses, and no memory is ideal."""
    machine = {"machine": "dec3000-tlb", "engine": engine_}
    spec = ProgramSpec((PROGRAM,), **machine, tick_log="client", recording=True)
    place = single_run.perform(spec, tmp_path / "run")[0]
    classes = {row["cache"]: row for row in reports.misses(profile(place, "pair")).sums}
    assert classes["d"]["conflict"] == 198 and not (place / "exact").exists()
    sums = reports.cpi(profile(place, "pair")).sums[0]
    assert sums["instructions"] == 603 + 32 and sums["load_misses"] == 200 + 1
    assert sums["ticks"] == 3376 and sums["icpi"] is None


def test_engine_rtl_has_the_misses_of_the_exact_engine(run, tmp_path):
    """Each file that a report reads, byte by byte. Mutant: ticks that differ are no recording."""
    spec = ProgramSpec((PROGRAM,), engine=RTL, tick_log="client", recording=True)
    place = single_run.perform(spec, tmp_path / "run")[0]
    for name in ("ticks.csv", "misses.0.csv", "ideal/ticks.csv", "calls.0.csv"):
        assert (place / name).read_bytes() == (run / name).read_bytes(), name
    (place / "ticks.csv").write_text("tick,count,owner,pc,events\n")
    with pytest.raises(RunError, match="An engine has a fault"):
        engine.add_misses(spec, spec.check(), place, Silent())


def test_a_stack_has_no_places():
    assert "only a program has several" in refused("profile", "--place", "pair")


def test_files_that_do_not_belong_together_are_refused(run, tmp_path):
    """Mutants: a recording that lacks a row, none; a stack has one path."""
    place = tmp_path / "run"
    shutil.copytree(run, place)
    rows = (run / "misses.0.csv").read_text().splitlines(keepends=True)
    (place / "misses.0.csv").write_text("".join(rows[:50] + rows[51:]))
    with pytest.raises(RunError, match="dcache.misses is 1352, but 1351 misses are recorded"):
        Recording(profile(place))
    (place / "misses.0.csv").unlink()
    with pytest.raises(UserError, match="recorded no misses. Leave --run out"):
        Recording(profile(place))
