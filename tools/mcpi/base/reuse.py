# SPDX-License-Identifier: BSD-2-Clause
"""How much of a session of ``./mcpi test`` was there before, under the same digest.

A session is a folder, named by an environment variable that all processes of the session have.
"""

import collections
import os
from pathlib import Path

SESSION = "MCPI_TEST_SESSION"


def session() -> Path | None:
    """The folder of the session that this process belongs to."""
    return Path(os.environ[SESSION]) if SESSION in os.environ else None


def note(kind: str, reused: bool) -> None:
    """Record that a thing of this kind was wanted. A line is short enough to be appended at
    once."""
    if folder := session():
        with open(folder / "reuse", "a") as file:
            file.write(f"{kind},{'reused' if reused else 'made'}\n")


def summary() -> str:
    """'3 of 4 proofs, 0 of 2 syntheses'."""
    folder = session()
    if not folder or not (folder / "reuse").exists():
        return "nothing"
    lines = collections.Counter((folder / "reuse").read_text().splitlines())
    kinds = sorted({line.partition(",")[0] for line in lines})
    counts = {k: (lines[f"{k},reused"], lines[f"{k},made"]) for k in kinds}
    return ", ".join(f"{reused} of {reused + made} {k}" for k, (reused, made) in counts.items())
