# SPDX-License-Identifier: BSD-2-Clause
"""Every tick of a round trip has one owner: the record of both engines against a second program,
which gives each tick its owner from the trace of every tick (``tools_support/tick_owners.py``)."""

import csv
import dataclasses
import shutil
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from tools_support import tick_owners

from mcpi.base.progress import Silent
from mcpi.engines import span
from mcpi.results import measure, round_trip_owners, types
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

TRIPS = 2
SPEC = RunSpec(engine=EXACT, round_trips=TRIPS, warmup=2)
CASES = [(EXACT, stack, variant) for stack in ("tcp", "rpc") for variant in ("std", "all")]
CASES += [pytest.param(RTL, stack, "std", marks=pytest.mark.slow) for stack in ("tcp", "rpc")]


def logged(spec: RunSpec, place: Path) -> Path:
    """A run with every tick of its measured round trips."""
    run = span.prepare(spec, span.judged(spec), place, Silent())
    assert not run.look(0, [], Silent())
    marks = measure.events(place / "events.csv")
    start, end = (
        next(event.tick for event in marks if event.number == number)
        for number in (measure.MEASURE_START, measure.MEASURE_END)
    )
    assert not run.log(start, end + 1, ["--spells"], Silent())
    return place


def line(folder: Path) -> dict | None:
    return round_trip_owners.of(folder, measure.measured(folder / "events.csv"))


def owned(found: dict) -> Counter[str]:
    return sum((Counter(owners) for owners in found["legs"].values()), Counter())


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    return logged(SPEC, tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def ticks(run) -> Counter[str]:
    """Owners of the run by the second program."""
    return tick_owners.owners(run, span.judged(SPEC).parameters)[1]


@pytest.mark.parametrize(("engine", "stack", "variant"), CASES)
def test_a_second_program_gives_each_tick_the_same_owner(engine, stack, variant, tmp_path):
    spec = RunSpec(engine=engine, stack=stack, variant=variant, round_trips=TRIPS, warmup=2)
    folder = logged(spec, tmp_path)
    trips, ticks = tick_owners.owners(folder, span.judged(spec).parameters)
    found = line(folder)
    assert found["round_trips"] == trips == TRIPS
    assert owned(found) == ticks
    assert sum(ticks.values()) == found["ticks"]
    msgspec.convert(found, types.TimeLine)


def test_a_time_line_has_no_gap(run):
    window = measure.measured(run / "events.csv")
    trips, lines = measure.round_trips(window), round_trip_owners.time_lines(run, window)
    for (start, end), legs in zip(trips, lines, strict=True):
        now = start
        for stretch in (one for _, stretches in legs for one in stretches):
            assert stretch.start == now
            assert sum(stretch.owners.values()) == stretch.end - stretch.start
            now = stretch.end
        assert now == end


def test_the_legs_are_those_of_the_breakdown(run):
    window = measure.measured(run / "events.csv")
    parts = list(measure.breakdown(window, 175).values())
    legs = [sum(owners.values()) / TRIPS / 175 for owners in line(run)["legs"].values()]
    assert legs == pytest.approx(parts, abs=1e-6)


def test_busy_and_idle_are_the_ticks_until_the_next_handler(run):
    meanwhile = line(run)["meanwhile"]
    chains = list(measure.exchanges(measure.measured(run / "events.csv")))
    client = tick_owners.Trace(run, tick_owners.CLIENT)
    waits = [(chain[1], chain[4]) for chain in chains]
    idle = sum(client.owner[tick] == "idle" for low, high in waits for tick in range(low, high))
    assert meanwhile["client"]["idle"] == idle
    handed = line(run)["legs"]["request"][round_trip_owners.HAND_OVER]
    assert meanwhile["client"]["busy"] == sum(b - a for a, b in waits) - idle - handed
    assert (meanwhile["client"]["times"], meanwhile["server"]["times"]) == (TRIPS, TRIPS - 1)


# A step of a controller that is logged a tick late: its kind, its column.
LATE = [
    ("demand", "from"),
    ("read_word", "from"),
    ("read_word", "moved"),
    ("read_burst", "from"),
    ("read_burst", "moves"),
    ("read_burst", "until"),
    ("write_burst", "until"),
    ("write_word", "from"),
    ("write_word", "until"),
    ("interrupt", "from"),
]


@pytest.mark.parametrize(("kind", "column"), LATE)
def test_an_owner_that_moves_by_a_tick_is_seen(kind, column, run, ticks, tmp_path):
    shutil.copytree(run, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.glob("lance.*.csv"):
        with path.open(newline="") as stream:
            rows = list(csv.DictReader(stream))
        for row in rows:
            if row["step"] == kind:
                row[column] = str(int(row[column]) + 1)
        with path.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    assert owned(line(tmp_path)) != ticks


def _twice(step, side, now, end):
    """Bus and controller own the same ticks."""
    yield from RULES["_ownership"](step, side, now, end)
    yield round_trip_owners._one(step.owner, side, step.moves, step.moved)


def _shorter(step, side, now, end):
    """The last tick of an ownership has no owner."""
    return RULES["_ownership"](dataclasses.replace(step, end=step.end - 1), side, now, end)


def _while_the_wire_carries(node, side, start, end):
    """Bursts own ticks of the wire, too."""
    return RULES["receiving"](node, side, start - 2000, end)


def _one_too_many(owner, side, start, end):
    """The tick of the event at the end counts, too."""
    return round_trip_owners.Stretch(start, end, side, {owner: end - start + 1})


RULES = {name: getattr(round_trip_owners, name) for name in ("_ownership", "receiving")}
FAULTS = [
    ("_ownership", _twice),
    ("_ownership", _shorter),
    ("receiving", _while_the_wire_carries),
    ("_one", _one_too_many),
]


@pytest.mark.parametrize(("rule", "fault"), FAULTS)
def test_a_record_is_refused_unless_its_owners_sum_to_the_ticks(rule, fault, run, monkeypatch):
    msgspec.convert(line(run), types.TimeLine)
    monkeypatch.setattr(round_trip_owners, rule, fault)
    with pytest.raises(msgspec.ValidationError, match="do not sum to its ticks"):
        msgspec.convert(line(run), types.TimeLine)


def test_a_round_trip_of_several_frames_has_no_time_line(run, tmp_path):
    shutil.copytree(run, tmp_path, dirs_exist_ok=True)
    stamps = tmp_path / "stamps.csv"
    lines = stamps.read_text().splitlines()
    twice = [one for one in lines for _ in range(1 + one.endswith("0,tx_first_bit"))]
    stamps.write_text("\n".join(twice) + "\n")
    assert line(tmp_path) is None
    assert round_trip_owners.together([line(run), None]) is None


def test_samples_are_added(run):
    both = round_trip_owners.together([line(run), line(run)])
    assert both["ticks"] == 2 * line(run)["ticks"]
    assert owned(both) == owned(line(run)) + owned(line(run))
