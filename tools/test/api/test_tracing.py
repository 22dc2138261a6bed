# SPDX-License-Identifier: BSD-2-Clause
"""A part of a run, tick by tick: which part, the pipeline, and that nothing is lost in it."""

import csv
import dataclasses
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tools_support.command import mcpi
from tools_support.kanata import BadLog, read

from mcpi.analysis.attribution import Tick
from mcpi.api import tracing
from mcpi.base.errors import UserError
from mcpi.base.process import heard
from mcpi.build import models
from mcpi.engines.span import Prepared
from mcpi.export import konata, pipeline_drawing
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RTL, RunSpec
from mcpi.tracing import span_selection, text
from mcpi.tracing.pipeline import STAGES, Pipeline
from mcpi.tracing.span_selection import Span, Stamps, Wanted

A, B = 0x100, 0x200
SPEC = RunSpec(engine=EXACT, round_trips=2, warmup=2)


def row(first: int, owner: str, pc: int | None = None, events: str = "", count: int = 1) -> Tick:
    return Tick(first, count, owner, pc, tuple(events.split()))


def stages(*rows: Tick) -> list[str]:
    """By instruction a letter for each tick from the first of all on."""
    found = list(Pipeline(rows).passages())
    first = found[0].enters["F1"]
    letters = {"": "-"} | text.LETTERS
    ends = max(one.exit_tick for one in found)
    return ["".join(letters[p.stage(t)] for t in range(first, ends)).rstrip("-") for p in found]


def test_one_a_tick() -> None:
    assert stages(row(9, "issue", A), row(10, "issue", A + 4)) == ["12DEabW", "-12DEabW"]


def test_waits_in_d_hold_up_what_follows() -> None:
    """core.md, what costs what: a load's value is there 3 ticks after its issue."""
    found = stages(
        row(9, "issue", A), row(10, "load_use", count=2), row(12, "issue", A + 4),
        row(13, "issue", A + 8), row(14, "issue", A + 12),
    )  # fmt: skip
    # The third goes on to the spare entry, so the fourth comes to F2 while D still waits.
    assert found == ["12DEabW", "-12DDDEabW", "--1222DEabW", "---1222DEabW"]


def test_a_miss_waits_in_f2_and_a_branch_empties_what_is_before_d() -> None:
    found = stages(
        row(9, "issue", A), row(10, "i_demand", count=2), row(12, "refill_restart"),
        row(13, "issue", A + 4), row(14, "taken_bubble", count=6), row(20, "issue", B),
    )  # fmt: skip
    assert found == ["12DEabW", "-12222DEabW", "-----------12DEabW"]
    found = stages(
        row(9, "issue", A), row(10, "taken_bubble", count=4), row(14, "i_stream", count=3),
        row(17, "shift"), row(18, "issue", B),
    )  # fmt: skip
    assert found == ["12DEabW", "-----12222DDEabW"]


def test_ticks_belong_as_in_a_profile() -> None:
    rows = [
        row(1, "d_miss", count=2), row(3, "issue", A, "icache.accesses"),
        row(4, "taken_bubble", events="dcache.accesses", count=6), row(10, "i_demand", count=3),
        row(13, "issue", B), row(14, "shift"),
    ]  # fmt: skip
    pipeline = Pipeline(rows)
    first, second = pipeline.passages()
    assert pipeline.before == {"d_miss": 2} and first.waits == {"taken_bubble": 6}
    assert second.waits == {"i_demand": 3, "shift": 1}
    assert first.events["icache.accesses"] == 1 and first.events["dcache.accesses"] == 6
    assert pipeline.sum([first, second]) == pipeline.owners


def stamps(*rows: tuple[int, str]) -> Stamps:
    return Stamps(list(rows), 5)


PATH = stamps(
    (1, "window_open"), (2, "invocation"), (3, "window_close"), (10, "window_open"),
    (12, "window_close"), (15, "window_open"), (16, "invocation"), (20, "window_close"),
    (25, "event_100"), (30, "window_open"), (31, "event_100"), (33, "event_100"),
    (34, "invocation"), (40, "window_close"),
)  # fmt: skip


def test_an_invocation_ends_with_the_part_that_counts_it() -> None:
    assert PATH.invocations() == [(10, 20), (30, 40)]
    assert stamps((6, "window_open"), (8, "window_close")).invocations() == [(6, 8)]


