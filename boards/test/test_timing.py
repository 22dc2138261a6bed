# SPDX-License-Identifier: BSD-2-Clause
"""Timing with a tick's two clocks: each rule by hand, and all of them against what small random
designs do in time (docs/explanation/timing.md)."""

import gzip
import random

import pytest
import timing_cases as cases
from routed_design import TOP, Design
from timing_cases import CASES, SLOW, started

from mcpi.base.errors import RunError
from mcpi.fpga.timing import netlist as netlist_values
from mcpi.fpga.timing import sdf, sta, stable_registers
from mcpi.fpga.timing.netlist import Netlist, Values
from mcpi.fpga.timing.routed import RoutedCells
from mcpi.fpga.timing.sta import Class, analyse
from mcpi.fpga.timing.stable_registers import Moves, Port, Quiet


def timing_of(design: Design, place):
    return analyse(*design.write(place), TOP)


def paced_ns(case, place) -> float:
    design = started()
    case(design)
    return 1000 / timing_of(design, place).paced_mhz


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_rule(case, tmp_path):
    ns, unmapped = CASES[case]
    design = started()
    case(design)
    found = timing_of(design, tmp_path)
    assert 1000 / found.one_clock_mhz == pytest.approx(10)
    assert 1000 / found.paced_mhz == pytest.approx(ns)
    assert found.counts["unmapped"] == unmapped


def _begins(moves: Moves, like: Moves):
    """A mistake: what moves so begins what another does."""
    return sta, "_BEGINS", lambda rule: rule | {moves: rule[like]}


def _allows(change):
    """A mistake: other clocks at a pin."""
    return (sta, "_allowed", lambda rule: lambda port, pin: change(dict(rule(port, pin)), port))


def _without_quiet(clocks, port, of=lambda port: True):
    return {k: v for k, v in clocks.items() if k != Class.QUIET or not of(port)}


def _passes(change):
    return RoutedCells, "passes", lambda rule: lambda *a: change(rule, *a)


def _of_beats_that_hold(rule):
    def port(self, name, clock):
        beats, self.beats = self.beats, set()
        found = rule(self, name, clock)
        self.beats = beats
        return found

    return port


def _cancelling(rule):
    def evaluate(self, wire, cell):
        if cell.kind != "LUT4":
            return rule(self, wire, cell)
        inputs = [self._known.get(cell.pins.get(pin, "x"), "x") for pin in "ABCD"]
        outs = {
            out
            for index, out in self._cases(cell)
            if all(index >> i & 1 == index >> inputs.index(w) & 1 for i, w in enumerate(inputs))
        }
        return str(outs.pop()) if len(outs) == 1 else rule(self, wire, cell)

    return evaluate


