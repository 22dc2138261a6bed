# SPDX-License-Identifier: BSD-2-Clause
"""Outlining from profiles: what it finds of the annotations by hand, and what it proposes."""

import re
import shutil
from functools import cache, cached_property
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Silent
from mcpi.base.repo import ROOT
from mcpi.cli import main
from mcpi.layout import outlining
from mcpi.layout.outlining import FALSE, TRUE, Place, Training
from mcpi.spec.run_spec import RunSpec
from mcpi.tuning import outlining as trained

STACKS = ("tcp", "rpc")
LEAST = 0.95  # of the annotations by hand on the path


@cache
def std(stack: str) -> trained.Trained:
    return trained.train(stack, "std", RunSpec.machine, {}, 60, 50, Silent())


@pytest.mark.parametrize("stack", STACKS)
def test_annotations_by_hand_are_found(stack) -> None:
    """Each of TCP's and RPC's but those whose both ways are taken."""
    one = std(stack)
    assert len(one.by_hand) > 60
    assert len(one.missed) <= (1 - LEAST) * len(one.by_hand)
    for mark in one.missed:
        ways = Training.both_ways
        pcs = [pc for pc, _ in one.training.branches() if one.training.place(pc) in mark.places]
        for pc in pcs:
            assert all(one.training.ways[pc, way] for way in ways(one.training, pc)), mark


class ByBlock(Training):
    """A mistake: a way counts as taken if anything leads to the code at its end."""

    @cached_property
    def ways(self):
        found = {(pc, way) for pc, _ in self.branches() for way in self.both_ways(pc)}
        return {key: self.counts[key[1]] for key in found}


def test_a_mistake_finds_fewer() -> None:
    one = std("tcp").training
    wrong = ByBlock(one.image, one.paths, one.least)
    by_hand = outlining.on_path(wrong)
    missed = outlining.missed(by_hand, outlining.never(wrong))
    assert len(missed) > (1 - LEAST) * len(by_hand)


@pytest.mark.parametrize("stack", STACKS)
def test_what_runs_is_never_cold(stack) -> None:
    one = std(stack)
    assert sum(n.words for n in one.never) > 1000
    counts = one.training.counts
    for pc, function in one.training.branches():
        for way in one.training.both_ways(pc):
            words = outlining._words(one.training, way, function)
            assert not any(counts[at] for at in range(way, way + 4 * words, 4))


def test_the_patch_gives_back_what_a_source_has_lost(tmp_path, monkeypatch) -> None:
    """Every annotation that the tool is sure of is taken away; the patch has it, as it was."""
    both = [std(stack) for stack in STACKS]
    proposed = outlining.proposals((one.training, one.never) for one in both)
    by_hand = {place: m.says for one in both for m in one.by_hand for place in m.places}
    known = {place: says for place, says in proposed.items() if place in by_hand}
    assert len(known) > 40
    assert known == {place: by_hand[place] for place in known}
    shutil.copytree(ROOT / "firmware", tmp_path / "firmware")
    lost = {}
    for place in known:
        file = tmp_path / place.file
        lines = file.read_text().splitlines(keepends=True)
        whole = lines[place.line - 1]
        bare = re.sub(rf"if \(({FALSE}|{TRUE})\((.*)\)\)( \{{)?$", r"if (\2)\3", whole)
        if outlining.annotated(bare, known[place]) == whole:
            lost[place], lines[place.line - 1] = whole, bare
            file.write_text("".join(lines))
    assert len(lost) > 40
    monkeypatch.setattr(outlining, "ROOT", tmp_path)
    outlining._sees.cache_clear()
    text, _ = outlining.patch(known)
    outlining._sees.cache_clear()
    added = [line[1:] for line in text.splitlines(keepends=True) if re.match(r"\+[^+]", line)]
    assert sorted(added) == sorted(lost.values())


def test_stacks_that_disagree_say_nothing() -> None:
    """A line is proposed only if each stack that runs it says the same."""
    here = Place("firmware/x.c", 7)

    def one(*says: str | None, ran: bool = True):
        training = SimpleNamespace(
            branches=lambda: [(0, SimpleNamespace(name="f"))] if ran else [],
            place=lambda pc: here,
        )
        return training, [outlining.Never(here, "f", 50, 3, word) for word in says]

    assert outlining.proposals([one(FALSE), one(FALSE)]) == {here: FALSE}
    assert outlining.proposals([one(FALSE), one(ran=False)]) == {here: FALSE}
    for other in (one(TRUE), one(), one(None)):
        assert outlining.proposals([one(FALSE), other]) == {}
    assert outlining.proposals([one(FALSE, TRUE)]) == {}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("\tif (a)\n", "\tif (PREDICT_FALSE(a))\n"),
        ("\tif (f(a) && b) {\n", "\tif (PREDICT_FALSE(f(a) && b)) {\n"),
        ("\tif (PREDICT_TRUE(a))\n", None),
        ("\tif (f(a) || g(b)) || c)\n", None),
        ("\tif (f(a) &&\n", None),
        ("\twhile (a)\n", None),
        ("\tif (a) b = c(d);\n", None),
    ],
)
def test_lines(line, said) -> None:
    assert outlining.annotated(line, FALSE) == said


def test_a_header_is_included_where_its_name_says() -> None:
    lines = ['#include "xkernel/message/msg.h"\n', "\n", '#include "xkernel/user.h"\n', "int a;\n"]
    got = outlining._including(lines, outlining.SWITCHES)
    assert got[1] == '#include "xkernel/switches.h"\n' and len(got) == 5
    assert outlining._including(["int a;\n"], "a.h") == ['#include "a.h"\n', "int a;\n"]


def test_what_is_busy_around_a_tick() -> None:
    rows = [
        SimpleNamespace(first=at, count=count, owner=owner)
        for at, count, owner in (
            (0, 5, "issue"),
            (5, 10, "idle"),
            (15, 3, "issue"),
            (18, 4, "d_miss"),
            (22, 9, "idle"),
            (31, 2, "issue"),
        )
    ]
    assert trained.busy_around(rows, 19) == 7
    for tick in (6, 32, 99):
        with pytest.raises(RunError, match="not busy there"):
            trained.busy_around(rows, tick)


def test_a_run_that_loses_frames_may_take_its_time() -> None:
    """A trace of it ends no sooner than the run itself."""
    usual, lossy = RunSpec(round_trips=10), RunSpec(round_trips=10, loss=0.1)
    assert lossy.longest > 20 * usual.longest


def test_what_cannot_be_trained_on() -> None:
    for variant in ("all", "clo", "fast", "pin"):
        with pytest.raises(UserError, match=f"{variant}: its path is copies.*std"):
            trained.check(("tcp",), variant, RunSpec.machine, {})
    for words, said in (
        (["--stack", "udp"], "no stack 'udp'"),
        (["--variant", "none"], "no variant 'none'"),
    ):
        done = CliRunner().invoke(main.app, ["layout", "outline", *words])
        assert isinstance(done.exception, UserError) and said in str(done.exception)
