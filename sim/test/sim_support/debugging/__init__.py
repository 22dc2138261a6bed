# SPDX-License-Identifier: BSD-2-Clause
"""GDB on a run of ours: commands in, what it prints out."""

import re
from pathlib import Path

from mcpi.base.progress import Silent
from mcpi.engines import debugging
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec

LONGEST = 120  # seconds of a script


def prepared(
    spec: RunSpec | ProgramSpec | NodeSpec, place: Path, at_failure: bool = False
) -> debugging.Prepared:
    return debugging.prepare(spec, place, Silent(), at_failure)


def gdb(run: debugging.Prepared, commands: str) -> list[str]:
    """The answer to each of these commands, a line each; GDB has gone to main of a program."""
    lines = commands.strip().splitlines()
    script, said = run.place / "commands.gdb", run.place / "gdb.txt"
    told = "".join(f"echo >>> \\n\n{line}\n" for line in lines)
    # An answer to `maint packet` may take longer than the two seconds that GDB waits.
    usual = f"set width 0\nset remotetimeout {LONGEST}\n"
    script.write_text(f"{usual}{told}echo >>> \\n\n")
    with said.open("w") as into:
        debugging.debug(run, script, into, LONGEST)
    text = said.read_text()
    found = [part.strip() for part in re.split(r"^>>> \n", text, flags=re.M)[1:]]
    assert len(found) >= len(lines), text
    return found[: len(lines)]


def number(answer: str) -> int:
    """The number that `monitor tick` or `print` says first."""
    return int(re.search(r"(?:tick|=) (-?\d+)", answer)[1])
