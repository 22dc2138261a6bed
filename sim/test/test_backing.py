# SPDX-License-Identifier: BSD-2-Clause
"""Little RAM below the tags: what the b-cache counts depends on addresses alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from sim_support import PAL_BASE, guest, machine_json, run

from mcpi import graph
from mcpi.progress import Bar
from mcpi.record import Record

TURNS = 8
KB = 1024


@pytest.fixture(scope="module")
def simulate(tmp_path_factory):
    """simulate(option...) -> the finished simulator, and node 0's counters if it ended well."""
    record = Record()
    with Bar() as bar:
        built = graph.build(record, record.check(), bar)
    folder = tmp_path_factory.mktemp("backing")
    pal, image = guest("pal", folder, PAL_BASE), guest("conflicts", folder)
    said = run("alpha-linux-gnu-nm", image).stdout.decode().splitlines()
    at = {name: int(value, 16) for value, _, name in map(str.split, said)}
    markers = folder / "markers"
    markers.write_text(f"{at['open']},1,1\n{at['close']},2,1\n")

    def one(*options: object, image: Path = image):
        words = [built.simulator, "--out", folder / "out", "--machine", machine_json(folder)]
        words += ["--node-json", built.node_json, "--max-ticks", "1000000"]
        for node in (0, 1):
            for item in (f"pal={pal}", f"image={image}", f"markers={markers}"):
                words += ["--node", f"{node}:{item}"]
        words = [str(w) for w in (*words, *options)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            return done, None
        return done, json.loads((folder / "out" / "counters.json").read_text())["nodes"][0]

    one.firmware = built.image
    return one


def test_conflicts_2mb_apart_on_256_kb_of_ram(simulate):
    """Three blocks in one set, conflicts.S: what misses and what displaces a dirty block. The
    oracles agree, and so does a run with all the RAM."""
    done, small = simulate("--backing-bytes", 256 * KB)
    assert small, done.stderr
    path = small["path"]
    assert path["dcache.accesses"] == path["dcache.misses"] == path["bcache.loads"] == 3 * TURNS
    assert path["dcache.replacement_misses"] == 3 * TURNS
    assert path["bcache.writes"] == path["write_buffer.writes"] == 2 * TURNS
    assert path["bcache.accesses"] == 5 * TURNS
    assert path["bcache.misses"] == path["bcache.replacement_misses"] == 3 * TURNS
    assert path["bcache.victims"] == 2 * TURNS
    assert path["bcache.fetches"] == path["icache.misses"] == 0
    _, whole = simulate()
    assert small == whole, "counters, clocks too"


def test_ram_that_is_used_up_is_named(simulate):
    """The TCP image alone is larger."""
    done, _ = simulate("--backing-bytes", 64 * KB, image=simulate.firmware)
    assert done.returncode == 1
    assert "backing RAM of 65536 bytes is used up; --backing-bytes gives more" in done.stderr


def test_a_size_out_of_range_is_refused(simulate):
    done, _ = simulate("--backing-bytes", 1000)
    assert done.returncode == 2 and "65536" in done.stderr and done.stderr.count("\n") == 1
