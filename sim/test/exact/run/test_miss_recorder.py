# SPDX-License-Identifier: BSD-2-Clause
"""misses.N.csv: classes by hand arithmetic and by a second model, what each block displaces, ways,
victim caches, blocks that were dropped, mapped code; planted mistakes."""

import csv
import dataclasses
from collections import Counter, OrderedDict
from pathlib import Path
from typing import NamedTuple

import pytest
from sim_support import planted
from sim_support.simulators import IMAGE_BASE
from sim_support.simulators import run as run_program
from sim_support.translated_cases import Case

from mcpi.analysis.profile import Profile
from mcpi.analysis.recording import Recording
from mcpi.base.errors import RunError
from mcpi.base.progress import Silent
from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.engines import span
from mcpi.firmware import regions
from mcpi.firmware.elf import PHYSICAL
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec
from verify.long_tests import sampled

MISTAKES = planted.mistakes("miss_recorder_mutants")
SOURCE = (ROOT / "firmware/test/programs/misses.c").read_text()
BLOCK, BLOCKS = 32, 256  # of either primary cache
DROPS = """\
/* SPDX-License-Identifier: BSD-2-Clause */
#include <mcpi.h>
static volatile long word;
__attribute__((noinline, aligned(32))) static void code(void) { mcpi_keep(1); }
__attribute__((noinline)) void both(void)
{
	code();
	mcpi_keep(word);
	__asm__ volatile("imb");
	code();
	__sync_fetch_and_add(&word, 1);
	mcpi_keep(word);
}
int main(void) { both(); return 0; }
"""
EDGES = """\
/* SPDX-License-Identifier: BSD-2-Clause */
/* 256 blocks, as many as the cache has, two of them of one line; then two that are used again and
 * again between others. */
static volatile unsigned char data[1 << 15] __attribute__((aligned(8192)));
int main(void)
{
	for (int pass = 0; pass < 3; pass++) {
		for (int n = 0; n < 255; n++)
			(void)data[n * 32];
		(void)data[8192];
	}
	for (int n = 0; n < 400; n++) {
		(void)data[0];
		(void)data[8192];
		(void)data[16384 + n * 32];
	}
	return 0;
}
"""


IMAGE = int(IMAGE_BASE, 16) & PHYSICAL
OUTER = """\
/* SPDX-License-Identifier: BSD-2-Clause */
/* Two blocks of one line of the D-cache and of a b-cache of 64 KB. */
static volatile long data[3 << 13] __attribute__((aligned(65536)));
int main(void)
{
	for (int n = 0; n < 50; n++) {
		(void)data[0];
		(void)data[8192];
	}
	return 0;
}
"""


class Row(NamedTuple):
    tick: int
    cache: str
    kind: str
    class_: str
    pc: int | None
    block: int
    evicted: int | None


def run(place: Path, text: str, program: Path | None, **settings: int) -> span.Prepared:
    place.mkdir(parents=True)
    (place / "program.c").write_text(text)
    values = {key.replace("_", "."): str(value) for key, value in settings.items()}
    spec = ProgramSpec((str(place / "program.c"),), settings=values)
    return recorded(spec, place / "run", program)


def recorded(spec, place: Path, program: Path | None) -> span.Prepared:
    prepared = span.prepare(spec, span.judged(spec), place, Silent())
    prepared = dataclasses.replace(prepared, simulator=program or models.build("mcpi-exact"))
    assert not prepared.log(0, spec.longest, ["--tick-log", "0", "--misses"], Silent())
    return prepared


