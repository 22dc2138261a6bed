# SPDX-License-Identifier: BSD-2-Clause
"""A whole image, TCP or RPC, twice, over a functional LANCE and a wire: all of it together.

The processors are the simulator room's instruction-set model; time is one instruction a tick, so
nothing here says anything about speed.
"""

import re
import subprocess

import pytest

from mcpi import firmware, machine
from mcpi.paths import BUILD, ROOT
from mcpi.simulate import STACKS

SIM = ROOT / "sim"
MODEL = [f"models/alpha/{n}.cpp" for n in ("operate", "cpu", "pal", "disassemble", "devices")]
LOADER = [f"driver/{n}.cpp" for n in ("machine", "loader", "bootparams")]


@pytest.fixture(scope="module")
def pair():
    target = BUILD / "test-model" / "pair"
    target.parent.mkdir(parents=True, exist_ok=True)
    room = firmware.FIRMWARE / "test"
    sources = [room / "pair.cpp", room / "lance_model.cpp", *(SIM / n for n in MODEL + LOADER)]
    command = ["g++", "-std=c++17", "-O1", f"-I{SIM}", f"-I{room}", *map(str, sources)]
    subprocess.run([*command, "-o", str(target)], check=True)
    return target


def run(pair, folder, stack, ticks, *options):
    resolved = machine.load("dec3000-600")
    built = firmware.build(firmware.plan(resolved, "std", stack))
    description = folder / "machine.json"
    description.write_text(resolved.to_json())
    command = [pair, description, built.pal, built.image, ticks, *options]
    command.append(f"stack={STACKS[stack]}")
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    rows = re.findall(r"node (\d): exited 1 code 0 instructions (\d+) misuse 0", done.stdout)
    frames = int(re.search(r"frames (\d+)", done.stdout)[1])
    assert [n for n, _ in rows] == ["0", "1"]
    return {int(n): int(count) for n, count in rows}, frames


@pytest.mark.parametrize("stack", STACKS)
def test_ping_pong(pair, tmp_path, stack):
    """Two frames an exchange, and a few to open and close; the same instructions for each exchange
    but for the timer's, and within the frame of the paper's 4750 and 4291 for the path alone."""
    few, frames_few = run(pair, tmp_path, stack, 10**9, "round_trips=50", "warmup=10")
    many, frames_many = run(pair, tmp_path, stack, 10**9, "round_trips=150", "warmup=10")
    assert frames_many - frames_few == 2 * 100
    for node in (0, 1):
        each = (many[node] - few[node]) / 100
        assert 2500 < each < 7000


@pytest.mark.parametrize("stack", STACKS)
def test_lost_frames(pair, tmp_path, stack):
    """Every seventh frame is lost: both recover, the driver does nothing it must not."""
    _, frames = run(pair, tmp_path, stack, 10**11, "--lose", "7", "round_trips=20", "warmup=2")
    assert frames > 2 * 22
