# SPDX-License-Identifier: BSD-2-Clause
"""The last instructions of a run: before its fault, or before its end."""

from pathlib import Path

import pytest
from tools_support.command import mcpi, refused
from tools_support.kanata import read

from mcpi.analysis.attribution import Tick
from mcpi.api import last_instructions, tracing
from mcpi.base.errors import RunError
from mcpi.base.repo import FIRMWARE
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RTL
from mcpi.tracing.span_selection import Wanted

FAULTS = FIRMWARE / "test" / "programs" / "faults.c"
A, PAL = 0x100, 0x4001
KINDS = {1: "assert", 2: "unaligned", 3: "division", 5: "instruction", 7: "abort"}


def row(first: int, owner: str, pc: int | None = None, count: int = 1) -> Tick:
    return Tick(first, count, owner, pc, ())


ROWS = [
    row(10, "issue", A), row(11, "shift", count=3), row(14, "issue", A + 4),
    row(15, "issue", A + 8), row(16, "exception", count=5), row(21, "issue", PAL),
    row(22, "idle", count=8),
]  # fmt: skip


def test_before_what_did_it() -> None:
    """To its last passage; else to the last that is not PALcode's, and what follows it."""
    span = last_instructions.before(ROWS, 2, "why", None)
    assert (span.start, span.marked, span.end) == (11, 15, 21)
    assert span.why == "the last 2 instructions before why"
    span = last_instructions.before(ROWS, 5, "why", A + 4)
    assert (span.start, span.marked, span.end) == (10, 14, 15)
    span = last_instructions.before(ROWS[5:], 1, "why", A)
    assert (span.start, span.marked, span.end) == (21, 21, 30)
    with pytest.raises(RunError, match="no instruction issues"):
        last_instructions.before(ROWS[6:], 1, "why", None)


def spec(kind: int, folder: Path, **more) -> ProgramSpec:
    source = folder / f"fault{kind}.c"
    source.write_text(FAULTS.read_text().replace("FAULT)", f"{kind})"))
    return ProgramSpec((str(source),), **more)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_fails_ends_with_its_fault(kind: int, tmp_path: Path) -> None:
    """The marked instruction is in the line that did it, or the one before a trap."""
    with tracing.trace(spec(kind, tmp_path), Wanted()) as found:
        passages = list(found.pipeline().passages())
        assert len(passages) == last_instructions.LAST and passages[-1].issues == found.span.marked
        place = found.code().places.at(passages[-1].pc)
        assert place.function.startswith(("inner", "middle"))  # which calls it
        at = int(place.source.rpartition(":")[2])
        lines = FAULTS.read_text().splitlines()
        words = [text for text in lines if f"/* {KINDS[kind]} */" in text]
        assert f":{lines.index(words[0]) + 1}: inner" in found.span.why
        assert found.fault.startswith(found.span.why.partition(" before ")[2])
        if kind in (1, 3, 7):  # a call: it has issued
            assert lines[at - 1] in words
        assert "called by" in found.fault and "registers:" in found.fault


def test_both_engines_end_alike(tmp_path: Path) -> None:
    content = []
    for engine in (EXACT, RTL):
        with tracing.trace(spec(1, tmp_path, engine=engine), Wanted(last=100)) as found:
            content.append((found.span, (found.folder / "span.0.csv").read_text(), found.fault))
    assert content[0] == content[1]


def test_a_loop_without_end_and_the_end_of_a_run(tmp_path: Path) -> None:
    with tracing.trace(spec(4, tmp_path, max_ticks=2_000_000), Wanted()) as found:
        assert "gave up" in found.fault and "inner" in found.span.why
    (tmp_path / "good.c").write_text("int main(void)\n{\n\treturn 0;\n}\n")
    with tracing.trace(ProgramSpec((str(tmp_path / "good.c"),)), Wanted(last=7)) as found:
        assert not found.fault and found.span.why == "the last 7 instructions before the run's end"
        assert len(list(found.pipeline().passages())) == 7


def test_the_command(tmp_path: Path) -> None:
    source = spec(1, tmp_path).sources[0]
    konata, folder = tmp_path / "x.kanata", tmp_path / "run"
    done = mcpi("trace", source, "--last", "60", "--konata", str(konata))
    assert done.returncode == 1 and done.stdout.count("► ") == 1
    assert "the program stopped itself" in done.stderr and "registers:" in done.stderr
    assert len(read(konata.read_text())) == 60
    assert mcpi("exec", source, "--out", str(folder)).returncode == 1
    again = mcpi("trace", str(folder.with_name("run.incomplete")), "--last", "60")
    assert again.stdout.splitlines()[1:] == done.stdout.splitlines()[1:], again.stderr
    done = mcpi("trace", source, "--invocation", "2")
    assert done.returncode == 1 and "stopped itself" in done.stderr
    assert "it is the end of the run" in refused("trace", source, "--last", "5", "--around", "main")
