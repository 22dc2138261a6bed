# SPDX-License-Identifier: BSD-2-Clause
"""Tests that a thing kept by digest is made again when anything changes that it depends on."""

import dataclasses
import subprocess
from pathlib import Path

import pytest

from mcpi.base import reuse, run_store
from mcpi.hdl import cocotb_run
from verify import long_tests, sby

PROPERTY = '`include "words.svh"\nmodule p; wire a = core.x; assert property (a == 1); endmodule\n'
PROOF = sby.Proof("p", settings={"LIMIT": "4"})
INCLUDES = {"words.svh": "`define ONE 1\n"}
VERILOG = "module core; reg x; endmodule\n"
PINS = ["yosys 1"]


@pytest.fixture
def session(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv(reuse.SESSION, str(tmp_path))
    monkeypatch.setattr(sby, "BUILD", tmp_path / "build")
    monkeypatch.setattr(cocotb_run, "BUILD", tmp_path / "build")
    return tmp_path


@pytest.fixture
def prove(session: Path, monkeypatch):
    """prove(changes) -> how often something has been proven so far."""
    ran = []

    def run(folder: Path) -> dict:
        ran.append(folder)
        return {"passed": True, "seconds": 1.0, "failed": ""}

    def prove(proof=PROOF, text=PROPERTY, includes=INCLUDES, verilog=VERILOG, pins=PINS) -> int:
        (session / "p.sv").write_text(text)
        monkeypatch.setattr(sby, "tools", lambda: pins)
        assert sby.prove(proof, session, includes, verilog).passed
        return len(ran)

    monkeypatch.setattr(sby, "_run", run)
    return prove


@pytest.mark.parametrize(
    "change",
    [
        {"text": PROPERTY.replace("a == 1", "a == 0")},
        {"verilog": VERILOG.replace("reg", "wire")},
        {"includes": {"words.svh": "`define ONE 2\n"}},
        {"pins": ["yosys 2"]},
        {"proof": dataclasses.replace(PROOF, settings={"LIMIT": "5"})},
        {"proof": dataclasses.replace(PROOF, depth=21)},
        {"proof": dataclasses.replace(PROOF, engine="abc pdr")},
        {"proof": dataclasses.replace(PROOF, cut=["core/x"])},
    ],
    ids=lambda change: next(iter(change)),
)
def test_one_character_proves_again(prove, change: dict) -> None:
    assert prove() == prove() == 1
    assert prove(**change) == 2 and prove(**change) == 2 and prove() == 2
    assert reuse.summary() == "3 of 5 proofs"


def test_all_pins_and_the_call_decide(monkeypatch) -> None:
    texts = sby.tools()
    for name in ("packages.txt", "python/test.txt", "pins.txt"):
        assert (sby.ROOT / "setup" / name).read_text() in texts
    monkeypatch.setattr(sby, "CALLED", [*sby.CALLED, "-t"])
    assert sby.tools() != texts


def test_a_proof_that_breaks_off_is_not_kept(prove, monkeypatch) -> None:
    def broken(folder: Path) -> dict:
        raise KeyboardInterrupt

    works = sby._run
    monkeypatch.setattr(sby, "_run", broken)
    with pytest.raises(KeyboardInterrupt):
        prove()
    monkeypatch.setattr(sby, "_run", works)
    assert prove() == 1


class Runner:
    """In the place of cocotb's."""

    def __init__(self) -> None:
        self.built = 0

    def build(self, build_dir: Path, **_) -> None:
        build_dir.mkdir(parents=True, exist_ok=True)
        self.built += 1


def test_one_bench_for_the_same_verilog(session: Path, monkeypatch) -> None:
    """Wherever it lies; another one for each thing that it depends on."""
    runner, files = Runner(), [session / name / "Block.v" for name in ("one", "two")]
    for file in files:
        file.parent.mkdir()
        file.write_text(VERILOG)
    first = cocotb_run._bench(runner, files[0], [])
    assert cocotb_run._bench(runner, files[1], []) == first and runner.built == 1
    assert cocotb_run._bench(runner, files[1], ["x"]) != first and runner.built == 2
    files[1].write_text(VERILOG.replace("reg", "wire"))
    assert cocotb_run._bench(runner, files[1], []) != first and runner.built == 3
    monkeypatch.setattr(cocotb_run, "BENCH", [*cocotb_run.BENCH, "-O3"])
    assert cocotb_run._bench(runner, files[0], []) != first and runner.built == 4
    monkeypatch.setenv("MCPI_ENV", "other tools")
    assert cocotb_run._bench(runner, files[0], []) != first and runner.built == 5
    assert reuse.summary() == "1 of 6 simulators"


def test_what_the_tests_name_can_be_seen(session: Path, monkeypatch) -> None:
    """Ports, and signals that a Python file of the folder names; no other, and another bench."""
    verilog = session / "core.v"
    verilog.write_text("module core (\n  input  clk,\n  output [3:0] out\n);\n  reg x, yy, zz;\n")
    (session / "helper.py").write_text("def look(dut): return dut.inner.yy\n")
    names = cocotb_run._named(verilog, session)
    assert names == ["clk", "out", "yy"]
    runner = Runner()
    first = cocotb_run._bench(runner, verilog, [])
    second = cocotb_run._bench(runner, verilog, names)
    assert first != second and runner.built == 2
    lines = (second / "public.vlt").read_text().splitlines()
    assert lines[0] == "`verilator_config" and len(lines) == 4
    (session / "helper.py").write_text("def look(dut): return dut.inner.zz\n")
    other = cocotb_run._named(verilog, session)
    assert cocotb_run._bench(runner, verilog, other) not in (first, second)


SOURCE = "int answer;\nint main() { return answer + 1; }\n"


def image(place: Path, text: str) -> str:
    """Its lines of source are in it, as in the firmware's images. The key of a run of it."""
    (place / "main.cpp").write_text(text)
    words = ["g++", "-g", "-nostdlib", "-static", "-Wl,--build-id=none", "-Wl,-emain"]
    subprocess.run([*words, "main.cpp", "-o", "image.elf"], cwd=place, check=True)
    return run_store.key(["--node", "0:image=image.elf"], place)


def test_a_comment_in_the_firmware_runs_nothing_again(tmp_path: Path) -> None:
    before, file = image(tmp_path, SOURCE), (tmp_path / "image.elf").read_bytes()
    assert image(tmp_path, f"// a comment\n{SOURCE}") == before
    assert (tmp_path / "image.elf").read_bytes() != file


@pytest.mark.parametrize("change", [("+ 1", "+ 2"), ("answer", "question"), ("int a", "long a")])
def test_one_instruction_name_or_size_runs_again(tmp_path: Path, change: tuple[str, str]) -> None:
    assert image(tmp_path, SOURCE.replace(*change)) != image(tmp_path, SOURCE)


def test_a_part_of_a_long_test_runs_again_when_a_file_or_a_word_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(long_tests, "BUILD", tmp_path / "build")
    file = tmp_path / "program"
    ran = []

    def part(text: str, word: object, fails: bool = False) -> int:
        file.write_text(text)
        with long_tests.once("parts", file, word) as new:
            if new:
                assert not fails
                ran.append(text)
        return len(ran)

    with pytest.raises(AssertionError):
        part("a", 1, fails=True)
    assert part("a", 1) == part("a", 1) == 1
    assert part("b", 1) == 2 and part("a", 2) == 3 and part("a", 1) == 3
