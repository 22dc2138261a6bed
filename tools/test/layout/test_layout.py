# SPDX-License-Identifier: BSD-2-Clause
"""./mcpi layout: replay against counts by hand, positions, the page, orders that are up to date."""

import re
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from mcpi.base.drawing import SVG
from mcpi.base.errors import UserError
from mcpi.cli import main
from mcpi.engines import trace
from mcpi.firmware import recipes
from mcpi.firmware.clone import path_order, recipe
from mcpi.firmware.clone.program import Function, Program
from mcpi.layout import cache_map, draw, micro_position, page, replay, symbols
from mcpi.layout.symbols import DATA, Span, Traced

BLOCK, ICACHE, BCACHE = 32, 256, 1024  # eight sets, and 32


def traced(*steps: tuple[int, int | None]) -> Traced:
    """Functions a, b, … of 64 bytes at 0x100000, 0x100100, …, in one I-cache set after another."""
    spans = [Span(0x100000 + 0x100 * i, 0x100040 + 0x100 * i, name) for i, name in enumerate("abc")]
    one = [path_order.Step(pc, "load" if address else "", address) for pc, address in steps]
    return Traced("test", spans, [one], "by hand", frozenset("a"))


def test_replay_counts_who_drives_out_whom():
    """a and b share sets 0 and 1; c's two blocks too, but only its second is executed."""
    t = traced((0x100000, None), (0x100020, None), (0x100100, None), (0x100220, None))
    icache, bcache = replay.replay(t, ICACHE, BCACHE, BLOCK)
    assert icache.misses == 4
    assert icache.by_set == {0: 2, 1: 2}
    assert icache.pairs == {("a", "b"): 1, ("b", "a"): 1, ("a", "c"): 1, ("c", "a"): 1}
    assert bcache.misses == 0


def test_replay_of_the_bcache_knows_data_and_leaves_out_devices():
    data, device = 0x100000 + BCACHE, 0x1_E000_0000
    t = traced((0x100000, data), (0x100100, device))
    _, bcache = replay.replay(t, ICACHE, BCACHE, BLOCK)
    assert bcache.pairs == {("a", DATA): 1, (DATA, "a"): 1}