def test_which_passage() -> None:
    def chosen(**wanted) -> Span:
        return span_selection.choose(Wanted(**wanted), PATH, "event_100", "client")

    assert (chosen().start, chosen(invocation=2).start, chosen(invocation=2).end) == (10, 30, 40)
    # A passage between two invocations belongs to the one before.
    assert chosen(around="f", width=4) == Span(23, 27, "f in invocation 1", 25)
    second = chosen(around="f", invocation=2, width=10)
    assert second.marked == 31 and "passage 1 of 2" in second.why
    with pytest.raises(UserError, match="has 2 measured invocations"):
        chosen(invocation=3)


TRIPS = Stamps([(6, "window_open"), (8, "window_close")], 5, (3, 20, 45))


def test_round_trips_are_those_that_are_measured() -> None:
    """A round trip begins where the one before ends, the first where the measurement begins."""

    def chosen(**wanted) -> Span:
        return span_selection.choose(Wanted(**wanted), TRIPS, "event_100", "client")

    assert TRIPS.round_trips() == [(5, 20), (20, 45)]
    assert chosen(round_trip=2) == Span(20, 45, "round trip 2")
    part = chosen(round_trip=2, ticks="+3:+1_0")
    assert (part.start, part.end) == (23, 30) and "+3:+1_0 of round trip 2" in part.why
    assert chosen(ticks="+1:+2").start == 7
    for wrong, said in (
        ({"round_trip": 3}, "the run has 2 round trips"),
        ({"round_trip": 2, "ticks": "+25:+26"}, "round trip 2 has 25 ticks"),
    ):
        with pytest.raises(UserError, match=said):
            chosen(**wrong)


def test_passed_elsewhere() -> None:
    only = stamps((6, "window_open"), (8, "window_close"), (9, "window_open"), (10, "x"),
                  (11, "window_close"))  # fmt: skip
    with pytest.raises(UserError, match=r"but in 2; --invocation 2"):
        span_selection.choose(Wanted("f"), only, "x", "client")
    with pytest.raises(UserError, match="never in this run"):
        span_selection.choose(Wanted("f"), only, "y", "client")
    with pytest.raises(UserError, match=r"at tick 2: --ticks"):
        early = stamps((2, "x"), (6, "window_open"), (8, "window_close"))
        span_selection.choose(Wanted("f"), early, "x", "client")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ticks", "7"], "A:B is wanted"),
        (["--ticks", "9:7"], "ends before it begins"),
        (["--ticks", "+9:+7"], "ends before it begins"),
        (["--ticks", "+7:9"], "A:B is wanted"),
        (["--ticks", "1:2", "--round-trip", "1"], "--round-trip has no effect"),
        (["--ticks", "1:2", "--invocation", "1"], r"\+A:\+B are counted from there"),
        (["--round-trip", "1", "--around", "f"], "--around has no effect with --round-trip"),
        (["--round-trip", "11"], "the run has 10 round trips"),
        (["examples/conflict.c", "--round-trip", "1"], "a program has none"),
        (["--ticks", "10_000_000_000:20_000_000_000"], "no run of this kind lasts"),
        (["--ticks", "1:2", "--around", "f"], "--around has no effect with --ticks"),
        (["--around", "f+0x41"], "65 is no multiple of 4"),
        (["--around", "+4"], "FUNCTION or FUNCTION\\+0x40 is wanted"),
        (["--invocation", "11"], "the run has 10 round trips"),
        (["--side", "clinet"], "Did you mean client?"),
        (["--width", "7"], "--width has no effect"),
        (["--measure", "main"], "--measure has no effect"),
        (["--konata", "no/where"], "its folder is not there"),
        (["."], "no finished run's folder"),
    ],
)
def test_refused_before_anything_is_built(words: list[str], said: str) -> None:
    done = mcpi("trace", *words)
    assert done.returncode == 2 and "Verilog" not in done.stderr
    assert re.search(said, done.stderr), done.stderr


@pytest.fixture(scope="module")
def invocation() -> Iterator[tracing.Trace]:
    """The second of two, so that it is not the first that is there."""
    with tracing.trace(SPEC, Wanted(invocation=2)) as found:
        yield found


def counters(found: tracing.Trace, node: int = 0) -> dict[str, int]:
    return json.loads((found.folder / "counters.json").read_text())["nodes"][node]["path"]


