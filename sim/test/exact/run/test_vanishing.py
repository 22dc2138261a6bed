# SPDX-License-Identifier: BSD-2-Clause
"""Ticks that take no time (exact-engine.md, What if): what stands still meanwhile, by hand
arithmetic; every experiment's sum; the path's ticks as a profile has them; planted mistakes."""

import dataclasses
import random
from collections import Counter
from pathlib import Path

import pytest
from sim_support import planted

from mcpi.analysis.places import Places
from mcpi.analysis.profile import Profile
from mcpi.api import single_run
from mcpi.base.errors import RunError
from mcpi.base.progress import Silent
from mcpi.build import models
from mcpi.engines import span, vanishing
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec
from verify.long_tests import sampled

MISTAKES = planted.mistakes("vanishing_mutants")
LOADS = 256  # each misses the D-cache, and then hits the b-cache
WALK = """\
/* SPDX-License-Identifier: BSD-2-Clause */
#include <mcpi.h>
static volatile long data[LOADS * 4];
__attribute__((noinline)) void walk(void)
{
	for (long n = 0; n < LOADS; n++) {
		long value = data[n * 4];

		__asm__ volatile(".rept FILLERS\\n bis $31,$31,$31\\n .endr");
		mcpi_keep(value + n);
	}
}
int main(void) { walk(); return 0; }
""".replace("LOADS", str(LOADS))
STORES = """\
/* SPDX-License-Identifier: BSD-2-Clause */
static volatile long data[64 * 4];
__attribute__((noinline)) void walk(void)
{
	for (long n = 0; n < 64; n++) {
		data[n * 4] = n;
		__asm__ volatile(".rept 40\\n bis $31,$31,$31\\n .endr");
	}
	__asm__ volatile("mb");
}
int main(void) { walk(); return 0; }
"""
CLOCK = """\
/* SPDX-License-Identifier: BSD-2-Clause */
static unsigned now(void)
{
	unsigned long count;

	__asm__ volatile("rpcc %0" : "=r"(count));
	return (unsigned)count;
}
__attribute__((noinline)) void walk(void)
{
	unsigned begin = now();

	while (now() - begin < 1000)
		;
}
int main(void) { walk(); return 0; }
"""


@dataclasses.dataclass
class Ready:
    """A run's folder, and where its functions are."""

    prepared: span.Prepared
    names: list[str]
    ranges: list[vanishing.Ranges]

    @property
    def machine(self):
        return self.prepared.machine

    def plain(self) -> tuple[vanishing.Outcome, dict]:
        words = (self.prepared, self.machine, self.ranges, "plain", Silent())
        return vanishing.plain(*words)

    def run(self, *experiments: list) -> list[vanishing.Outcome]:
        words = (self.prepared, self.machine, self.ranges, list(experiments), Silent())
        return vanishing.outcomes(*words)

    def pairs(self, ticks: dict, *owners: str) -> list:
        return [pair for pair in ticks if not owners or pair[1] in owners]


def ready(spec, place: Path, program: Path | None = None) -> Ready:
    prepared = span.prepare(spec, span.judged(spec), place, Silent())
    prepared = dataclasses.replace(prepared, simulator=program or models.build("mcpi-exact"))
    names, ranges = ["elsewhere"], []
    for node in (0, 1):
        ranges.append([])
        if node not in spec.nodes:
            continue
        for start, end, name in Places(prepared.image(node), place / "pal.elf").ranges():
            if name not in names:
                names.append(name)
            ranges[-1].append((start, end, names.index(name)))
    return Ready(prepared, names, ranges)


def walking(place: Path, text: str, program: Path | None) -> Ready:
    place.mkdir(parents=True)
    (place / "walk.c").write_text(text)
    return ready(ProgramSpec((str(place / "walk.c"),), measure=("walk",)), place / "run", program)


def shadow(place: Path, program: Path | None = None) -> None:
    """Instructions between a load that misses and its use save nothing: memory stands still
    while they vanish, and the wait grows by what they have covered."""
    waits, saved = [], []
    for fillers in (1, 4):
        text = WALK.replace("FILLERS", str(fillers))
        one = walking(place / str(fillers), text, program)
        whole, ticks = one.plain()
        (without,) = one.run(one.pairs(ticks, "issue"))
        waits.append(whole.owners["d_miss"])
        saved.append(whole.ticks - without.ticks)
        grown = without.owners["d_miss"] - whole.owners["d_miss"]
        assert abs(grown - fillers * LOADS) <= 8, grown
    assert abs(waits[0] - waits[1] - 3 * LOADS) <= 8, waits  # a filler covers a tick of each miss
    assert abs(saved[0] - saved[1]) <= 8, saved


