# SPDX-License-Identifier: BSD-2-Clause
"""A waveform of exactly the ticks that were asked for, read by GTKWave's library, and compared with
what the tick log says of the same ticks."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pylibfst
import pytest
from tools_support.command import mcpi

from mcpi.api import tracing
from mcpi.base.errors import RunError, UserError
from mcpi.export import fst
from mcpi.hdl import hierarchy
from mcpi.spec.run_spec import RTL, RunSpec
from mcpi.tracing.pipeline import IN_F2
from mcpi.tracing.span_selection import Wanted

VCD = """\
$version made by hand $end
$timescale 1ns $end
$scope module top $end
$var wire 1 ! clock $end
$scope module inner $end
$var wire 8 " value [7:0] $end
$var wire 1 ! same $end
$upscope $end
$upscope $end
$enddefinitions $end
#5
0!
b101 "
#7
1!
b11111111 "
"""


def read(file: Path) -> dict[str, dict[int, str]]:
    """The changes of each signal by time, by the signal's path."""
    lib = pylibfst.lib
    reader = lib.fstReaderOpen(str(file).encode())
    assert reader != pylibfst.ffi.NULL
    _, signals = pylibfst.get_scopes_signals2(reader)
    names: dict[int, list[str]] = {}
    for name, signal in signals.by_name.items():
        names.setdefault(signal.handle, []).append(name)
    found: dict[str, dict[int, str]] = {n: {} for many in names.values() for n in many}

    def change(_, time, handle, value) -> None:
        for name in names[handle]:
            found[name][time] = pylibfst.string(value)

    lib.fstReaderSetFacProcessMaskAll(reader)
    pylibfst.fstReaderIterBlocks(reader, change)
    lib.fstReaderClose(reader)
    return found


def test_what_vcd_says_is_in_fst(tmp_path: Path) -> None:
    (tmp_path / "x.vcd").write_text(VCD)
    assert fst.write(tmp_path / "x.vcd", tmp_path / "x.fst") == (2, 2)
    found = read(tmp_path / "x.fst")
    clock = {5: "0", 7: "1"}
    assert found["top.clock"] == clock and found["top.inner.same"] == clock
    assert found["top.inner.value [7:0]"] == {5: "00000101", 7: "11111111"}


@pytest.mark.parametrize("wrong", [VCD.replace("$enddefinitions $end\n", ""), VCD + "?!\n"])
def test_what_is_no_vcd_is_refused(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "x.vcd").write_text(wrong)
    with pytest.raises(RunError):
        fst.write(tmp_path / "x.vcd", tmp_path / "x.fst")


def test_the_instances_of_verilog(tmp_path: Path) -> None:
    text = "module Top (\n);\n  Sub sub_1 (\n  );\n  Ram #(.a(1)) ram (\n  );\nendmodule\n"
    text += "module Sub (\n);\n  Ram inner (\n  );\nendmodule\nmodule Ram (\n);\nendmodule\n"
    (tmp_path / "x.v").write_text(text)
    assert hierarchy.instances(tmp_path / "x.v", "Top") == {
        "sub_1": "Sub", "sub_1.inner": "Ram", "ram": "Ram",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fst", "x.fst"], "only the RTL has signals, --engine rtl"),
        (["--modules", "core"], "--modules has no effect"),
    ],
)
def test_refused(words: list[str], said: str) -> None:
    done = mcpi("trace", *words)
    assert done.returncode == 2 and said in done.stderr, done.stderr


@pytest.fixture(scope="module")
def waves(tmp_path_factory) -> Iterator[tuple[tracing.Trace, dict[str, dict[int, str]]]]:
    spec = RunSpec(engine=RTL, round_trips=1, warmup=1)
    file = tmp_path_factory.mktemp("waves") / "x.fst"
    wanted = Wanted("tcp_output", width=600)
    with tracing.trace(spec, wanted, waves=("core", "MemorySystem")) as found:
        signals, samples = found.write_fst(file)
        assert signals > 500 and samples > 100
        yield found, read(file)


