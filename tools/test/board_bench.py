# SPDX-License-Identifier: BSD-2-Clause
"""Two simulated boards on pseudo-terminals, and a line that flips bits, for tests."""

import random
import subprocess
from pathlib import Path

from mcpi import graph, run
from mcpi.progress import Bar
from mcpi.record import Record
from mcpi.serial_port import Port


class Bench:
    """``mcpi-sim --serial`` at work; ``ports`` of client and server."""

    def __init__(self, folder: Path, record: Record, *options: str) -> None:
        machine = record.check()
        with Bar() as bar:
            self.built = graph.build(Record(**(vars(record) | {"engine": "rtl"})), machine, bar)
        folder.mkdir(parents=True, exist_ok=True)
        description = folder / "machine.json"
        description.write_text(machine.to_json())
        words = [self.built.simulator, "--serial", "--out", folder, "--machine", description]
        words += ["--node-json", self.built.node_json, *options]
        self.child = subprocess.Popen(
            [str(w) for w in words], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        said = self.child.stderr.readline()
        assert said.startswith("ready "), said
        self.ports = tuple(said.split()[1:])

    def prepare(self, place: Path, record: Record) -> list[int]:
        """The folder of a run; its phases."""
        run.prepare(place, record, self.built)
        return run.phases_of(record.seed, 1, record.check())

    def end(self) -> None:
        """As if the cables were pulled."""
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
