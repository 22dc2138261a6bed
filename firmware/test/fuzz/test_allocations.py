# SPDX-License-Identifier: BSD-2-Clause
"""Every place in kernel and protocols that asks for memory has been refused it, and lived.

The fuzzer's orderly conversations (fuzz/seeds.c) are run again and again, another allocation fails
each time; and every allocation of the start. The host's heap notes who was refused.
"""

import os
import re
import subprocess
from pathlib import Path

from firmware_support.host_build import FIRMWARE, fuzz_replay, run

from mcpi.base.process import heard

# Functions that allocate, and those of the kernel that allocate for their callers.
ASKS = "xk_allocate|xk_allocate_zeroed|xCreateSession|map_init|map_bind|msg_init_bytes"
ASKS += "|msg_init_copy|msg_join"
PARALLEL = ("protocols/fddi/", "protocols/mpdriver/")  # test_smp.py refuses these
CALL = re.compile(rf"\scall\s.*<({ASKS})(@plt)?>")


def lines_of(program: Path, addresses: list[int]) -> set[str]:
    """Source lines of these return addresses, those of kernel and protocols alone."""
    asked = "".join(f"{a - 1:#x}\n" for a in sorted(set(addresses)))
    words = ["addr2line", "-e", str(program)]
    said = subprocess.run(words, input=asked, check=True, capture_output=True, text=True).stdout
    found = set()
    for line in said.splitlines():
        path, _, number = line.split(" ")[0].rpartition(":")
        # An object that ccache has from another checkout names the files of that one.
        below = os.path.normpath(path).rpartition(f"/{FIRMWARE.name}/")[2]
        if below.startswith(("xkernel/", "protocols/")):
            found.add(f"{below}:{number}")
    return found


def sites(program: Path) -> set[str]:
    """Lines of the program that ask for memory."""
    code = run(["objdump", "-d", "--no-show-raw-insn", program]).stdout.splitlines()
    calls = [n for n, line in enumerate(code) if CALL.search(line)]
    behind = [int(code[n + 1].split(":")[0], 16) for n in calls]
    return lines_of(program, behind)


def test_every_place_that_allocates_is_refused(tmp_path: Path) -> None:
    noted = tmp_path / "refused"
    fuzz = fuzz_replay()
    run([fuzz, "--seeds", tmp_path])
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "MCPI_HOST_REFUSED": str(noted)}
    seeds = sorted(tmp_path.glob("seed*"))
    for words in (["--refuse", *seeds], ["--refuse-start"]):
        words = [str(w) for w in [fuzz, *words]]
        done = heard(words, env=environment)
        assert done.returncode == 0, f"{done.stdout[-2000:]}{done.stderr[-3000:]}"
    lines = [line.split()[1:] for line in noted.read_text().splitlines()]
    refused = lines_of(fuzz, [int(address, 16) for line in lines for address in line])
    everywhere = {site for site in sites(fuzz) if not site.startswith(PARALLEL)}
    print(f"{len(everywhere)} places, {len(everywhere & refused)} of them refused")
    assert len(everywhere) > 50
    assert not everywhere - refused, f"never refused: {sorted(everywhere - refused)}"
