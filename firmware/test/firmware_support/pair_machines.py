# SPDX-License-Identifier: BSD-2-Clause
"""Runs two whole images against each other on the instruction-set model (pair.cpp)."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mcpi.base import staging
from mcpi.base.process import heard
from mcpi.base.repo import BUILD, FIRMWARE, ROOT
from mcpi.build import models, native
from mcpi.firmware import images
from mcpi.firmware.images import Plan
from mcpi.machine import cpp_headers, profile
from mcpi.spec.numbers import STACKS

SIM = ROOT / "sim"
MODEL = [*models.ALPHA, "alpha/devices.cpp", "link/frame.cpp"]
LOADER = [f"base/{n}.cpp" for n in ("machine", "markers", "loader", "bootparams")]
OUT = BUILD / "test-model"


@cache
def program(name: str) -> Path:
    """``firmware/test/models/<name>.cpp`` on the models."""
    room = FIRMWARE / "test" / "models"
    sources = [room / f"{name}.cpp", *(SIM / n for n in MODEL + LOADER)]
    command = ["g++", "-std=c++17", "-O1", f"-I{SIM}", f"-I{cpp_headers.write()}"]
    command += [f"-I{room}"]
    native.make(OUT, native.program(OUT / name, sources, command))
    return OUT / name


@dataclass(frozen=True)
class Done:
    """``instructions`` of each machine; ``frames``: (sender, bytes), and ``watched``: executions by
    (machine, address), and ``read``: quadwords at the end by the same, if they were asked for."""

    instructions: dict[int, int]
    count: int
    frames: list[tuple[int, bytes]]
    watched: dict[tuple[int, int], int]
    read: dict[tuple[int, int], int]


def build(variant: str, stack: str, role: str = "client", defines: tuple[str, ...] = ()) -> Plan:
    resolved = profile.load("dec3000-600")
    return images.build(images.plan(resolved, variant, stack, defines, role=role))


def run(stack: str, client: Plan, server: Plan, ticks: int, *options: object) -> Done:
    """Both must end with exit code 0."""
    description = OUT / "machine.json"
    command = [
        program("pair"),
        description,
        client.pal,
        client.image,
        ticks,
        "--peer",
        server.image,
    ]
    staging.write(description, profile.load("dec3000-600").to_json())
    words = [*map(str, [*command, *options]), f"stack={STACKS[stack]}"]
    done = heard(words, timeout=300)
    said = re.sub(r"frame .*\n", "", done.stdout)
    assert done.returncode == 0, f"{' '.join(words)}\n{said}{done.stderr}"
    rows = re.findall(r"node (\d): exited 1 code 0 instructions (\d+) misuse 0", said)
    assert [n for n, _ in rows] == ["0", "1"]
    watched, read = (
        {
            (int(n), int(address, 16)): int(value)
            for n, address, value in re.findall(rf"{what} (\d) (\w+) (\d+)", said)
        }
        for what in ("watched", "read")
    )
    frames = re.findall(r"frame (\d) ([0-9a-f]+)\n", done.stdout)
    return Done(
        {int(n): int(count) for n, count in rows},
        int(re.search(r"frames (\d+)", said)[1]),
        [(int(n), bytes.fromhex(data)) for n, data in frames],
        watched,
        read,
    )