# Each mistake: the case that sees it; what is changed, and to what.
MISTAKES = {
    "a register that holds has two clocks": (
        cases.held_by_its_own_way_back,
        *_allows(lambda clocks, port: _without_quiet(clocks, port, lambda port: port.held)),
    ),
    "all pins are idle": (cases.held_to_free, *_allows(_without_quiet)),
    "no pin is idle": (cases.held_to_held, *_allows(lambda clocks, _: clocks | {Class.QUIET: 1})),
    "nothing passes": (cases.held_to_free, *_passes(lambda *_: False)),
    "everything passes": (cases.held_to_free_in_a_beat, *_passes(lambda *_: True)),
    "unknown cells pass nothing": (
        cases.unknown_lut,
        *_passes(lambda rule, self, cell, *a: cell not in self.unmapped and rule(self, cell, *a)),
    ),
    "wires are not looked at": (
        cases.lut_with_other_wires,
        RoutedCells,
        "_wire",
        lambda _: lambda *_: None,
    ),
    "any register is held": (cases.free_to_held, *_begins(Moves.ANY, Moves.HELD)),
    "early is any": (cases.early_to_held, *_begins(Moves.EARLY, Moves.ANY)),
    "early is nothing in a quiet clock": (
        cases.early_in_a_quiet_clock,
        sta,
        "_BEGINS",
        lambda rule: rule | {Moves.EARLY: (Class.HELD,)},
    ),
    "static is any": (cases.parameter, *_begins(Moves.STATIC, Moves.ANY)),
    "an unknown register is held": (
        cases.unknown_register,
        stable_registers,
        "UNKNOWN",
        lambda _: Port(Moves.HELD, True, frozenset()),
    ),
    "a beat holds": (cases.beat_behind_a_beat, Quiet, "port", _of_beats_that_hold),
    "resets are not looked at": (
        cases.reset_at_any_time,
        Quiet,
        "_is",
        lambda rule: lambda *a: a[2] == "LSR" or rule(*a),
    ),
    "nothing is inverted": (
        cases.held_to_two_inverted,
        netlist_values.Cell,
        "setting",
        lambda rule: lambda *a: rule(*a).replace("INV", ""),
    ),
    "what stays 1 stays": (
        cases.set_at_any_time,
        Quiet,
        "_next",
        lambda rule: lambda self, cell, has: has if has == "0" else rule(self, cell, has),
    ),
    "every input is waited for": (
        cases.select_of_the_same,
        Values,
        "_enough",
        lambda rule: lambda self, cell, pins, some: not some and rule(self, cell, pins, some),
    ),
    "one of the same is enough": (
        cases.three_of_the_same,
        Values,
        "_enough",
        lambda _: lambda self, cell, pins, some: len(pins) == 4 or len(some) == len(pins),
    ),
    "no register is a copy": (
        cases.copy_of_a_register,
        Quiet,
        "_copies",
        lambda _: lambda *_: False,
    ),
    "whatever follows a register in a quiet clock is its copy": (
        cases.copy_of_other_data,
        Quiet,
        "_copies",
        lambda _: (
            lambda self, cell: (
                "Q" in self.netlist.drivers.get(self.values.value(stable_registers._data(cell)), ())
            )
        ),
    ),
    "no reset holds": (
        cases.held_by_its_reset,
        Quiet,
        "_next",
        lambda rule: (
            lambda self, cell, has: cell.pins.get("LSR", "0") == "0" and rule(self, cell, has)
        ),
    ),
    "enables alone hold": (
        cases.held_by_its_own_way_back_as_a_source,
        stable_registers,
        "_data",
        lambda _: lambda cell: "x",
    ),
    "what cancels is constant": (cases.two_ways_that_cancel, Values, "_evaluate", _cancelling),
    "the other arm": (
        cases.one_of_two_arms,
        netlist_values,
        "MULTIPLEXERS",
        lambda rule: {kind: (select, none, one) for kind, (select, one, none) in rule.items()},
    ),
    "what a port reads is never looked at": (
        cases.ram_that_also_reads,
        Quiet,
        "_reads",
        lambda _: lambda *_: False,
    ),
    "every memory has byte enables": (
        cases.ram_byte_enable_is_no_address,
        stable_registers,
        "_byte_enables",
        lambda _: lambda *_: frozenset(("ADA0",)),
    ),
    "no memory has byte enables": (
        cases.ram_by_byte_enables,
        stable_registers,
        "_byte_enables",
        lambda _: lambda *_: frozenset(),
    ),
    "quiet values are not known": (
        cases.reset_that_is_gone,
        stable_registers,
        "QUIET",
        lambda _: {},
    ),
}


def make(mistake: str, monkeypatch) -> None:
    _, where, what, change = MISTAKES[mistake]
    monkeypatch.setattr(where, what, change(getattr(where, what)))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_seen(mistake, monkeypatch, tmp_path):
    case, *_ = MISTAKES[mistake]
    make(mistake, monkeypatch)
    assert paced_ns(case, tmp_path) != pytest.approx(CASES[case][0])


def any_design(random: random.Random) -> Design:
    """Some registers of each sort, some LUTs and a PFUMX; two beats that are never adjacent."""
    design, wires = Design(), ["first", "second", *(f"r{i}" for i in range(6))]

    def ps(count: int) -> list[int]:
        return [random.randrange(100, 3000) for _ in range(count)]

    def lut(name: str, function, *inputs: str) -> str:
        return design.lut(name, function, *inputs, ps=ps(len(inputs)))

    def mixed(name: str) -> str:
        table, count = random.getrandbits(16), random.randrange(1, 5)
        inputs = random.sample(wires, count)
        return lut(name, lambda *a: table >> sum(x << i for i, x in enumerate(a)) & 1, *inputs)

    for i in range(random.randrange(3, 9)):
        wires.append(mixed(f"l{i}"))
    select = lut("select", lambda b, a: b & a, random.choice(wires[:2]), random.choice(wires))
    wires.append(design.mux("mux", select, mixed("one"), mixed("none"), tuple(ps(2))))
    often, now = random.getrandbits(1), random.choice(wires)
    beat = lut("next", lambda a, b, x: not (a | b) and (x | often), "first", "second", now)
    design.beat("first", beat)
    later = random.choice(wires)
    design.beat("second", lut("then", lambda a, b, x: not (a | b) and x, "first", "second", later))
    for i in range(6):
        name, tick, data = f"r{i}", random.choice(wires[:2]), random.choice(wires)
        delays = tuple(ps(3))
        kind = random.randrange(5)
        if kind == 0:
            design.register(name, data, ps=delays)
        elif kind == 1:
            design.register(name, data, enable=tick, ps=delays)
        else:
            gate = lut(f"gate{i}", lambda b, a: b & a, tick, random.choice(wires))
            if kind == 2:
                back = (*ps(2), random.choice((1, 4)) * ps(1)[0])
                own = f"own{i}"
                design.lut(own, lambda g, a, q: a if g else q, gate, data, name, ps=back)
                design.register(name, own, ps=delays)
            else:
                when = random.choice((tick, random.choice(wires)))
                reset = lut(f"reset{i}", lambda b, a: b & a, when, random.choice(wires))
                reset = reset if kind == 3 else "0"
                design.register(name, data, enable=gate, reset=reset, ps=delays)
    return design


