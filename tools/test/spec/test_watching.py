# SPDX-License-Identifier: BSD-2-Clause
"""Options of the wire: each does what its name says, to both sides, as the seed has it."""

import dataclasses
import resource

import pytest
from tools_support.command import mcpi

from mcpi.base.errors import UserError
from mcpi.engines.base import of
from mcpi.machine.profile import load
from mcpi.results import record
from mcpi.spec import watching
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

SHORT = "--engine exact --round-trips 12 --warmup 2".split()
HAPPENS = {
    "loss": "lost",
    "corruption": "corrupted",
    "duplication": "duplicated",
    "reordering": "reordered",
    "delay": "delayed",
}


def happened(place, *words: str) -> dict:
    """By side, what happened to its frames at least once."""
    done = mcpi("run", *SHORT, *words, "--out", str(place))
    assert done.returncode == 0, done.stderr
    wire = record.read(place / "result.json").wire
    assert wire.frames > 24 and "on the wire: " in done.stdout
    return {side: {k: n for k, n in counts.items() if n} for side, counts in wire.happened.items()}


@pytest.mark.parametrize("option", HAPPENS)
def test_it_does_what_its_name_says(option, tmp_path):
    """To frames of both sides, and nothing else; a second copy is a frame put onto the wire."""
    found = happened(tmp_path / "run", f"--{option}", "0.2", "--seed", "2")
    assert set(found) == {"client", "server"}
    for counts in found.values():
        assert set(counts) - {"injected"} == {HAPPENS[option]}
        assert ("injected" in counts) == (option == "duplication")


def test_the_seed_says_which_frames(tmp_path):
    """The same seed the same frames; another seed, and the other side, others."""
    spec = RunSpec(loss=0.5, seed=3)
    words = watching.faults(spec)
    assert words == watching.faults(dataclasses.replace(spec, engine=EXACT))
    seeds = {word for word in words if "seed=" in word}
    others = {w for w in watching.faults(RunSpec(loss=0.5, seed=4)) if "seed=" in w}
    values = {word.partition("=")[2] for word in seeds | others}
    assert len(seeds) == 2 and len(values) == 4
    options = "--duplication 0.3 --delay 0.3".split()
    once, again, other = (
        (tmp_path / name, happened(tmp_path / name, *options, "--seed", seed))
        for name, seed in (("once", "3"), ("again", "3"), ("other", "4"))
    )
    stamps = [(place / "stamps.csv").read_bytes() for place, _ in (once, again, other)]
    assert stamps[0] == stamps[1] != stamps[2]
    assert once[1] == again[1]


def test_a_side_keeps_what_is_its_own():
    """A seed that is given stays; a fault of one side is not the other's."""
    own = watching.faults(RunSpec(wire=("client:lose=0.1", "client:seed=9")))
    assert own == ["--wire", "0:lose=0.1", "--wire", "0:seed=9"]
    both = watching.faults(RunSpec(delay=0.25, delay_us=3, wire=("server:lose=1",)))
    for number in (0, 1):
        assert f"{number}:delay=0.25" in both and f"{number}:delay_ticks=525" in both
    assert "1:lose=1" in both and not any(word.startswith("0:lose") for word in both)
    assert watching.faults(RunSpec()) == [] and not RunSpec().is_faulty


def test_a_longer_delay_is_a_longer_round_trip(tmp_path):
    means = []
    for us in (100, 2000):
        happened(tmp_path / str(us), "--delay", "1", "--delay-us", str(us))
        means.append(record.read(tmp_path / str(us) / "result.json").round_trip.mean_us)
    # Two frames, each later by half the longest on average: some 100 us, and some 2,000.
    assert 380 < means[0] < 520 and 1500 < means[1] < 3500, means


def test_the_segment_is_told(tmp_path):
    found = happened(tmp_path / "run", "--half-duplex")
    assert set(found) == {"segment"} and found["segment"]["attempts"] > 24


@pytest.mark.parametrize("engine", [RTL, EXACT])
def test_both_engines_take_them(engine):
    for name in watching.BOTH:
        spec = RunSpec(engine=engine, **{name: 0.1})
        of(engine).check(spec, spec.check())
    of(engine).check(RunSpec(engine=engine), load("dec3000-600", {"link.duplex": "half"}))
    with pytest.raises(UserError, match="a share of frames"):
        RunSpec(engine=engine, loss=-0.1).check()


def test_a_slip_is_told_at_once():
    """Within a second of a processor's time, from the start of Python on."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = mcpi("run", "--loss", "2")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 2 and done.stderr.startswith("mcpi: --loss 2.0: a share of frames")
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1