def rows(prepared: span.Prepared, cache: str = "idb") -> list[Row]:
    with (prepared.place / "misses.0.csv").open(newline="") as stream:
        next(stream)
        found = []
        for tick, which, kind, class_, pc, address, evicted in csv.reader(stream):
            where, out = (int(text, 16) if text else None for text in (pc, evicted))
            out = None if out is None else out // BLOCK
            found.append(Row(int(tick), which, kind, class_, where, int(address, 16) // BLOCK, out))
    assert [row.tick for row in found] == sorted(row.tick for row in found)
    return [row for row in found if row.cache in cache]


def counts(found: list[Row]) -> Counter:
    return Counter((row.kind, row.class_) for row in found)


def places(prepared: span.Prepared, cache: str) -> list[list[Row]]:
    """Rows by measured place, in their order."""
    with (prepared.place / "ticks.csv").open(newline="") as stream:
        ticks = [(int(row["tick"]), row["pc"]) for row in csv.DictReader(stream)]
    opens = [region.opens[0] & PHYSICAL for region in
             regions.Image(prepared.image(0)).marked(str)]  # fmt: skip
    starts = [next(tick for tick, pc in ticks if pc and int(pc, 16) == at) for at in opens]
    found = rows(prepared, cache)
    ends = [*starts[1:], float("inf")]
    return [[row for row in found if a <= row.tick < b] for a, b in zip(starts, ends)]


def arithmetic(place: Path, program: Path | None = None) -> None:
    """4 KB twice: 128 cold. 16 KB twice in 8 KB: 512 cold, 512 for lack of room. Two blocks 8 KB
    apart, 100 times each: 2 cold, 198 in each other's way."""
    fits, large, pair = places(run(place, SOURCE, program), "d")
    assert counts(fits) == {("load", "cold"): 128}
    assert counts(large) == {("load", "cold"): 512, ("load", "capacity"): 512}
    assert counts(pair) == {("load", "cold"): 2, ("load", "conflict"): 198}
    two = {row.block for row in pair}
    assert len(two) == 2 and all({row.block, row.evicted} == two for row in pair[2:])
    assert all(row.evicted is None or row.evicted == row.block - BLOCKS for row in large[300:512])


def ways(place: Path, program: Path | None = None) -> None:
    """Two ways keep both blocks of the pair, and what displaces the rest is of the same set."""
    one = run(place, SOURCE, program, dcache_ways=2)
    _, large, pair = places(one, "d")
    assert counts(pair) == {("load", "cold"): 2}
    assert all(row.evicted is not None for row in large[300:])
    assert {(row.block - row.evicted) % (BLOCKS // 2) for row in large[300:]} == {0}


def victims(place: Path, program: Path | None = None) -> None:
    """A victim of one block: each of the pair comes back from there, and displaces the other."""
    one = run(place, SOURCE, program, dcache_victims=1)
    pair = places(one, "d")[2]
    assert counts(pair) == {("load", "cold"): 2, ("victim", ""): 198}
    assert all(row.evicted == other.block for row, other in zip(pair[3:], pair[2:]))


def outer(place: Path, program: Path | None = None) -> None:
    """The b-cache's rows: each block of the pair displaces the other, for the same loads as in the
    D-cache."""
    one = run(place, OUTER, program, bcache_size=65536)
    [(first, _), (other, _)] = Counter(row.block for row in rows(one, "d")).most_common(2)
    inner, found = (
        [row for row in rows(one, cache) if row.block in (first, other)] for cache in "db"
    )
    assert [row.class_ for row in found[2:]] == ["conflict"] * 98  # the first were zeroed at boot
    assert all(row.evicted == before.block for before, row in zip(found, found[1:]))
    assert [row.pc for row in found] == [row.pc for row in inner] and len(inner) == 100


def drops(place: Path, program: Path | None = None) -> None:
    """An instruction-cache flush, and a store-conditional, take blocks away."""
    one = run(place, DROPS, program)
    found = {cache: Counter(row.class_ for row in rows(one, cache)) for cache in "id"}
    assert found["i"]["dropped"] >= 2 and found["i"]["conflict"] == found["i"]["capacity"] == 0
    assert found["d"]["dropped"] == 1 and found["d"]["conflict"] == 0, found


def counters(place: Path, program: Path | None = None) -> None:
    """The rows are the counters' misses, of a stack too."""
    one = recorded(RunSpec(round_trips=3, warmup=3), place, program)
    found = Recording(Profile(one.place, "client"))  # RunError if they are not
    hits = sum(miss.kind == "stream" for miss in found.misses)
    assert hits == found.profile.counted["icache.stream_hits"] > 0
    displaced = [row for row in rows(one, "i") if row.evicted is not None]
    assert len(displaced) > 1000
    assert all(row.block != row.evicted for row in displaced)
    assert {(row.block - row.evicted) % BLOCKS for row in displaced} == {0}


def least_recently_used(wanted: list[tuple[int, bool]]) -> list[str]:
    """Hill's classes of accesses (block, misses), by a fully associative cache."""
    seen, there, found = set(), OrderedDict(), []
    for block, misses in wanted:
        if misses:
            new = "cold" if block not in seen else "conflict" if block in there else "capacity"
            found.append(new)
        seen.add(block)
        there.pop(block, None)
        there[block] = True
        if len(there) > BLOCKS:
            there.popitem(last=False)
    return found


def second(place: Path, program: Path | None = None) -> None:
    """A second model, of the log of all ticks and accesses: the classes of a whole program, and
    what its direct-mapped caches displace."""
    one = run(place, EDGES, program)
    with (one.place / "accesses.0.csv").open(newline="") as stream:
        loads = {int(r["issue"]): int(r["address"], 16) & PHYSICAL for r in csv.DictReader(stream)
                 if r["kind"] == "load"}  # fmt: skip
    fetched, read, issue, last, waits = [], [], -1, None, []
    with (one.place / "span.0.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            events = row["events"].split()
            if "dcache.accesses" in events and last is not None:
                read.append((int(row["tick"]), last // BLOCK, "dcache.misses" in events))
            if "icache.misses" in events:
                waits = [int(row["tick"])]
            if row["owner"] == "issue":
                issue += 1
                block = int(row["pc"], 16) // BLOCK
                fetched.append((waits[0] if waits else 0, block, bool(waits)))
                last, waits = loads.get(issue), []
    for cache, accesses in (("i", fetched), ("d", read)):
        classes = least_recently_used([(block, misses) for _, block, misses in accesses])
        missed = [(tick, block) for tick, block, misses in accesses if misses]
        theirs = {tick: (block, class_) for (tick, block), class_ in zip(missed, classes)}
        ours = rows(one, cache)
        assert len(ours) > 2 and all(theirs[row.tick] == (row.block, row.class_) for row in ours)
        lines, displaced = {}, {}
        for tick, block in missed:
            displaced[tick] = lines.get(block % BLOCKS)
            lines[block % BLOCKS] = block
        assert all(displaced[row.tick] == row.evicted for row in ours if row.evicted is not None)
        assert cache == "i" or sum(row.evicted is not None for row in ours) > 700


def mapped(place: Path, program: Path | None = None) -> None:
    """Random user programs in two spaces: the rows are the misses of the log of ticks; a page's
    frame is that of a page table; a block displaces a block that came there before; a block that
    comes for the first time is cold."""
    for seed, name in ((1, "usual"), (2, "small"), (3, "4 KB")):
        folder = place / name.replace(" ", "")
        folder.mkdir(parents=True)
        case = Case(seed, name, folder)
        (folder / "markers").write_text("0x10000,1,1\n")  # all ticks
        items = {"pal": case.pal, "image": case.elf, "phase": 5000, "markers": folder / "markers"}
        words = [w for n in (0, 1) for k, v in items.items() for w in ("--node", f"{n}:{k}={v}")]
        words += ["--machine", case.json, "--tick-log", "0", "--misses", "--out", folder]
        run_program(program or models.build("mcpi-exact"), "run", *words)
        check_mapped(case, folder)


def check_mapped(case: Case, folder: Path) -> None:
    with (folder / "ticks.csv").open(newline="") as stream:
        events = Counter(e for row in csv.DictReader(stream) for e in row["events"].split())
    with (folder / "misses.0.csv").open(newline="") as stream:
        found = list(csv.DictReader(stream))
    for cache, counter in (("i", "icache"), ("d", "dcache"), ("b", "bcache")):
        rows_ = [row for row in found if row["cache"] == cache and row["class"]]
        assert len(rows_) == events[f"{counter}.misses"] > 0, (cache, len(rows_))
    shift, size = case.program.shift, 1 << case.program.shift
    tables = [process.table for process in case.program.processes]
    frames = {(page, pte >> 32) for table in tables for page, pte in table.items()}
    seen, came, users = set(), set(), 0
    for row in found:
        if row["cache"] != "i":
            continue
        pc, address = int(row["pc"], 16), int(row["address"], 16)
        user = pc // 4 * 4 != address  # all other code is not mapped
        users += user
        assert address % size == pc % size // 4 * 4
        assert pc & 1 == (address < IMAGE), row  # PALcode lies below
        assert not user or (pc >> shift, address >> shift) in frames, row
        name = pc // BLOCK, address // BLOCK
        assert row["class"] == "cold" or name in seen, row
        assert name in seen or row["class"] == "cold", row
        if row["evicted"]:
            out = int(row["evicted"], 16) // BLOCK
            assert out in came and (out - name[1]) % (size // BLOCK) == 0, row
        seen.add(name)
        came.add(name[1])
    assert users > 50 and len(found) > 1.5 * len(seen)


CHECKS = {
    c.__name__: c for c in (arithmetic, ways, victims, outer, drops, counters, second, mapped)
}


@pytest.mark.parametrize("name", CHECKS)
def test_check(name, tmp_path):
    CHECKS[name](tmp_path / "runs")


@pytest.mark.parametrize("number", sampled(range(1, len(MISTAKES) + 1), lambda n: n == 1))
def test_a_mistake_is_found(number, tmp_path, monkeypatch):
    mistake = MISTAKES[number - 1]
    program = planted.program("mcpi-exact")
    for name, value in mistake.environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises((AssertionError, KeyError, RunError)):
        CHECKS[mistake.how["finds"]](tmp_path / "runs", program)
