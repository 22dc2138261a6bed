# SPDX-License-Identifier: BSD-2-Clause
"""Two simulated boards on pseudo-terminals, and a line that flips bits, for tests."""

import json
import random
import subprocess
from pathlib import Path

from mcpi.build import graph, run_folder
from mcpi.engines.board.node import BoardNode
from mcpi.hardware.hostlink import HostLink
from mcpi.hardware.serial_port import Port
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import RunSpec


def quiet(*_) -> None:
    """In the place of a progress bar."""


class Bench:
    """``mcpi-sim board`` at work; ``ports`` of client and server."""

    def __init__(self, folder: Path, record: RunSpec, *options: str) -> None:
        machine = record.check()
        self.built = graph.build(RunSpec(**(vars(record) | {"engine": "rtl"})), machine)
        folder.mkdir(parents=True, exist_ok=True)
        description = folder / "machine.json"
        description.write_text(machine.to_json())
        words = [self.built.simulator, "board", "--out", folder, "--machine", description]
        words += ["--node-json", self.built.node_json, *options]
        self.child = subprocess.Popen(
            [str(w) for w in words], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        said = self.child.stderr.readline()
        assert said.startswith("ready "), said
        self.ports = tuple(said.split()[1:])

    def prepare(self, place: Path, record: RunSpec) -> list[int]:
        """The folder of a run; its phases."""
        machine = record.check()
        run_folder.prepare(place, record, machine, self.built)
        return run_jobs.phases_of(record.seed, 1, machine)

    def node(self, port: Port | None = None) -> BoardNode:
        """The client. With patience: a simulated board that is held answers late on a busy
        computer."""
        names = json.loads(self.built.node_json.read_text())["registers"]
        return BoardNode(HostLink(port or Port(self.ports[0], 115200), patience=60.0), names, [])

    def end(self) -> None:
        """End the boards, as if the cables were pulled."""
        self.child.kill()
        self.child.wait()


class NoisyPort(Port):
    """Flips a bit in about one of ``every`` bytes, each way, and now and then loses one."""

    def __init__(self, path: str, baud: int, every: int, seed: int) -> None:
        super().__init__(path, baud)
        self.random, self.every, self.spoiled = random.Random(seed), every, 0

    def _spoil(self, data: bytes) -> bytes:
        spoiled = bytearray()
        for byte in data:
            if self.random.randrange(self.every):
                spoiled.append(byte)
                continue
            self.spoiled += 1
            if self.random.randrange(4):
                spoiled.append(byte ^ 1 << self.random.randrange(8))
        return bytes(spoiled)

    def write(self, data: bytes) -> None:
        super().write(self._spoil(data))

    def read(self, count: int, timeout: float) -> bytes:
        return self._spoil(super().read(count, timeout))
