# SPDX-License-Identifier: BSD-2-Clause
"""Measured figures of the pages are filled by a command, or compared by a test.

A command's block (``docgen.transcript``), a table of ``./mcpi paper --update-docs``, or a sentence
that names the test which fails when the page has other figures.
"""

import importlib.util
import re
import shlex
import subprocess

import pytest
import typer.main
from tools_support.pages import MADE, PAGES, name

from mcpi.base.repo import ROOT
from mcpi.cli import main
from mcpi.papers.tables import row
from verify.docgen import transcript

COMPARED = "fails when this page has other figures"
# Figures that only a measurement gives: sizes and clocks on an FPGA, speeds, times of this machine.
RESULT = re.compile(
    r"(?:COMB|MHz|frames/s|ticks/s|Mb/s|per second) \|[^\n]*\n\|[-:|]+\n"  # a column
    r"|[Rr]each(?:ed|es) [\d.]+ (?:and [\d.]+ )?MHz"
    r"|(?:histories|runs|instructions) a second|executions"
    r"|[Tt]akes? [\d,.]+ (?:to [\d,.]+ )?(?:s|min)\b|\d min \d+ s\b|\d+ h \d+ min|\(\d+ min\)"
)
COMMIT = re.compile(r"\bcommits? `?[0-9a-f]{7}\b")
REPORTS = sorted((ROOT / "docs" / "data").glob("*.txt"))
MEASURED = [*(page for page in PAGES if "sources" not in page.parts), *REPORTS]


def sections(text: str) -> list[str]:
    """Each with its heading, without what programs fill in and without blocks of code."""
    plain = re.sub(r"^```.*?^```", "", MADE.sub("", text), flags=re.M | re.S)
    return re.split(r"^(?=#+ )", plain, flags=re.M)


def unmeasured(text: str) -> list[str]:
    """Measured figures in a section, outside blocks, that no test compares."""
    found = []
    for section in sections(text):
        result = RESULT.search(section)
        if result and COMPARED not in " ".join(section.split()):
            found.append(f"{section.splitlines()[0]}: {result[0].splitlines()[0]!r}")
    return found


def wrong(command: str) -> str | None:
    """Why the command cannot be typed; None: it can."""
    first, *words = shlex.split(command.partition(" | ")[0])
    if first == "python3" and words[0] == "-m":
        return None if importlib.util.find_spec(words[1]) else f"no {words[1]}"
    if first == "python3":
        return None if (ROOT / words[0]).is_file() else f"no {words[0]}"
    if first != "./mcpi":
        return f"neither ./mcpi nor python3: {first}"
    there = typer.main.get_command(main.app)
    while words and words[0] in getattr(there, "commands", {}):
        there = there.commands[words.pop(0)]
    options = {o for p in there.params for o in (*p.opts, *p.secondary_opts)}
    unknown = [w for w in words if w.startswith("-") and w.partition("=")[0] not in options]
    if hasattr(there, "commands") or unknown:
        return f"no {' '.join(unknown) or words} of {there.name}"
    return None


def test_the_rules() -> None:
    page = "# A\nIt takes 5 s.\n# B\n3 MHz are wanted.\n```\ntakes 5 s\n```\n# C\nIt takes 5 s."
    page += f" `-k x` {COMPARED}.\n# D\n| | COMB | FF |\n|---|--:|--:|\n# E\n"
    page += "<!-- measured $ ./mcpi doctor -->\n```\n# at 0123abc\nIt takes 5 s\n```\n"
    assert unmeasured(page) == ["# A: 'takes 5 s'", "# D: 'COMB | FF |'"]
    assert wrong("./mcpi board build --seeds 5") is None
    assert wrong("python3 bench/march.py | tail -1") is None
    assert wrong("./mcpi board build --sedes 5") and wrong("./mcpi boards")
    assert wrong("python3 bench/x.py") and wrong("lance-bench")
    assert wrong("python3 -m verify.long_tests sim/test") is None
    assert wrong("python3 -m verify.longtests")


@pytest.mark.parametrize("page", MEASURED, ids=name)
def test_what_is_measured_is_filled_or_compared(page) -> None:
    text = page.read_text()
    assert not unmeasured(text)
    assert not COMMIT.findall(" ".join(text.split())), "a block says what commit was measured"


@pytest.mark.parametrize("page", MEASURED, ids=name)
def test_what_was_measured_can_be_again(page) -> None:
    blocks = transcript.commands(page.read_text(), transcript.MEASURED)
    assert [w for command in blocks if (w := wrong(command))] == []
    shallow = subprocess.run(
        ["git", "rev-parse", "--is-shallow-repository"], cwd=ROOT, capture_output=True, text=True
    )
    for command, said in blocks.items():
        commit = transcript.commit(said)
        assert commit, f"no commit: {command}"
        if shallow.stdout.strip() == "false":  # neither a download nor a part of the commits
            there = ["git", "merge-base", "--is-ancestor", commit, "HEAD"]
            assert subprocess.run(there, cwd=ROOT, check=False).returncode == 0, commit


def test_what_cloning_derives_from_the_paper() -> None:
    page = " ".join((ROOT / "docs/explanation/cloning.md").read_text().split())
    cost = {v: row("sigcomm96/table7_processing_costs", version=v) for v in ("BAD", "OUT", "CLO")}
    figures = []
    for stack, prefix in (("TCP/IP", "tcpip"), ("RPC", "rpc")):
        bad, clo = (
            row("sigcomm96/table6_cache_performance", stack=stack, version=v)
            for v in ("BAD", "CLO")
        )
        mcpi = float(cost["BAD"][f"{prefix}_mCPI"]) - float(cost["CLO"][f"{prefix}_mCPI"])
        ticks = round(mcpi * int(cost["BAD"][f"{prefix}_length"]), -1)
        fetches = int(bad["icache_miss"]) - int(clo["icache_miss"])
        rest = round(ticks - 13 * fetches, -2)  # ticks of a fill from the b-cache
        blocks = round(rest / 38, -1)  # more for one from memory
        figures.append((int(bad["bcache_repl"]), round(mcpi, 2), ticks, fetches, rest, blocks))
    of = list(zip(*figures))
    for words, said in (
        ("for BAD ({:,} and {:,})", of[0]),
        ("mCPI is {:.2f} (TCP/IP) and {:.2f} (RPC) above CLO's", of[1]),
        ("CLO's: {:,.0f} and {:,.0f} ticks an invocation", of[2]),
        ("The {:,} and {:,} additional i-cache misses", of[3]),
        ("The remaining {:,.0f} and {:,.0f} ticks", of[4]),
        ("some {:,.0f} and {:,.0f} b-cache misses", of[5]),
    ):
        assert words.format(*said) in page, words
    saved = int(cost["OUT"]["tcpip_length"]) - int(cost["CLO"]["tcpip_length"])
    assert f"several times the paper's {saved}" in page


def test_round_trips_of_lance_md_are_those_of_table_4() -> None:
    lance, results = (
        (ROOT / "docs" / name).read_text()
        for name in ("reference/lance.md", "explanation/results.md")
    )
    rows = lance.partition("on the IOASIC (Table 4)")[2].partition("\n## ")[0]
    ours = re.findall(r"^\| (?:TCP/IP|RPC) \| [\d.]+ \| ([\d.]+) ", rows, re.M)
    table = results.partition("<!-- table4 -->")[2]
    std = next(row for row in table.splitlines() if row.startswith("| STD |"))
    assert ours == [cell.split()[0] for cell in std.split("|")[2::2][:2]]