def test_the_sums_are_the_counters() -> None:
    """The run has one measured invocation, whose window has no pause."""
    spec = RunSpec(engine=EXACT, round_trips=1, warmup=2)
    for side, node in (("client", 0), ("server", 1)):
        with tracing.trace(spec, Wanted(), side) as found:
            pipeline = found.pipeline()
            passages = list(pipeline.passages())
            counted = counters(found, node)
            owners = {k.removeprefix("owner."): v for k, v in counted.items() if "owner." in k}
            assert counted["paused.ticks"] == 0
            assert pipeline.sum(passages) == Counter(owners) and len(passages) > 1000
            events = sum((one.events for one in passages), Counter())
            for name in ("icache.misses", "dcache.accesses", "taken_branches"):
                assert events[name] == counted[name], name


def test_the_span_is_the_window_s_log(invocation: tracing.Trace) -> None:
    """--tick-log says the same of the same ticks, row by row."""
    prepared = invocation.prepared
    again = Prepared(prepared.place, prepared.spec, prepared.machine, prepared.simulator)
    again.log(invocation.span.start, invocation.span.end, ["--tick-log", "0"], tracing.Silent())
    lines = (prepared.place / "ticks.csv").read_text().splitlines()
    span = (prepared.place / "span.0.csv").read_text().splitlines()
    assert "\n".join(span[1:]) in "\n".join(lines) and len(span) > 5000


def test_the_first_tick_of_the_span_and_the_one_after_its_last(invocation: tracing.Trace) -> None:
    for side in ("client", "server"):
        rows = list(invocation.ticks(side))
        assert rows[0].first == invocation.span.start
        assert rows[-1].first + rows[-1].count == invocation.span.end
        assert all(a.first + a.count == b.first for a, b in zip(rows, rows[1:]))


def test_accesses_are_of_instructions_that_access(invocation: tracing.Trace) -> None:
    code = invocation.code()
    issued = [row.pc for row in invocation.ticks("client") if row.pc is not None]
    with (invocation.folder / "accesses.0.csv").open() as stream:
        rows = [(int(r["issue"]), r["kind"]) for r in csv.DictReader(stream)]
    loads, stores = ("ld", "rc", "rs"), ("st",)
    assert len(rows) > 500
    for issue, kind in rows:
        word = code.text(issued[issue]).split()[0]
        assert word.startswith(stores if kind == "store" else loads), (word, kind)
    memory = {"ldq", "ldl", "stq", "stl", "ldq_u", "stq_u"}
    wanted = [n for n, pc in enumerate(issued) if not pc & 1 and code.text(pc).split()[0] in memory]
    assert set(wanted) <= {issue for issue, _ in rows}


def test_konata_reads_what_the_ticks_say(invocation: tracing.Trace, tmp_path: Path) -> None:
    file = tmp_path / "x.kanata"
    konata.write(invocation.pipeline(), invocation.code(), file)
    found = read(file.read_text())
    issued = [(row.first, row.pc) for row in invocation.ticks("client") if row.pc is not None]
    assert len(found) == len(issued)
    for one, (tick, pc) in zip(found, issued):
        assert one.stages["E1"] == tick + 1 and one.retired == tick + 5
        assert one.left.startswith(f"{pc & ~3:08x} ") and list(one.stages) == list(STAGES)


def test_the_drawing_has_every_tick_of_every_stage(invocation: tracing.Trace) -> None:
    rows, code = list(itertools.islice(invocation.pipeline().passages(), 60)), invocation.code()
    root = ElementTree.fromstring(pipeline_drawing.svg("title", rows, code))
    words = [one.text for one in root.iter(f"{{{pipeline_drawing.SVG}}}text")]
    assert "title" in words and all(code.name(one.pc) in words for one in rows)
    drawn: Counter = Counter()
    for box in root.iter(f"{{{pipeline_drawing.SVG}}}rect"):
        for title in box:
            stage = title.text.partition(",")[0]
            drawn[stage] += round((float(box.get("width")) + 1) / pipeline_drawing.TICK)
    wanted: Counter = Counter()
    for one in rows:
        wanted.update(one.stage(tick) for tick in range(one.enters["F1"], one.exit_tick))
    assert drawn == wanted and drawn["D"] > 60


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda s: s.replace("0004", "0003", 1), "version"),
        (lambda s: s.replace("R\t1\t1\t0\n", "", 1), "never retires"),
        (lambda s: s.replace("I\t1\t1\t0\n", "", 1), "before its I"),
        (lambda s: s.replace("C\t1\n", "C\t-1\n", 1), "backwards"),
        (lambda s: s.replace("S\t0\t0\tD", "S\t0\tD", 1), "columns"),
    ],
)
def test_a_log_that_is_none_is_seen(invocation: tracing.Trace, wrong, said: str) -> None:
    good = "\n".join(konata.lines(invocation.pipeline(), invocation.code())) + "\n"
    assert wrong(good) != good
    with pytest.raises(BadLog, match=said):
        read(wrong(good))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--span", "7"], "FROM:UNTIL is wanted"),
        (["--span", "9:9"], "ends before it begins"),
        (["--span", "x:9"], "a number is wanted"),
        (["--span", "1:9", "--fork-cold", "other"], "leave --fork-cold out"),
    ],
)
def test_the_simulator_refuses(words: list[str], said: str) -> None:
    given = ["--out", "x", "--machine", "m"]
    given += [w for n in (0, 1) for k in ("pal", "image") for w in ("--node", f"{n}:{k}=x")]
    done = heard([models.build("mcpi-exact"), "run", *given, *words])
    assert done.returncode == 2 and said in done.stderr, done.stderr


