# SPDX-License-Identifier: BSD-2-Clause
"""The debugger's times: any tick of many round trips, and back to a watchpoint over 100 of them.

    python3 bench/debug.py [--round-trips 10000] [--places 20]

It speaks GDB's protocol itself: GDB's own time is not in the figures. Seconds are the wall's.
"""

import argparse
import random
import re
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from mcpi.api import debugging
from mcpi.base.progress import Silent
from mcpi.spec.run_spec import RunSpec

WAY = 100  # round trips of the search
CODE = 0xFFFFFC0000100000  # the image's first instruction


class Target:
    """The server on a run, and its packets."""

    def __init__(self, run: debugging.Prepared, folder: Path):
        path = folder / debugging.SOCKET
        self.process = subprocess.Popen(
            [run.server, path, str(run.nodes), *run.words],
            cwd=run.place,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not path.exists():
            time.sleep(0.02)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.bytes = b""
        self.ask("QStartNoAckMode")

    def ask(self, packet: str) -> tuple[str, str]:
        """The reply, and what was said before it."""
        self.socket.sendall(f"${packet}#{sum(packet.encode()) & 0xFF:02x}".encode())
        said = ""
        while True:
            while not (found := re.match(rb"[+]*\$([^#]*)#..", self.bytes)):
                self.bytes += self.socket.recv(1 << 16)
            self.bytes = self.bytes[found.end() :]
            reply = found[1].decode()
            if reply[:1] == "O" and reply != "OK":
                said += bytes.fromhex(reply[1:]).decode()
                continue
            return reply, said

    def monitor(self, words: str) -> str:
        return self.ask(f"qRcmd,{words.encode().hex()}")[1]

    def tick(self) -> int:
        return int(self.monitor("tick").split()[1].rstrip(","))

    def megabytes(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def target(round_trips: int, folder: str) -> Target:
    """The server on a run of so many round trips, which stands at its end."""
    spec = RunSpec(stack="tcp", variant="all", round_trips=round_trips)
    place = Path(folder) / str(round_trips)
    place.mkdir()
    found = Target(debugging.prepare(spec, place / "run", Silent()), place)
    began = time.monotonic()
    found.monitor(f"goto {10**13}")
    seconds = time.monotonic() - began
    print(f"{round_trips:,} round trips, {found.tick():,} ticks: the first time in {seconds:.1f} s")
    return found


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--round-trips", type=int, default=10_000)
    words.add_argument("--places", type=int, default=20)
    given = words.parse_args()
    with tempfile.TemporaryDirectory(prefix="mcpi-bench-") as folder:
        long = target(given.round_trips, folder)
        last, draw, seconds = long.tick(), random.Random(1), []
        for _ in range(given.places):
            where = draw.randrange(last)
            began = time.monotonic()
            long.monitor(f"goto {where}")
            seconds.append(time.monotonic() - began)
            assert long.tick() == where
        middle = sorted(seconds)[len(seconds) // 2]
        print(f"any tick: median {middle:.2f} s, at most {max(seconds):.2f} s", end="; ")
        print(f"peak memory {long.megabytes():.0f} MB")
        long.process.terminate()
        short = target(WAY, folder)
        short.ask(f"Z2,{CODE:x},8")  # which nobody writes: the search goes through all of it
        began = time.monotonic()
        reply, _ = short.ask("bc")
        assert "replaylog:begin" in reply and short.tick() == 0
        print(f"back through {WAY} round trips and the start: {time.monotonic() - began:.2f} s")
        short.process.terminate()


if __name__ == "__main__":
    main()
