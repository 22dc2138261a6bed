# SPDX-License-Identifier: BSD-2-Clause
"""Random programs hit every bin of the five crosses (random-tests.md, Coverage)."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from mcpi.base.errors import UserError
from mcpi.isa import table
from verify.random import blocks, build, coverage, program, system
from verify.random import configurations as machines

SEEDS, INSTRUCTIONS = range(1, 9), 60_000  # of each of four runs
REPORT = machines.FOLDER / "coverage.txt"


@pytest.mark.slow
def test_nothing_is_hit_that_cannot_be():
    run = machines.cover(SEEDS[0], 0, INSTRUCTIONS)
    assert not (hit := coverage.wrong(coverage.merged([run]))), hit


@pytest.mark.long
def test_every_bin_is_hit():
    """Eight seeds hit every bin but those that ``never.toml`` lists, and none of those."""
    runs = [machines.cover(seed, n, INSTRUCTIONS) for seed in SEEDS for n in range(machines.RUNS)]
    total = coverage.merged(runs)
    said = coverage.report(total)
    REPORT.write_text(said + "\n")
    print(said)
    assert not coverage.holes(total) and not coverage.wrong(total), said


def test_list():
    """Each bin that cannot be hit is one, has a reason, and is listed once."""
    never = coverage.never()
    assert set(never) <= set(coverage.bins()) and all(never.values())
    assert len(set(coverage.bins())) == len(coverage.bins())


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["operand add"], "'operand add' is no cross with a word of each axis"),
        (["weather * *"], "'weather * *' is no cross with a word of each axis"),
        (["trap fen sleep"], "'trap fen sleep': there is no sleep"),
        (["trap fen io", "trap * io"], "'trap fen io' is listed twice"),
    ],
)
def test_a_slip_in_the_list_is_an_error(tmp_path, rows, said):
    path = tmp_path / "never.toml"
    path.write_text("".join(f'[[never]]\nbins = "{row}"\nreason = ""\n' for row in rows))
    with pytest.raises(UserError) as error:
        coverage.never(path)
    assert said in str(error.value)


def test_report_names_holes():
    """A bin that nobody hit is named, and one that was hit and cannot be; the bench's bins are
    ours."""
    all_but = Counter({name: 1 for name in coverage.bins() if name not in coverage.never()})
    assert not coverage.holes(all_but) and not coverage.wrong(all_but)
    del all_but["trap fen multiply"]
    all_but["operand mull branch 1"] = 1
    said = coverage.report(all_but)
    assert "never hit: trap fen multiply" in said
    assert "hit, and never.toml says it cannot be: operand mull branch 1" in said
    with pytest.raises(UserError, match="not listed here: trap fen tea"):
        coverage.merged([{"coverage": {"trap fen tea": 1}}])


def _before_each_branch(monkeypatch):
    """Move the register of each branch just before it."""
    text = blocks.Block.text

    def moved(self, line):
        if line.startswith(".long 0x") and (word := int(line.split()[1], 16)) >> 26 >= 0x38:
            text(self, f"bis ${word >> 21 & 31}, ${word >> 21 & 31}, ${word >> 21 & 31}")
        text(self, line)

    monkeypatch.setattr(blocks.Block, "text", moved)


def _no_overflow(monkeypatch):
    """No operate instruction checks for overflow."""
    word, last = blocks.Block.word, program.last_words

    def unchecked(self, value):
        row = table.find(value)
        if row and row.overflow:
            value &= ~(0x40 << 5)
        word(self, value)

    monkeypatch.setattr(blocks.Block, "word", unchecked)
    monkeypatch.setattr(
        program, "last_words", lambda rng: [line.replace("/v", "") for line in last(rng)]
    )


def _without(name, instead="operate"):
    """The generator makes another thing instead of ``name``."""

    def put(monkeypatch):
        other = getattr(blocks.Block, instead)
        monkeypatch.setattr(system.SystemBlock, name, lambda self, *_: other(self))

    return put


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "options", "missing"),
    [
        (_before_each_branch, {}, ["operand mull branch 5+", "operand shift branch 2"]),
        (_without("_is_target"), {}, ["operand mulq target 5+", "operand cmov target 5+"]),
        (_without("trap"), {}, ["trap fen issue"]),
        (_without("beyond_memory"), {}, ["failed follows arith", "failed led interrupt"]),
        (_no_overflow, {}, ["trap arith multiply", "trap arith issue"]),
        (lambda _: None, {"dma-every": 0}, ["invalidation load same_block -3"]),
    ],
    ids=["branches", "targets", "traps", "fetches", "overflows", "dma"],
)
def test_generator_that_lost_something(monkeypatch, tmp_path, change, options, missing):
    """A mutant of the generator leaves bins empty that the generator fills with the same seed."""
    seed, number = 1, 0
    usual = machines.cover(seed, number, INSTRUCTIONS)["coverage"]
    change(monkeypatch)
    run = machines.covering(seed)[number]
    run = replace(run, options=run.options | options)
    bench = build.bench(machines.draw(0, seed).settings)
    done = machines.execute(bench, tmp_path, run, INSTRUCTIONS, "a mutant of the generator")
    assert not done.returncode, done.stderr
    lost = set(usual) - set(json.loads(done.stdout)["coverage"])
    assert lost >= set(missing), sorted(lost)
