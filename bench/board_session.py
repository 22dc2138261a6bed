# SPDX-License-Identifier: BSD-2-Clause
"""Session of a user with two boards: ``./mcpi board simulate`` and the commands at its ports, for
docs/how-to/boards.md.

    python3 bench/board_session.py
"""

import os
import select
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = Path("build") / "serial"
PORTS = [str(OUT / f"serial.{n}") for n in (0, 1)]
COMMANDS = [["board", "run", "--port", PORTS[0], "--port", PORTS[1], "--round-trips", "10"]]
SECONDS = 1800  # until both ports are there: the simulator may have to be built


def mcpi(*words: str) -> list[str]:
    return [sys.executable, "-m", "mcpi", *words]


def main() -> None:
    env = os.environ | {"PYTHONPATH": str(ROOT / "tools"), "NO_COLOR": "1", "COLUMNS": "98"}
    kept = {"cwd": ROOT, "env": env, "text": True}
    for port in PORTS:
        (ROOT / port).unlink(missing_ok=True)
    boards = subprocess.Popen(
        mcpi("board", "simulate"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **kept,
    )
    try:
        end = time.monotonic() + SECONDS
        while not all((ROOT / port).exists() for port in PORTS):
            if boards.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"board simulate: {boards.stdout.read()}")
            if select.select([boards.stdout], [], [], 0.2)[0]:
                os.read(boards.stdout.fileno(), 65536)
        print("$ ./mcpi board simulate &")
        for words in COMMANDS:
            done = subprocess.run(mcpi(*words), capture_output=True, check=False, **kept)
            if done.returncode:
                raise SystemExit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
            print(f"$ ./mcpi {' '.join(words)}\n{done.stdout.strip()}")
    finally:
        boards.stdin.close()
        boards.kill()
        boards.wait()


if __name__ == "__main__":
    main()