@pytest.mark.long
def test_exactly_these_ticks_and_these_modules(waves) -> None:
    found, signals = waves
    times = {time for changes in signals.values() for time in changes}
    assert min(times) == found.span.start and max(times) < found.span.end
    paths = {re.sub(r"^node\.(Node\.)?", "", name).partition(".")[0] for name in signals}
    assert paths == {"core", "memory"}


def values(changes: dict[int, str], ticks: range) -> dict[int, int]:
    now, found = 0, {}
    for tick in ticks:
        now = int(changes[tick], 2) if tick in changes else now
        found[tick] = now
    return found


def one(signals: dict[str, dict[int, str]], end: str) -> dict[int, str]:
    names = [name for name in signals if re.search(rf"\.core\.{end}( \[\d+:\d+\])?$", name)]
    assert len(names) == 1, (end, names)
    return signals[names[0]]


@pytest.mark.long
def test_the_core_s_signals_are_the_tick_log(waves) -> None:
    """Owner and program counter of each tick."""
    found, signals = waves
    ticks = range(found.span.start, found.span.end)
    owner = values(one(signals, "events_owner"), ticks)
    pc = values(one(signals, "events_issuePc"), ticks)
    numbers: dict[str, set[int]] = {}
    issued = 0
    for row in found.ticks("client"):
        for tick in range(row.first, row.first + row.count):
            numbers.setdefault(row.owner, set()).add(owner[tick])
        if row.pc is not None:
            assert pc[row.first] & (1 << 34) - 1 == row.pc
            issued += 1
    assert all(len(many) == 1 for many in numbers.values()) and issued > 100
    assert len(set.union(*numbers.values())) == len(numbers) > 4


STAGES = {
    "F1": (None, "fetch.f1Pc"),
    "F2": ("fetch.f2Valid", "fetch.f2Pc"),
    "spare": ("fetch.spareValid", "fetch.spare_pc"),
    "D": ("fetch.dValid", "fetch.dFetched_pc"),
    "E1": ("pipeline_1.e1_issued", "pipeline_1.e1_pc"),
    "E2": ("pipeline_1.e2_valid", "pipeline_1.e2_info_pc"),
    "E3": ("pipeline_1.e3_valid", None),
    "W": ("pipeline_1.w_valid", None),
}


@pytest.mark.long
def test_the_stages_are_the_core_s(waves) -> None:
    """In each tick each stage has the instruction that the pipeline puts there. While its block is
    awaited, an instruction is in F2 in the first tick and in the last."""
    found, signals = waves
    ticks = range(found.span.start, found.span.end)
    known = {
        stage: [name and values(one(signals, name), ticks) for name in names]
        for stage, names in STAGES.items()
    }
    killed = values(one(signals, "pipeline_1.e1_killed"), ticks)

    def has(stage: str, tick: int, pc: int) -> bool:
        valid, where = known[stage]
        if stage == "E1" and killed[tick] or valid and not valid[tick]:
            return False
        return where is None or (where[tick] ^ pc) & (1 << 34) - 1 == 0

    checked: Counter = Counter()
    passages = list(found.pipeline().passages())[1:]  # where the first was, is not in the span
    for instruction in passages:
        awaits = any(instruction.waits[owner] for owner in IN_F2)
        f2 = instruction.enters["F2"], instruction.enters["D"] - 1
        for tick in range(instruction.enters["F1"], min(instruction.exit_tick, found.span.end)):
            stage = instruction.stage(tick)
            if stage == "F2" and awaits and tick not in f2:
                continue
            places = ("F2", "spare") if stage == "F2" else (stage,)
            assert any(has(p, tick, instruction.pc) for p in places), (stage, tick, instruction)
            checked[stage] += 1
    assert set(checked) == {"F1", "F2", "D", "E1", "E2", "E3", "W"} and checked["E1"] > 100


def test_an_unknown_module_is_refused() -> None:
    spec = RunSpec(engine=RTL, round_trips=1, warmup=1)
    with pytest.raises(UserError, match=r"no instance or module.*Did you mean core"):
        with tracing.trace(spec, Wanted(), waves=("corr",)):
            pass
