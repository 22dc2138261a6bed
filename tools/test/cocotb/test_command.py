# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi cocotb``: the examples, tests that fail, waves, and slips that are told at once."""

import re
from pathlib import Path

import pytest
from tools_support.command import mcpi
from typer.main import get_command

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.cli import main
from mcpi.cocotb import command, tops
from mcpi.hdl import cocotb_run, scala

EXAMPLES = ROOT / "examples" / "cocotb"
BUILDS = 900  # seconds that a new model may take
# On the smallest top: its interrupt comes after the phase, or (planted) a tick too late.
TIMER = """import cocotb
from cocotb.triggers import Timer

@cocotb.test()
async def interrupts_in_its_phase(dut):
    dut.io_phase.value, dut.io_tick.value, dut.io_skip.value, dut.io_enable.value = 7, 1, 0, 1
    dut.io_acknowledge.value = 0
    for tick in range(1 + WAIT):
        dut.reset.value = tick == 0
        dut.clk.value = 0
        await Timer(1, "ns")
        dut.clk.value = 1
        await Timer(1, "ns")
    dut._log.info(f"after {WAIT} ticks the line is {dut.io_interrupt.value}")
    assert dut.io_interrupt.value == 1, "no interrupt yet"
"""


def timer(folder: Path, wait: int) -> Path:
    file = folder / f"wait_{wait}.py"
    file.write_text(TIMER.replace("WAIT", str(wait)))
    return file


@pytest.mark.parametrize(
    ("example", "top", "logged"),
    [
        ("stall", "AlphaLite", "40 ticks a read: .*, 40 of d_miss"),
        ("lance_register", "LanceOnTc", "CSR1 is abcc at tick"),
        pytest.param("frame_in", "Node", "bcache.dma +[0-9]+", marks=pytest.mark.long),
    ],
)
def test_an_example(example, top, logged):
    done = mcpi("cocotb", str(EXAMPLES / f"{example}.py"), "--top", top, limit=BUILDS)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert re.search(logged, done.stdout) and "FAIL=0" in done.stdout and not done.stderr


PAGE = ROOT / "docs" / "how-to" / "cocotb.md"
SNIPPETS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)


@pytest.mark.parametrize(
    ("number", "top"), [(0, "AlphaLite"), pytest.param(1, "Node", marks=pytest.mark.long)]
)
def test_a_snippet_of_the_page_passes_as_it_is_pasted(number: int, top: str, tmp_path: Path):
    assert len(SNIPPETS) == 2
    file = tmp_path / "my_test.py"
    file.write_text(SNIPPETS[number])
    done = mcpi("cocotb", str(file), "--top", top, limit=BUILDS)
    assert done.returncode == 0 and "FAIL=0" in done.stdout, done.stdout[-4000:] + done.stderr


def test_a_program_without_an_end_is_said_to_have_none(tmp_path: Path):
    file = tmp_path / "my_test.py"
    file.write_text(SNIPPETS[0].replace('" + HALT', '"').replace("DATA, HALT,", "DATA,"))
    done = mcpi("cocotb", str(file), "--top", "AlphaLite", limit=BUILDS)
    assert done.returncode == 1 and "a program ends with HALT" in done.stdout


def test_a_stall_that_is_not_there_is_missed(tmp_path):
    """The example with a wrong figure: the count is the hardware's, not the test's."""
    wrong = tmp_path / "wrong.py"
    text = (EXAMPLES / "stall.py").read_text()
    wrong.write_text(text.replace('owners["d_miss"] == read_ticks', 'owners["d_miss"] == 20'))
    done = mcpi("cocotb", str(wrong), "--top", "AlphaLite", limit=BUILDS)
    assert done.returncode == 1 and done.stderr.endswith("on AlphaLite: 2 of 3 failed\n")
    assert "assert 10 == 20" in done.stdout and "assert 40 == 20" in done.stdout


def test_a_test_that_fails_prints_its_log(tmp_path):
    assert mcpi("cocotb", str(timer(tmp_path, 7)), "--top", "Timer").returncode == 0
    file = timer(tmp_path, 6)
    done = mcpi("cocotb", str(file), "--top", "Timer")
    assert done.returncode == 1
    assert "after 6 ticks the line is 0" in done.stdout and "no interrupt yet" in done.stdout
    assert done.stderr == f"mcpi: {file} on Timer: 1 of 1 failed\n"


def test_waves_are_left_and_named(tmp_path):
    done = mcpi("cocotb", str(timer(tmp_path, 6)), "--top", "Timer", "--waves")
    (named,) = re.findall(r"^waves: (\S+)", done.stdout, re.M)
    assert done.returncode == 1, "they are left of a test that fails, too"
    text = Path(named).read_text()
    assert "$timescale" in text and re.search(r"\$var wire +1 \S+ io_interrupt \$end", text)
    assert text.count("\n#") > 10, "a change of the clock for each half"


def test_the_list_of_tops_is_the_generators():
    with pytest.raises(RuntimeError, match="no block 'Nobody'; there are: ") as refused:
        cocotb_run.elaborate("Nobody")
    said = re.search("there are: ([^\n]*)", str(refused.value))[1].split(", ")
    assert [name for name in sorted(said) if not name.startswith("NodeOn")] == tops.names()


def test_one_test_of_a_file(monkeypatch, tmp_path):
    """Also one with parameters: by its own name."""
    asked = []
    monkeypatch.setattr(cocotb_run, "elaborate", lambda *words: tmp_path)
    monkeypatch.setattr(cocotb_run, "simulate", lambda *words, **more: asked.append((words, more)))
    words = ["cocotb", str(EXAMPLES / "stall.py"), "--top", "AlphaLite"]
    words += ["-k", "a_miss_waits_for_memory"]
    get_command(main.app).main(words, prog_name="./mcpi", standalone_mode=False)
    ((_, file, only), more) = asked[0]
    assert (file, only) == (EXAMPLES / "stall.py", "a_miss_waits_for_memory")
    assert more == {"waves": None}


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        (None, "", "no such file"),
        ("x = 1", "", "no test in it"),
        ("import nothing_there", "", "line 1: ModuleNotFoundError: No module named"),
        ("x = 1\ny = (", "", "line 2: SyntaxError"),
        (TIMER, "--top timr", "no such top. Did you mean Timer? There are: AlphaLite, "),
        (TIMER, "--top Timer -k interupts_in_its_phase", "mean interrupts_in_its_phase?"),
        (TIMER, "--top Timer --set icache.size=5", "outside 1KB to 256KB"),
        (TIMER, "--top Timer --set link.autonegotiation=off", "only a board has it"),
        (TIMER, "--machine dec3001", "dec3001"),
    ],
)
def test_a_slip_is_told_before_anything_is_elaborated(text, words, said, tmp_path, monkeypatch):
    monkeypatch.setattr(scala, "elaborate", None)
    monkeypatch.setattr(scala, "classpath", None)
    file = tmp_path / "mine.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UserError) as refused:
        get_command(main.app).main(
            ["cocotb", str(file), *words.split()], prog_name="./mcpi", standalone_mode=False
        )
    assert said in str(refused.value)


def test_a_file_whose_name_is_no_module(tmp_path):
    for name in ("my-test.py", "mine.txt"):
        (tmp_path / name).write_text(TIMER)
        with pytest.raises(UserError, match="a file of Python is wanted"):
            command.tests(tmp_path / name)
