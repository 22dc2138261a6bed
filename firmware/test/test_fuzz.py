# SPDX-License-Identifier: BSD-2-Clause
"""The fuzzer (docs/fuzzing.md): 2500 runs of it, a million with ./mcpi test --all.

By number of runs, not by time: what comes out does not depend on the machine's speed.
MCPI_FUZZ_RUNS and MCPI_FUZZ_SEED change how many and which.
"""

import os
import subprocess
from pathlib import Path

import pytest
from fuzz_coverage import by_protocol, measure
from host_build import fuzzer

from mcpi.paths import BUILD

RUNS = {"short": 2500, "long": 1_000_000}
# Percent of lines; a short run must come this far in every protocol.
FLOOR = {"short": 50, "long": 75}


def grow(folder: Path, runs: int, seed: int) -> str:
    """Run it; what it counted. A finding fails, with the line that shows it again."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    done = subprocess.run(
        [fuzzer(), str(runs), str(seed), folder],
        capture_output=True,
        text=True,
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
    )
    assert done.returncode == 0, f"{done.stderr[-5000:]}\n{done.stdout}"
    return done.stdout


@pytest.mark.parametrize("length", ["short", pytest.param("long", marks=pytest.mark.long)])
def test_fuzz(length: str) -> None:
    runs = int(os.environ.get("MCPI_FUZZ_RUNS", RUNS[length]))
    seed = int(os.environ.get("MCPI_FUZZ_SEED", "1"))
    folder = BUILD / "fuzz" / length
    said = grow(folder, runs, seed)
    files = measure(sorted(folder.glob("*.edge")))
    print(said)
    for path, covered in sorted(files.items()):
        print(f"{path:36} {covered}")
    protocols = by_protocol(files)
    for name, covered in protocols.items():
        print(f"{name:36} {covered}")
    assert len(protocols) >= 15
    for name, covered in protocols.items():
        assert 100 * covered.lines_run >= FLOOR[length] * covered.lines, f"{name}: {covered}"