def test_ticks_beyond_the_end() -> None:
    with pytest.raises(UserError, match="the run lasts [0-9,]+ ticks"):
        with tracing.trace(SPEC, Wanted(ticks="40_000_000:40_000_001")):
            pass
    with pytest.raises(UserError, match="the run lasts [0-9,]+ ticks"):
        with tracing.trace(SPEC, Wanted(ticks="1_000_000:40_000_001")):
            pass


def test_a_run_on_boards_is_refused(tmp_path: Path) -> None:
    record = dataclasses.asdict(RunSpec(engine="board", ports=("a", "b")))
    (tmp_path / "spec.json").write_text(json.dumps(record))
    (tmp_path / "run.json").write_text('{"ticks": 5}')
    with pytest.raises(UserError, match="boards do not show"), tracing.trace(tmp_path, Wanted()):
        pass


def test_a_program_and_a_finished_run(tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text(
        "long v[64];\n__attribute__((noipa)) long sum(void)\n{\n\tlong s = 0;\n"
        "\tfor (int i = 0; i < 64; i++)\n\t\ts += v[i];\n\treturn s;\n}\n"
        "int main(void)\n{\n\treturn sum() + sum();\n}\n"
    )
    spec = ProgramSpec((str(tmp_path / "sum.c"),), measure=("sum",))
    with tracing.trace(spec, Wanted("sum", invocation=2, width=20)) as found:
        assert found.sides == ("client",)
        middle = [p for p in found.pipeline().passages() if p.issues == found.span.marked]
        assert found.code().name(middle[0].pc) == "sum+0x0"
    with pytest.raises(UserError, match="Did you mean sum"), tracing.trace(spec, Wanted("summ")):
        pass
    done = mcpi("exec", str(tmp_path / "sum.c"), "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    (tmp_path / "sum.c").unlink()  # the run has its image
    done = mcpi("trace", str(tmp_path / "run"), "--around", "sum", "--rows", "0")
    assert done.returncode == 0 and "► " in done.stdout, done.stderr
    with pytest.raises(UserError, match="no run of this kind lasts"):
        with tracing.trace(tmp_path / "run", Wanted(ticks="100_000_000:100_000_001")):
            pass


def test_of_a_copy_of_the_cloner() -> None:
    spec = RunSpec(engine=EXACT, variant="clo", round_trips=1, warmup=2)
    with tracing.trace(spec, Wanted("tcp_output+0x8", width=20)) as found:
        (one,) = [p for p in found.pipeline().passages() if p.issues == found.span.marked]
        assert found.code().name(one.pc) == "tcp_output'+0x8"


@pytest.mark.parametrize("settings", [{}, {"memory.ideal": "on"}], ids=["real", "ideal"])
def test_both_engines_write_the_same(settings: dict[str, str]) -> None:
    wanted = Wanted("lance_push", width=60_000)
    names = [f"{kind}.{node}.csv" for kind in ("span", "accesses") for node in (0, 1)]
    files = []
    for engine in (EXACT, RTL):
        spec = RunSpec(engine=engine, settings=settings, round_trips=1, warmup=2)
        with tracing.trace(spec, wanted) as found:
            files.append([(found.folder / name).read_text() for name in names])
    for name, exact, rtl in zip(names, *files, strict=True):
        assert exact == rtl and exact.count("\n") > 100, name