def differs(design: Design, period: float, random: random.Random) -> bool:
    """Whether with this period, ps, it does not do what it does with all the time it wants."""
    first = {name: random.getrandbits(1) for name in design.registers}
    first |= {"first": 0, "second": 0}
    return design.run(period, first, 24) != design.run(None, first, 24)


def fails(seed: int, place, faster: float = 1) -> tuple[bool, bool]:
    """Whether a small design fails at the clock that the rules allow it, made faster by that; and
    whether they allow it more than one clock for each path would."""
    chance = random.Random(seed)
    design = any_design(chance)
    found = timing_of(design, place)
    period = 1e6 / found.paced_mhz / faster + 0.01
    failed = any(differs(design, period, chance) for _ in range(3))
    return failed, found.paced_mhz > 1.05 * found.one_clock_mhz


DESIGNS = 200


def test_any_design_does_in_time_what_it_should(tmp_path):
    """At the clock that the rules allow, small designs do what they do at leisure; made half as
    fast again, half of them (107) do not. The rules allow 47 more than nextpnr would."""
    found = [fails(seed, tmp_path) for seed in range(DESIGNS)]
    assert [seed for seed, (failed, _) in enumerate(found) if failed] == []
    gained = sum(gains for _, gains in found)
    faster = sum(fails(seed, tmp_path, 1.5)[0] for seed in range(DESIGNS))
    assert (faster, gained) == (107, 47)


@pytest.mark.parametrize(
    "mistake",
    [
        "a register that holds has two clocks",
        "all pins are idle",
        "nothing passes",
        "any register is held",
        "the other arm",
    ],
)
def test_mistake_fails_in_time(mistake, monkeypatch, tmp_path):
    make(mistake, monkeypatch)
    assert any(fails(seed, tmp_path)[0] for seed in range(DESIGNS))


def test_l6mux_by_what_drives_it():
    """Two PFUMX, their hosts on the multiplexer's inputs the other way round."""
    luts = {name: ("LUT4", {"A": 10 + i, "Z": 20 + i}) for i, name in enumerate("abcd")}
    cells = luts | {
        "low": ("PFUMX", {"C0": 30, "BLUT": 20, "ALUT": 21, "Z": 31}),
        "high": ("PFUMX", {"C0": 30, "BLUT": 22, "ALUT": 23, "Z": 32}),
        "both": ("L6MUX21", {"SD": 40, "D0": 31, "D1": 32, "Z": 33}),
        "beat": ("Ready", {"io_is": 40}),
    }
    top = {
        name: {
            "type": kind,
            "parameters": {"INIT": "1" * 8 + "0" * 8 if kind == "LUT4" else ""},
            "connections": {pin: [wire] for pin, wire in pins.items()},
        }
        for name, (kind, pins) in cells.items()
    }
    ready = {"ports": {"io_is": {"bits": [2]}}, "cells": {}}
    standing = Quiet(Netlist({"modules": {"T": {"cells": top}, "Ready": ready}}, "T"))
    hosts = {"a": ("F1", "M"), "c": ("F1", "M"), "b": ("FXA", "FXB", "M")}
    delays = sdf.Delays(
        kinds=dict.fromkeys("abcd", "TRELLIS_COMB"),
        wires={
            ("a", "F1"): (("b", "F"), 0),
            ("c", "F1"): (("d", "F"), 0),
            ("b", "FXA"): (("c", "OFX"), 0),
            ("b", "FXB"): (("a", "OFX"), 0),
        },
        arcs={name: [(pin, "OFX", 1) for pin in pins] for name, pins in hosts.items()},
    )
    found = RoutedCells(delays, standing)
    assert not found.unmapped
    assert [found.passes("b", pin, "OFX") for pin in ("FXA", "FXB", "M")] == [False, True, False]
    delays.wires["b", "FXB"] = ("d", "F"), 0
    assert RoutedCells(delays, standing).unmapped == {"b"}