def moves(place: Path, program: Path | None = None) -> None:
    """A wait for memory ends as it did when it takes no time: nothing grows."""
    one = walking(place, WALK.replace("FILLERS", "1"), program)
    whole, ticks = one.plain()
    (without,) = one.run(one.pairs(ticks, "d_miss"))
    assert not without.failed, without.failed
    assert whole.ticks - without.ticks == whole.owners["d_miss"] > 4 * LOADS
    assert without.owners == whole.owners


def stores(place: Path, program: Path | None = None) -> None:
    """Between two stores the write buffer sends an entry; not if all ticks between them vanish."""
    one = walking(place, STORES, program)
    whole, ticks = one.plain()
    (without,) = one.run(one.pairs(ticks, "issue"))
    assert "write_buffer_full" not in whole.owners
    assert without.owners.get("write_buffer_full", 0) > 64  # of as many stores


def clock(place: Path, program: Path | None = None) -> None:
    """The cycle counter is the world's: who waits for it, in no time, waits for ever."""
    one = walking(place, CLOCK, program)
    _, ticks = one.plain()
    (without,) = one.run(one.pairs(ticks))
    assert "waits for the world" in without.failed


def sums(place: Path, program: Path | None = None) -> None:
    """Alone on a machine, a program gets shorter by what vanishes less what grows."""
    one = walking(place, WALK.replace("FILLERS", "4"), program)
    whole, ticks = one.plain()
    chance = random.Random("vanishing 55")
    pairs = one.pairs(ticks)
    drawn = [chance.sample(pairs, chance.randrange(1, len(pairs) + 1)) for _ in range(20)]
    for which, outcome in zip(drawn, one.run(*drawn), strict=True):
        grown = sum(outcome.owners.values()) - sum(whole.owners.values())
        assert whole.ticks - outcome.ticks == outcome.vanished - grown, which
        assert outcome.vanished >= sum(ticks[pair] for pair in which) - whole.owners["d_miss"]


def profile(place: Path, program: Path | None = None) -> None:
    """The path's ticks by function and owner are the profile's, but for an interrupt's waits."""
    spec = RunSpec(round_trips=3, warmup=2, tick_log="client")
    folder, _ = single_run.perform(spec, place / "logged")
    one = ready(dataclasses.replace(spec, tick_log=""), place / "run", program)
    one.ranges[1] = []  # the server's ticks have no function that could vanish
    _, ticks = one.plain()
    logged = Counter()
    for row in Profile(folder, "client").rows():
        for owner, count in row.cost.ticks.items():
            logged[row.name, owner] += count
    ours = Counter({(one.names[f], owner): n for (f, owner), n in ticks.items()})
    assert ours.total() == logged.total()
    differ = sum(abs(ours[key] - logged[key]) for key in {*ours, *logged})
    assert differ <= ours.total() // 1000, ours - logged


CHECKS = {check.__name__: check for check in (shadow, moves, stores, clock, sums, profile)}


@pytest.mark.parametrize("name", CHECKS)
def test_check(name, tmp_path):
    CHECKS[name](tmp_path / "runs")


@pytest.mark.parametrize("number", sampled(range(1, len(MISTAKES) + 1), lambda n: n == 1))
def test_a_mistake_is_found(number, tmp_path, monkeypatch):
    mistake = MISTAKES[number - 1]
    program = planted.program("mcpi-exact")
    mistake.acts(monkeypatch)
    with pytest.raises((AssertionError, RunError)):
        CHECKS[mistake.how["finds"]](tmp_path / "runs", program)


def test_the_order_of_experiments_changes_nothing(tmp_path):
    """A copy knows nothing of the copies before it."""
    one = ready(RunSpec(round_trips=2, warmup=2), tmp_path / "run")
    _, ticks = one.plain()
    pairs = sorted((p for p in ticks if p[1] not in ("io", "idle")), key=ticks.get)[-10:]
    forwards = one.run(*([pair] for pair in pairs))
    assert one.run(*([pair] for pair in reversed(pairs))) == forwards[::-1]
    assert any(outcome.vanished for outcome in forwards)


@pytest.mark.parametrize("owner", ["io", "idle", "no_such"])
def test_ticks_that_wait_for_the_world_are_refused(owner, tmp_path):
    one = ready(RunSpec(round_trips=1, warmup=2), tmp_path / "run")
    with pytest.raises(RunError, match=f"{owner}: (such a tick waits|there is no such owner)"):
        one.run([(0, owner)])
