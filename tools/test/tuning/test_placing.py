# SPDX-License-Identifier: BSD-2-Clause
"""Placement of copies: the record, what places cost by another replay, rules, bound, search."""

import fcntl
import json
import random
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mcpi.base.errors import UserError
from mcpi.base.progress import Silent
from mcpi.build import models
from mcpi.cli import main
from mcpi.firmware import images
from mcpi.firmware.clone import __main__ as cloning
from mcpi.firmware.clone import layout
from mcpi.firmware.clone.program import Program
from mcpi.layout.placing import orders, problem, search, sections
from mcpi.layout.placing.problem import FIXED, Piece, Problem, Run
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.tuning import placing

DEMAND, STREAM = 13, 7


def made(sizes: list[int], runs: list[Run], cache: int = 256, pages: int = 8) -> Problem:
    starts = [cache * 8 + 64 * n for n in range(len(sizes))]
    pieces = tuple(Piece(f"f{n}", at, size) for n, (at, size) in enumerate(zip(starts, sizes)))
    return Problem(cache, 32, cache * 8, pages, True, DEMAND, STREAM, pieces, tuple(runs))


@pytest.fixture(scope="module")
def program():
    return models.build("mcpi-place")


def drawn(rng: random.Random) -> tuple[Problem, list[int]]:
    """Functions of all sizes, and a period that goes through them and through code that stays."""
    sizes = [4 * rng.randint(1, 60) for _ in range(rng.randint(1, 8))]
    runs = []
    for _ in range(rng.randint(1, 60)):
        which = rng.randint(FIXED, len(sizes) - 1)
        if which == FIXED:
            runs.append(Run(FIXED, 4 * rng.randint(0, 200), rng.randint(1, 30), rng.random() < 0.5))
            continue
        first = rng.randrange(sizes[which] // 4)
        words = rng.randint(1, sizes[which] // 4 - first)
        runs.append(Run(which, 4 * first, words, rng.random() < 0.7))
    return made(sizes, runs, pages=64), [4 * rng.randrange(64) for _ in sizes]


def replayed(p: Problem, positions: list[int]) -> tuple[int, int]:
    """Ticks and misses of a period, instruction by instruction: a second opinion."""
    at: list[int] = []
    for piece, position in zip(p.pieces, positions):
        start = p.start + position
        while any(
            start < other + q.size and other < start + piece.size for other, q in zip(at, p.pieces)
        ):
            start += p.cache
        at.append(start)
    cache, buffer, ticks, misses = {}, None, 0, 0
    for counts in (False, True):
        for run in p.runs:
            base = run.offset if run.function == FIXED else at[run.function] + run.offset
            for word in range(run.words):
                block = (base + 4 * word) // p.block
                index = block % (p.cache // p.block)
                if cache.get(index) == block:
                    continue
                hit, cache[index], buffer = p.prefetch and buffer == block, block, block + 1
                if counts and run.counted:
                    misses += 1
                    ticks += STREAM if hit else DEMAND
    return ticks, misses


@pytest.mark.parametrize("seed", range(30))
def test_the_replay_agrees_with_another(program, seed) -> None:
    p, positions = drawn(random.Random(seed))
    found = search.cost(program, p, positions)
    assert (found.ticks, found.misses) == replayed(p, positions)


@pytest.mark.parametrize("seed", range(10))
def test_the_replay_of_loads_agrees_with_another(program, seed) -> None:
    rng = random.Random(seed)
    p, _ = drawn(rng)
    p = replace(p, prefetch=False, grain=64)
    positions = [64 * rng.randrange(4) for _ in p.pieces]
    found = search.cost(program, p, positions)
    assert (found.ticks, found.misses) == replayed(p, positions)
    limits = search.Limits(2_000)
    best = search.anneal(program, p, positions, 1, limits, lambda *_: None)
    assert best.ticks <= found.ticks and not any(at % 64 for at in best.positions)


def test_two_that_alternate_are_parted(program) -> None:
    """Each fills half of the cache: in one place they drive each other out, side by side never."""
    runs = [Run(n % 2, 0, 32, True) for n in range(20)]
    p = made([128, 128], runs)
    assert search.cost(program, p, [0, 0]).misses == 80
    limits = search.Limits(2_000)
    found = search.anneal(program, p, [0, 0], 1, limits, lambda *_: None)
    assert found.misses == 0 and (found.positions[0] - found.positions[1]) % 256 == 128
    worst = search.Limits(2_000, worst=True)  # off the blocks: five of each
    assert search.anneal(program, p, [0, 128], 1, worst, lambda *_: None).misses == 100


def test_the_same_seed_finds_the_same(program) -> None:
    p, first = drawn(random.Random(3))
    found = [
        search.anneal(program, p, first, seed, search.Limits(3_000), lambda *_: None)
        for seed in (5, 5)
    ]
    assert found[0] == found[1]
    assert found[0].ticks <= search.cost(program, p, first).ticks


def test_the_best_so_far_never_gets_worse(program) -> None:
    p, first = drawn(random.Random(4))
    content = []

    def update(_done: int, _of: int, said: str) -> None:
        content.append(int(said.removesuffix(" ticks").replace(",", "")))

    found = search.anneal(program, p, first, 1, search.Limits(40_000), update)
    assert (
        len(content) > 10
        and content == sorted(content, reverse=True)
        and found.ticks <= content[-1]
    )


def test_a_time_limit_ends_a_search(program) -> None:
    p, first = drawn(random.Random(4))
    found = search.anneal(program, p, first, 1, search.Limits(10**9, 0.2), lambda *_: None)
    assert found.ticks <= search.cost(program, p, first).ticks


def test_an_interrupt_ends_a_search(program) -> None:
    """^C: what is best until then is what was found."""
    p, first = drawn(random.Random(4))
    seen = []

    def update(done: int, *_) -> None:
        seen.append(done)
        if len(seen) == 3:
            raise KeyboardInterrupt

    found = search.anneal(program, p, first, 1, search.Limits(10**9), update)
    assert found.stopped and found.ticks <= search.cost(program, p, first).ticks


def test_what_does_not_fit_is_said(program, tmp_path) -> None:
    p = made([200, 200, 200], [Run(0, 0, 1, True)], pages=2)
    file = tmp_path / "problem.json"
    p.write(file)
    words = [program, file, "--first", "0", "0", "0"]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    assert done.returncode == 2 and "more pages than the area has" in done.stderr
    assert not problem.fits(p, [0, 0, 0]) and problem.fits(replace(p, pages=3), [0, 0, 0])
    content = json.loads(file.read_text()) | {"runs": [[0, 196, 2, True]]}
    file.write_text(json.dumps(content))
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    assert done.returncode == 2 and "outside its function" in done.stderr


def test_no_placement_is_below_the_bound(program) -> None:
    for seed in range(20):
        p, first = drawn(random.Random(seed))
        bound = orders.least_misses(p)
        found = search.anneal(program, p, first, 1, search.Limits(2_000), lambda *_: None)
        # A function that does not begin at a block may need one block more than packed code.
        assert bound <= found.misses + len(p.pieces)
    loop = made([32 * 9], [Run(0, 0, 72, True)])  # nine blocks, eight ways
    assert orders.least_misses(loop) == 1  # one gives way to another; by age, all nine would


def test_rules() -> None:
    """0 and 2 call each other most: they are neighbours. By turns, all three are apart."""
    calls = [Run(n, 0, 16, True) for n in (0, 2) * 5 + (1, 0)]
    p = made([64, 64, 64], calls)
    chained = orders.pettis_hansen(p)
    assert abs(chained[0] - chained[2]) == 64
    apart = orders.temporal(p)
    assert len({at // 64 for at in apart}) == 3


def test_runs_of_a_record() -> None:
    pieces = (Piece("a", 0x1000, 16), Piece("b", 0x1010, 16))
    pcs = [0x1000, 0x1004, 0x1010, 0x1014, 0x8001, 0x8005, 0x1008]
    issues = [(10 * n, pc) for n, pc in enumerate(pcs)]
    assert problem.runs(issues, pieces, [(0, 15), (20, 35)]) == (
        Run(0, 0, 2, True),
        Run(1, 0, 2, True),
        Run(FIXED, 0x8000, 2, False),
        Run(0, 8, 1, False),
    )
    assert [run.counted for run in problem.runs(issues, pieces, [(0, 5)])][:2] == [True, False]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a table of function,position"),
        ("function,position\nf,three\n", "a table of function,position"),
        ("function,position\nf,6\n", "f: a position is a multiple of 4"),
    ],
)
def test_a_file_that_has_no_positions(tmp_path, text, said) -> None:
    file = tmp_path / "p.csv"
    file.write_text(text)
    if text:
        with pytest.raises(UserError, match=said):
            layout.positions(file)
    with pytest.raises(UserError, match="No such file.*layout search"):
        RunSpec(variant="all", layout=str(tmp_path / "none.csv")).check()
    with pytest.raises(UserError, match="variant std does not clone"):
        (tmp_path / "good.csv").write_text("function,position\nf,4\n")
        RunSpec(variant="std", layout=str(tmp_path / "good.csv")).check()


def file_of(path, rows: dict[str, int]):
    text = "".join(f"{name},{at}\n" for name, at in rows.items())
    path.write_text("function,position\n" + text)
    return path


def test_sections_begin_where_a_file_says(tmp_path) -> None:
    """Linked and cloned: each section lies there in the D-cache, in order, and no code moves."""
    machine = RunSpec(variant="fast").check()
    plain = images.build(images.plan(machine, "fast", "tcp")).image
    about = json.loads(plain.with_suffix(".json").read_text())
    rows = {c["function"]: c["target"] % 8192 for c in about["copies"]}
    wanted = {".data": 64, ".got": 8128, ".sbss": 0, ".noinit": 4096}
    file = file_of(tmp_path / "p.csv", rows | wanted)
    moved = images.build(images.plan(machine, "fast", "tcp", copies=str(file))).image
    was, now = Program(plain), Program(moved)
    for name, at in wanted.items():
        assert now.sections[name][0] % 8192 == at
    starts = [now.sections[name][0] for name in layout.SECTIONS]
    assert starts == sorted(starts) and starts[0] >= now.sections[".rodata"][1]
    assert {n: f.start for n, f in now.functions.items()} == {
        n: f.start for n, f in was.functions.items()
    }
    assert sections.pieces(moved)[-1].start % 8192 == 4096
    cloning.check_sections(now, file)
    with pytest.raises(UserError, match="p.csv: .noinit cannot begin at 64; leave that row out"):
        cloning.check_sections(now, file_of(file, {".noinit": 64}))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({".text": 64}, "no section .text can be moved; .data, .got, .sbss, .noinit can"),
        ({".data": 32}, ".data: a section's position is a multiple of 64, in bytes"),
        ({".got": -64}, ".got: a section's position is a multiple of 64, in bytes"),
    ],
)
def test_a_section_that_cannot_begin_there(tmp_path, row, said) -> None:
    file = file_of(tmp_path / "p.csv", row)
    with pytest.raises(UserError, match=said):
        RunSpec(variant="all", layout=str(file)).check()


def test_what_cannot_be_searched() -> None:
    with pytest.raises(UserError, match="std: it copies no function.*all"):
        placing.check(RunSpec(variant="std", engine=EXACT))
    said = CliRunner().invoke(main.app, ["layout", "search", "--variant", "out"])
    assert isinstance(said.exception, UserError)


def test_two_searches_do_not_judge_at_once(tmp_path, monkeypatch) -> None:
    """The runs of both have the same folders."""
    held = []

    def build(_experiments: list, root: Path, _bar: object) -> None:
        with (root / "lock").open("a") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                held.append(root)
        raise KeyboardInterrupt

    monkeypatch.setattr(placing, "BUILD", tmp_path)
    monkeypatch.setattr(placing.perform, "build", build)
    wanted = placing.Wanted(RunSpec(variant="all", engine=EXACT), 1, 1, search.Limits(1))
    with pytest.raises(KeyboardInterrupt):
        placing.judge(wanted, {"bipartite": layout.BIPARTITE}, {}, Silent())
    assert held == [tmp_path / "placing"]


def test_a_short_search_is_judged_by_running(tmp_path) -> None:
    """Search CLO over RPC once: the layout found is faster than the first one, on a phase that the
    search has not seen, and its file gives the same run."""
    spec = RunSpec(stack="rpc", variant="clo", engine=EXACT, round_trips=8)
    wanted = placing.Wanted(spec, 1, 1, search.Limits(20_000))
    judged, bound = placing.run(wanted, tmp_path, Silent())
    by_name = {one.name: one for one in judged}
    best, before, worst = (by_name[n] for n in (placing.SEARCHED, "bipartite", placing.WORST))
    assert best.median < before.median < worst.median
    assert bound.misses > 0 and bound.instructions > bound.taken > 1000
    assert bound.time_us < best.median
    for one in (best, before, worst):  # the replay knows the order, and the size within a fifth
        assert one.predicted == pytest.approx(one.waited, rel=0.2)
    assert best.predicted < before.predicted < worst.predicted
    assert best.loads < before.loads < worst.loads and best.missed < before.missed < worst.missed
    for one in (best, before, worst):  # timers and the console's last words are not in the record
        assert one.loads == pytest.approx(one.missed, rel=0.2, abs=2)
    code = by_name[placing.CODE]
    assert best.median < code.median and code.loads == before.loads
    file = tmp_path / "searched.positions.csv"
    assert sorted(p.name for p in tmp_path.glob("searched*")) == [file.name]
    again = placing.Wanted(spec, 1, 1, search.Limits(1), start=file)
    more, _ = placing.run(again, tmp_path / "more", Silent())
    assert more[0].client == best.client
    assert set(layout.sections(file)) == set(layout.SECTIONS)
    other = tmp_path / "other.csv"
    other.write_text(file.read_text() + "stranger,0\n")
    with pytest.raises(UserError, match="stranger is in one of image and file alone"):
        placing.run(placing.Wanted(spec, 1, 1, search.Limits(1), start=other), tmp_path, Silent())