def test_of_several_ways_the_block_used_longest_ago_is_driven_out():
    """Four sets of two: a, b and c meet in set 0, and a is used again before c comes."""
    t = traced(*((0x100000 + at, None) for at in (0, 0x100, 0, 0x200, 0x100)))
    icache, _ = replay.replay(t, ICACHE, BCACHE, BLOCK, ways=2)
    assert icache.by_set == {0: 3}
    assert icache.pairs == {("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1}
    assert replay.replay(t, ICACHE, BCACHE, BLOCK)[0].misses == 5 > icache.misses == 3
    assert replay.replay(t, ICACHE, BCACHE, BLOCK, ways=4)[0].misses == 0


def test_micro_positions_keep_apart_what_alternates():
    calls = [(0x100000, None), (0x100100, None)] * 5 + [(0x100200, None)]
    found = micro_position.positions(traced(*calls), {"a": 128, "b": 128, "c": 128}, ICACHE, BLOCK)
    at = {n: {(p + i) % ICACHE // BLOCK for i in range(0, 128, 4)} for n, p in found.items()}
    assert not at["a"] & at["b"]


def test_the_page_is_complete():
    t = traced((0x100000, 0x100400), (0x100100, None), (0x100220, None))
    g = cache_map.Geometry(ICACHE, BCACHE, BLOCK)
    pair = [(t, *replay.replay(t, ICACHE, BCACHE, BLOCK))] * 2
    text = page.page("tcp", pair, g, "./mcpi layout map a b")
    drawings = re.findall(r"<svg.*?</svg>", text, re.S)
    assert len(drawings) == 4
    for drawing in drawings:
        ElementTree.fromstring(drawing)
    shown = set(re.findall(r'data-f="(\w+)"', text))
    assert {"a", "b", "c"} <= shown
    assert text.count('class="clash"') == 2, "one set that code and data want, in each b-cache map"
    assert not re.search(r'(src|href)="(?!#)', text), "it needs no other file"
    assert page.page("tcp", pair, g, "./mcpi layout map a b") == text


def test_a_map_shows_each_block_in_its_row_and_set():
    """a in sets 0 and 1, c's second block in set 1; c's first is there and was not executed."""
    t = traced((0x100000, None), (0x100020, None), (0x100220, None))
    g = cache_map.Geometry(ICACHE, BCACHE, BLOCK)
    made = cache_map.code(t, replay.replay(t, ICACHE, BCACHE, BLOCK)[0], g)
    assert made.rows == ["100000", "100200"] and made.misses == [(1, 2)]
    assert made.spans == [
        (0, 0, 2, "gap", "a", "a, not executed"),
        (0, 0, 2, "code", "a", "a 100000, set 0"),
        (1, 0, 2, "gap", "c", "c, not executed"),
        (1, 1, 1, "code", "c", "c 100220, set 1"),
    ]
    drawing = ElementTree.fromstring(draw.draw(made, cache_map.colours(["a", "c"])))
    paths = [p for p in drawing.iter(f"{{{SVG}}}path") if len(p)]
    said = {p[0].text: [float(x) for x in re.findall(r"[ML] ([\d.]+)", p.get("d"))] for p in paths}
    assert set(said) == {s[5] for s in made.spans} | {"set 1: 2.0 misses an invocation"}
    a, c = (said[name] for name in ("a 100000, set 0", "c 100220, set 1"))
    assert (min(c) - min(a), max(c) - min(c)) == (draw.CELL, draw.CELL)


def test_a_map_has_a_row_for_each_way():
    t = traced((0x100000, None), (0x100100, None), (0x1000A0, None))
    g = cache_map.Geometry(ICACHE, BCACHE, BLOCK, ways=2)
    made = cache_map.code(t, replay.replay(t, ICACHE, BCACHE, BLOCK, 2)[0], g)
    assert (g.sets, made.sets, made.rows) == (4, 4, ["100000", "100080", "100100"])
    code = [(row, at) for row, at, _, kind, *_ in made.spans if kind == "code"]
    assert code == [(0, 0), (1, 1), (2, 0)]
    pair = [(t, *replay.replay(t, ICACHE, BCACHE, BLOCK, 2))] * 2
    text = page.page("tcp", pair, g, "")
    assert "a row is 128 bytes" in text and "only 2 blocks of a column" in text


def test_traces_must_have_invocations_alike(tmp_path):
    rows = ["window,invocation,pc,kind,address", "1,0,100,,", "1,1,104,,", "2,1,100,,"]
    (tmp_path / "trace.csv").write_text("\n".join(rows))
    with pytest.raises(UserError, match="invocations"):
        path_order.usual(tmp_path / "trace.csv")


def test_an_invocation_ends_with_the_window_that_counts_it(tmp_path):
    """Invocations have two windows each, as RPC's have."""
    rows = ["window,invocation,pc,kind,address"]
    for n in range(4):
        rows += [f"{2 * n + 1},{n},100,,", f"{2 * n + 2},{n},200,load,300"]
        rows += [f"{2 * n + 2},{n + 1},204,,"]
    (tmp_path / "trace.csv").write_text("\n".join(rows))
    found = path_order.invocations(tmp_path / "trace.csv")
    assert [[s.pc for s in one] for one in found] == [[0x100, 0x200, 0x204]] * 4
    assert found[0][1] == path_order.Step(0x200, "load", 0x300)
    assert path_order.usual(tmp_path / "trace.csv", 2) == found[-2:]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["map", "out"], "two variants"),
        (["map", "out", "clo", "--out", "/nowhere/x.html"], "/nowhere/x.html"),
        (["order", "--variant", "clo"], "it clones; trace the variant"),
        (["order", "--variant", "nobody"], "no variant 'nobody'"),
        (["micro", "--variant", "out"], "it does not clone"),
    ],
)
def test_slips_are_explained(words, said):
    done = CliRunner().invoke(main.app, ["layout", *words])
    assert isinstance(done.exception, UserError) and said in str(done.exception)


@pytest.mark.parametrize(
    ("icache", "library"), [(512, {"a", "b", "d"}), (256, {"a", "d"}), (128, {"d"}), (32, set())]
)
def test_the_library_has_half_of_the_icache_at_most(icache, library):
    """a, of 96 bytes, and b, of 128, are called twice, d, of 32, three times; c once."""
    sizes = {"a": 96, "b": 128, "c": 32, "d": 32}
    starts = {
        0x1000 * n: Function(name, 0x1000 * n, 0x1000 * n + size, 0x1000 * n + size, None)
        for n, (name, size) in enumerate(sizes.items(), 1)
    }
    program = SimpleNamespace(starts=starts, function_at=lambda pc: starts[pc & ~0xFFF])
    steps = [path_order.Step(0x1000 * (1 + "abcd".index(f)), "", None) for f in "abdcdabd"]
    rows = path_order.order(program, steps, icache)
    assert [row["function"] for row in rows] == ["a", "b", "d", "c"]
    assert {row["function"] for row in rows if row["class"] == path_order.LIBRARY} == library


@pytest.mark.slow
@pytest.mark.parametrize("stack", ["tcp", "rpc", "bsd"])
def test_checked_in_orders_are_those_of_today(stack):
    """`./mcpi layout order --variant out` would write what is there."""
    folder = trace.traced(stack, "out", "dec3000-600", {})
    rows = path_order.order(
        Program(folder / "image.elf"), path_order.usual(folder / "trace.csv")[-1], 8192
    )
    there = path_order.read(recipe.orders(recipes.recipe("clo")["clone"], stack), path_order.FIELDS)
    assert [r["function"] for r in rows] == [r["function"] for r in there]
    assert [r["class"] for r in rows] == [r["class"] for r in there]


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["clo", "bad"])
def test_only_copies_and_outlined_tails_are_executed(variant):
    """On the machine: every instruction of the path lies in a copy, or in a tail."""
    folder = trace.traced("tcp", variant, "dec3000-600", {})
    t = symbols.read(folder, variant)
    spans = [t.at(step.pc) for one in t.invocations for step in one]
    assert all(s and (s.copy or s.tail) for s in spans)
    assert sum(s.copy for s in spans) > 0.97 * len(spans)
