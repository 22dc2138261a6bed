# SPDX-License-Identifier: BSD-2-Clause
"""Little RAM below the tags: what the b-cache counts depends on addresses alone."""

import pytest
from sim_support.simulators import build, counters, guests, machine_json, simulate, window

TURNS = 8
KB = 1024


@pytest.fixture(scope="module")
def consult(tmp_path_factory):
    """consult(option...) -> the finished simulator, and node 0's counters if it ended well."""
    built, folder = build(), tmp_path_factory.mktemp("backing")
    small = guests("conflicts", folder)
    small = (*small, window(folder / "conflicts.elf", folder))

    def one(*options: object, items=small):
        machine = machine_json(folder)
        words = ("--max-ticks", "1000000", *options)
        done = simulate(built, folder / "out", machine, *words, items=items)
        return done, None if done.returncode else counters(folder / "out")[0]

    return one


def test_conflicts_2mb_apart_on_256_kb_of_ram(consult):
    """Three blocks in one set, conflicts.S: what misses and what displaces a dirty block. The
    oracles agree, and so does a run with all the RAM."""
    done, small = consult("--backing-bytes", 256 * KB)
    assert small, done.stderr
    path = small["path"]
    assert path["dcache.accesses"] == path["dcache.misses"] == path["bcache.loads"] == 3 * TURNS
    assert path["dcache.replacement_misses"] == 3 * TURNS
    assert path["bcache.writes"] == path["write_buffer.writes"] == 2 * TURNS
    assert path["bcache.accesses"] == 5 * TURNS
    assert path["bcache.misses"] == path["bcache.replacement_misses"] == 3 * TURNS
    assert path["bcache.victims"] == 2 * TURNS
    assert path["bcache.fetches"] == path["icache.misses"] == 0
    _, whole = consult()
    assert small == whole, "counters, clocks too"


def test_ram_that_is_used_up_is_named(consult):
    """The TCP image alone is larger."""
    done, _ = consult("--backing-bytes", 64 * KB, items=())
    assert done.returncode == 1
    assert "backing RAM of 65536 bytes is used up; --backing-bytes gives more" in done.stderr


def test_a_size_out_of_range_is_refused(consult):
    done, _ = consult("--backing-bytes", 1000)
    assert done.returncode == 2 and "65536" in done.stderr and done.stderr.count("\n") == 1
