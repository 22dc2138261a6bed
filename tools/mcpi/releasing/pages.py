# SPDX-License-Identifier: BSD-2-Clause
"""The pages of a release: its README, and the verification with counts and dates."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from mcpi.base.blocks import table
from mcpi.base.repo import ROOT
from mcpi.releasing import commit as of
from mcpi.releasing.commit import Commit

LIT = ROOT / "boards" / "lit.csv"
PROOFS = "docs/data/proofs.csv"
TEST = re.compile(r"^\s*(?:async )?def test_\w+", re.M)
FOUND = "found.csv"


def rows(name: str) -> list[dict[str, str]]:
    """Rows of a CSV file of the checkout, without its comments."""
    lines = (ROOT / name).read_text().splitlines()
    return [*csv.DictReader(line for line in lines if not line.startswith("#"))]


def boards() -> str:
    """Sentence on whether a board has been switched on, by boards/lit.csv."""
    lit = rows(str(LIT.relative_to(ROOT)))
    if not lit:
        return (
            "**No board has been switched on.** All figures are those of simulators; the FPGA "
            "designs were placed and routed, and simulated, and no hardware has run them."
        )
    named = ", ".join(
        f"{row['board']} ({row['machine']}, {row['commit'][: of.SHORT]})" for row in lit
    )
    return f"Boards that a first light has led to a round trip: {named}."


def readme(commit: Commit, files: Mapping[str, str], missing: Mapping[str, str],
           moving: Iterable[str]) -> str:  # fmt: skip
    """``files``: what each file is, by name; ``missing``: what is not there, and why; ``moving``:
    files whose bytes another computer may not repeat."""
    lines = [f"# mCPI {commit.version}", "", f"Commit {commit.name} of {commit.date}.", ""]
    lines += [boards(), "", table(["file", "is"], [(f"`{n}`", w) for n, w in files.items()]), ""]
    lines += ["`sha256sum -c SHA256SUMS` checks all files.", ""]
    same = "Two releases of the commit have the same bytes"
    moved = ", ".join(f"`{name}`" for name in moving)
    why = "Other packages of Debian, or another placement, make other bytes of these files."
    lines += [f"{same}, but for {moved}. {why}" if moved else f"{same}.", ""]
    if missing:
        lines += ["## Not in this release", ""]
        lines += [f"- {name}: {why}" for name, why in missing.items()] + [""]
    lines += ["The licence of mCPI is BSD-2-Clause (`LICENSE` in the source archive). The archive"]
    lines += ["of licences and the SBOM list the software of others.", ""]
    return "\n".join(lines)


def verification(commit: Commit) -> str:
    """Tests, proofs and planted mistakes of the commit, with the day of each file's last change."""
    tests = Counter()
    for name in of.files("*test_*.py"):
        tests[name.split("/")[0]] += len(TEST.findall((ROOT / name).read_text()))
    cells = [(f"`{top}/`", f"{count:,}") for top, count in sorted(tests.items()) if count]
    lines = [f"# Verification of mCPI {commit.version}", "", boards(), ""]
    lines += [f"This page counts what commit {commit.name} has to check it. `./mcpi test --all` in"]
    lines += ["a clone of the commit runs all of it.", "", "## Tests", ""]
    lines += [table(["in", "test functions"], [*cells, ("all", f"{tests.total():,}")]), ""]
    lines += ["## Proofs", "", f"`{PROOFS}` of {of.dated(PROOFS)} says what each proof shows.", ""]
    proofs = Counter(row["part"] for row in rows(PROOFS))
    cells = [(part, str(n)) for part, n in proofs.items()]
    lines += [table(["part", "proofs"], [*cells, ("all", str(proofs.total()))]), ""]
    lines += ["## Planted mistakes", "", "Each file lists mistakes that a test must find.", ""]
    lists = [(f"`{n}`", str(len(rows(n))), of.dated(n)) for n in of.files("*mutants.csv")]
    lists += [(f"`{n}`, found", str(len(rows(n))), of.dated(n)) for n in of.files(f"*{FOUND}")]
    lines += [table(["file", "mistakes", "last changed"], lists), ""]
    return "\n".join(lines)
