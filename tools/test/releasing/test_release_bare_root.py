# SPDX-License-Identifier: BSD-2-Clause
"""Each artefact of a release on a new machine (``--all``; wants root): it does there what its page
says, with what its page asks for."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import mcpi
from mcpi.base.repo import ROOT
from mcpi.releasing import commit, release
from mcpi.releasing.commit import Commit

pytestmark = pytest.mark.long
PROGRAM, REGION = ROOT / "examples/conflict.c", "8 KB apart"
OWNERS = f"mcpi.exec('image.elf', out='o').regions['{REGION}'].path.totals.owners"
NEEDS = "apt-get update -qq && apt-get install -qq --no-install-recommends {} >/dev/null && "
# By artefact: what is typed, and a line that it prints. SUM: the program's ticks here.
TYPED = {
    "source": (
        "for one in *.tar.gz; do tar xf $one; done && ls mcpi-*-site/index.html "
        "mcpi-*-results/papers/README.md >/dev/null && cd mcpi-*-source && "
        "./mcpi exec examples/conflict.c",
        r"sum of owners.* SUM\b",
    ),
    "wheel": (
        NEEDS.format("python3-venv") + "python3 -m venv v && v/bin/pip install -q *.whl && "
        f'v/bin/python -c "import mcpi; print(sum({OWNERS}.values()))"',
        r"^SUM$",
    ),
    "library": (
        NEEDS.format("gcc libc6-dev make pkgconf") + "tar xf *-liblance.tar.gz && "
        "cd mcpi-*-liblance && make install PREFIX=/where >/dev/null && "
        "export PKG_CONFIG_PATH=/where/lib/pkgconfig LD_LIBRARY_PATH=/where/lib && "
        "cc hello.c $(pkg-config --cflags --libs lance) && ./a.out && "
        "python3 hello.py /where/lib/liblance.so",
        r"^(CSR0 0004 at tick \d+)\n\1$",
    ),
    "lance": (
        NEEDS.format("verilator g++ make") + "tar xf *-lance.tar.gz && "
        "cd mcpi-*-lance/wishbone-mii && verilator --binary --timing -Wno-fatal lance_tb.v "
        "LanceWishboneMii.v >/dev/null && obj_dir/Vlance_tb",
        r"^PASS: a frame of 60 bytes",
    ),
    "drivers": (
        NEEDS.format("python3-venv") + "tar xf *-cocotb.tar.gz && python3 -m venv v && "
        "v/bin/pip install -q ./mcpi-*-cocotb && "
        'v/bin/python -c "import cocotbext.mcpi as it; print(it.VERILOG.exists())"',
        r"^True$",
    ),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Path, int]:
    """A repository that has the release's files and a program, for bare-root to clone; the
    program's ticks."""
    if os.getuid():
        pytest.skip("wants root")
    place = tmp_path_factory.mktemp("release") / "made"
    name, seconds, date = commit.git("show", "-s", "--format=%H %ct %cs", "HEAD").split()
    with pytest.MonkeyPatch.context() as patch:  # whatever has been changed since
        patch.setattr(commit, "read", lambda: Commit("0.2.0", name, int(seconds), date))
        release.write(place, (*TYPED, "site", "results"))
    run = mcpi.exec(PROGRAM, out=place.parent / "run")
    shutil.copy(run.folder / "image.elf", place)
    who = ("-c", "user.name=t", "-c", "user.email=t@t")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "release")):
        subprocess.run(["git", *words], cwd=place, check=True)
    return place, sum(run.regions[REGION].path.totals.owners.values())


def typed(place: Path, command: str) -> subprocess.CompletedProcess:
    words = [ROOT / "setup" / "bare-root", "--from", place, "--", command]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode == 125:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    return done


@pytest.mark.parametrize("name", TYPED)
def test_an_artefact_does_what_its_page_says(name: str, made: tuple[Path, int]) -> None:
    place, ticks = made
    command, line = TYPED[name]
    done = typed(place, command)
    assert done.returncode == 0, done.stderr[-3000:]
    line = line.replace("SUM", f"{ticks:,}" if name == "source" else str(ticks))
    assert re.search(line, done.stdout, re.M), done.stdout[-3000:]