def test_other_clocks_and_edges(tmp_path):
    """Neither a register of another clock nor one at the falling edge begins or ends a path."""
    design = started()
    cases.held_to_held(design)
    design.register("other", design.lut("far", lambda a: a, "h", ps=99000))
    delays, netlist = design.write(tmp_path)
    text = delays.read_text()
    delays.write_text(text.replace("pll/clock other/CLK", "pll/second other/CLK"))
    assert 1000 / analyse(delays, netlist, TOP).one_clock_mhz == pytest.approx(10)
    head, tail = text.split("(INSTANCE other)")
    delays.write_text(head + "(INSTANCE other)" + tail.replace("posedge CLK", "negedge CLK"))
    assert 1000 / analyse(delays, netlist, TOP).one_clock_mhz == pytest.approx(10)
    delays.write_text(text)
    assert 1000 / analyse(delays, netlist, TOP).one_clock_mhz == pytest.approx(99)


def test_a_loop_of_logic_ends(tmp_path):
    design = started()
    design.lut("left", lambda a, b: a & b, "right", "h")
    design.lut("right", lambda a: not a, "left")
    design.register("e", "right")
    assert 1000 / timing_of(design, tmp_path).one_clock_mhz == pytest.approx(2)


def test_what_it_says(tmp_path):
    design = started()
    for i in range(3):
        design.lut(f"slow{i}", lambda a: not a, "h", ps=SLOW + 1000 * i)
        design.register(f"e_{i}_TRELLIS_FF_Q_7", f"slow{i}", enable="beat", ps=(500, 0, 0))
    found = analyse(*design.write(tmp_path), TOP, above_ns=5.5)
    path = found.path
    assert (path.start, path.end, path.clocks, path.levels) == ("h", "e_2", 2, 1)
    assert (path.logic_ns, path.wire_ns) == (12, 0.5)
    assert [(g.start, g.end, g.ends, g.ns, g.clocks) for g in found.groups] == [
        ("h", "e_#", 2, 6.25, 2)
    ]
    assert found.counts == {
        "registers": 6,
        "held": 4,
        "static": 0,
        "early": 0,
        "beats": 1,
        "unmapped": 0,
    }


def test_sdf(tmp_path):
    """Names that nextpnr escapes, the slower of two edges, negative figures; packed or not."""
    text = r"""(DELAYFILE
  (CELL
    (CELLTYPE "top")
    (INSTANCE )
    (DELAY
      (ABSOLUTE
        (INTERCONNECT a\$b\[3\]/Q c\/d/DI (1:2:3) (2:3:4))
        (INTERCONNECT pin c\/d/CLK (0:0:0) (0:0:0))
      )))
  (CELL
    (CELLTYPE "TRELLIS_FF")
    (INSTANCE c\/d)
    (DELAY
      (ABSOLUTE
        (IOPATH CLK Q (430:477:525) (430:477:520))
      )
    )
    (TIMINGCHECK
      (SETUPHOLD (posedge DI) (negedge CLK) (-9:-8:-7) (267:285:303))
      (SETUPHOLD (negedge DI) (negedge CLK) (-9:-8:-7) (267:285:303))
    )
  )
)
"""
    plain, packed = tmp_path / "a.sdf", tmp_path / "a.sdf.gz"
    plain.write_text(text)
    with gzip.open(packed, "wt") as file:
        file.write(text)
    found = sdf.read(plain)
    assert found == sdf.read(packed)
    assert found.kinds == {"": "top", "c/d": "TRELLIS_FF"}
    assert found.wires == {("c/d", "DI"): (("a$b[3]", "Q"), 4), ("c/d", "CLK"): (("", "pin"), 0)}
    assert found.arcs == {"c/d": [("CLK", "Q", 525)]}
    assert found.checks == {"c/d": [sdf.Check("DI", "negedge", "CLK", -7)]}
    plain.write_text(text.replace("(430:477:525)", "(430::525)"))
    with pytest.raises(RunError, match="a.sdf:15: a delay of an unknown form: .IOPATH CLK Q"):
        sdf.read(plain)
    plain.write_text("(DELAYFILE )")
    with pytest.raises(RunError, match="there is no delay in it"):
        sdf.read(plain)


def test_refuses(tmp_path):
    design = started()
    with pytest.raises(RunError, match="not to be trusted: .* it is 500.00 MHz, .* says 499.97"):
        sta.check(timing_of(_with_two_ns(design), tmp_path), 499.97)
    sta.check(timing_of(design, tmp_path), 500.01)
    design.marks["beat"] = {"mcpi_quiet_1": "1"}
    with pytest.raises(RunError, match="is 0 and 1 at once"):
        timing_of(design, tmp_path)
    alone = Design()
    alone.register("free", alone.lut("not_free", lambda q: not q, "free"))
    with pytest.raises(RunError, match="no beat"):
        timing_of(alone, tmp_path)


def _with_two_ns(design: Design) -> Design:
    design.register("e", design.lut("two", lambda a: a, "free", ps=2000))
    return design
