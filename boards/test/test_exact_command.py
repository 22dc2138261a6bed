# SPDX-License-Identifier: BSD-2-Clause
"""Two boards in exact time from the command line: simulated, run, and compared with engine exact,
with real and with ideal memory."""

import subprocess
import time

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.engines.board import cabled, record

CASES = [(stack, variant) for stack in ("tcp", "rpc") for variant in ("std", "all")]
LONGEST = 3600  # seconds; with ideal memory the firmware comes over the serial line


@pytest.mark.long
@pytest.mark.parametrize(("stack", "variant"), CASES)
def test_boards_are_checked(tmp_path, stack, variant):
    cabled.built("dec3000-600", {})
    pins, said = tmp_path / "pins", tmp_path / "said"
    both = "--stack", stack, "--variant", variant
    words = ["./mcpi", "board", "simulate", "--exact-time", *both, "--out", str(pins)]
    with said.open("w") as stream:
        child = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=stream, cwd=ROOT)
    try:
        while "ready " not in said.read_text():
            assert child.poll() is None, said.read_text()
            time.sleep(0.1)
        ports = [word for n in (0, 1) for word in ("--port", str(pins / f"serial.{n}"))]
        more = ["--peer-variant", variant, "--round-trips", "2", "--warmup", "1"]
        run = ["./mcpi", "run", "--engine", "board", *ports, *both, *more, "--check"]
        done = heard([*run, "--out", str(tmp_path / "run")], cwd=ROOT, timeout=LONGEST)
    finally:
        child.stdin.close()  # ends the boards
        child.wait()
    assert done.returncode == 0, done.stderr
    # Counters, consoles and the record, with real and with ideal memory.
    files = 2 * (3 + len(record.FILES))
    assert f"checked on engine exact: {files} files, the same" in done.stderr
    print(done.stdout, done.stderr, sep="\n")
