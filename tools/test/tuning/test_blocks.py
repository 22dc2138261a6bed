# SPDX-License-Identifier: BSD-2-Clause
"""Profiles of blocks: what is recorded is what the machine executed, and what is checked in is of
today's sources."""

from functools import cache

import pytest
from typer.testing import CliRunner

from mcpi.base.errors import UserError
from mcpi.base.progress import Silent
from mcpi.cli import main
from mcpi.firmware.blocks import profile
from mcpi.firmware.blocks.profile import ENTRY, Profile
from mcpi.spec.run_spec import STACKS, RunSpec
from mcpi.tuning import blocks

OFF = ("WORDS", "REFRESH", "USC", "MAPINL", "INLINE", "NODIV", "MISC")  # Table 1's
DEFINES = {"steady": (), "stale": tuple(f"XK_{name}=0" for name in OFF)}
LEAST = 0.9  # of the functions of a profile have the blocks of today


@cache
def recorded(name: str) -> Profile:
    return blocks.make(STACKS, RunSpec.machine, DEFINES[name], Silent())[0]


def same(name: str) -> float:
    """The share of the functions in a profile that has today's blocks."""
    there, today = profile.read(profile.file_of(name)), recorded(name)
    return sum(key in today and today[key].blocks == w.blocks for key, w in there.items()) / len(
        there
    )


def test_the_checked_in_profile_is_of_todays_blocks() -> None:
    assert same("steady") >= LEAST


@pytest.mark.long
@pytest.mark.parametrize("name", DEFINES)
def test_the_command_would_write_what_is_checked_in(name: str) -> None:
    """`./mcpi layout profile` after each change of the firmware."""
    assert profile.text(recorded(name)) == profile.file_of(name).read_text()


def test_ways_are_the_instructions_that_were_executed() -> None:
    """A second opinion: what the ways say of each block is what the trace has of its first
    instruction, and blocks lie where the trace has no branch into their middle."""
    traced = blocks._traced("tcp", "client", RunSpec.machine, (), Silent())
    training, found = traced.training, blocks.counted(traced)
    ways = found["protocols/ip/ip_demux.c", "ip_demux"]
    function = training.program.functions["ip_demux"]
    assert ways.times[ENTRY, 0] == training.counts[function.start] == blocks.ROUND_TRIPS
    inside = {pc: n for pc, n in training.counts.items() if function.start <= pc < function.end}
    assert len(ways.executed) < ways.blocks  # something was never executed
    assert max(ways.times.values()) <= max(inside.values())
    taken = sum(n for (start, end), n in training.ways.items() if start in inside and end in inside
                and end != start + 4)  # fmt: skip
    assert 0 < taken < sum(n for (start, _), n in ways.times.items() if start != ENTRY)


def test_defines_that_nothing_depends_on_are_refused() -> None:
    done = CliRunner().invoke(main.app, ["layout", "profile", "x", "--define", "XK_NOTHING=0"])
    assert isinstance(done.exception, UserError) and "no such switch" in str(done.exception)
