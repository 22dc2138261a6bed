# SPDX-License-Identifier: BSD-2-Clause
"""``boards/netlist/primitives.v`` beside models written from documents, and beside yosys's LUT.

All settings of a block RAM that the model knows stand side by side in one simulation, each with
random pins of its own; a mistake in any of its lines must show.
"""

import itertools
import os
import random
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from boards_support.primitive_models import (
    BEFORE,
    NORMAL,
    THROUGH,
    BlockRam,
    Pins,
    Setting,
    initial,
    lookup,
    product,
)

from mcpi.base.process import heard
from mcpi.engines.rtl import gate_level
from mcpi.spec.run_spec import RunSpec
from verify.verilog_mutants import VARIABLE, load, mutated

SEED = int(os.environ.get("MCPI_SEED", "1"))
STEPS = 400
MODES = list(itertools.product((NORMAL, THROUGH, BEFORE), repeat=2))
PAIRS = list(itertools.product((1, 2, 4, 9, 18), repeat=2))
# Cells of a node's netlist, and one of each pair of widths.
USED = [
    *(Setting(36, width) for width in (4, 9, 36)),
    *(Setting(width, width, BEFORE, BEFORE) for width in (1, 2, 9, 18)),
]
SETTINGS = [
    *USED,
    Setting(18, 18, BEFORE, BEFORE, registered=True),
    *(
        Setting(*widths, *MODES[n % 9], registered=n % 2 == 1, inverted=n % 4 == 3)
        for n, widths in enumerate(PAIRS)
    ),
    *(Setting(36, width, registered=True) for width in (1, 2, 4, 9, 18, 36)),
]
TABLES = [1 << n for n in range(16)] + [random.Random(SEED).randrange(1 << 16) for _ in range(48)]
CORNERS = (0, 1, 0x1FFFF, 0x20000, 0x20001, 0x3FFFF)
MUTANTS = load(Path(__file__).with_name("primitive_mutants.csv"))


def test_list():
    """Every mistake fits the primitives, and each has a name of its own."""
    mutated(gate_level.PRIMITIVES.read_text() + bench([[0] * 64] * len(SETTINGS)), MUTANTS, "Bench")
    assert len({mutant.title for mutant in MUTANTS}) == len(MUTANTS)


def pins(kind: str, name: str, width: int) -> str:
    """Connections of the pins ``kind0`` up to bits of ``name``."""
    return ", ".join(f".{kind}{n}({name}[{n}])" for n in range(width))


def block_ram(number: int, setting: Setting, values: list[int]) -> str:
    """An instance between bits of the stimulus and of what is kept."""
    given = {
        "DATA_WIDTH_A": setting.width_a,
        "DATA_WIDTH_B": setting.width_b,
        "WRITEMODE_A": f'"{setting.mode_a}"',
        "WRITEMODE_B": f'"{setting.mode_b}"',
        **{f"REGMODE_{p}": '"OUTREG"' if setting.registered else '"NOREG"' for p in "AB"},
        **{f"CLK{p}MUX": '"INV"' if setting.inverted else f'"CLK{p}"' for p in "AB"},
        **{f"INITVAL_{n:02X}": f"320'h{value:x}" for n, value in enumerate(values) if value},
    }
    text = f"  wire [35:0] a{number} = pins[{number}][35:0], b{number} = pins[{number}][71:36];\n"
    text += "  DP16KD #(" + ", ".join(f".{k}({v})" for k, v in given.items()) + f") m{number} (\n"
    rows = [f".CLK{p}(clock[{number}][{n}])" for n, p in enumerate("AB")]
    for n, p in enumerate("AB"):
        own = f"{p.lower()}{number}"
        rows += [f".DI{p}{k}({own}[{k}])" for k in range(18)]
        rows += [f".AD{p}{k}({own}[{18 + k}])" for k in range(14)]
        rows += [
            f".{kind}{p}({own}[{32 + k}])" for k, kind in enumerate(("CE", "OCE", "WE", "RST"))
        ]
        rows += [f".CS{p}{k}(1'b0)" for k in range(3)]
        rows += [f".DO{p}{k}(shown[{36 * number + 18 * n + k}])" for k in range(18)]
    return text + "    " + ", ".join(rows) + "\n  );\n"


def bench(contents: list[list[int]]) -> str:
    """A test bench that reads its pins and writes what it sees, one line a step."""
    count, luts = len(SETTINGS), len(TABLES)
    text = f"""module Bench ();
  reg [71:0] pins [0:{count - 1}];
  reg [1:0] clock [0:{count - 1}], idle [0:{count - 1}];
  reg [75:0] rams [0:{count * STEPS - 1}];
  reg [41:0] others [0:{STEPS - 1}];
  wire [{36 * count - 1}:0] shown;
  wire [{luts - 1}:0] ours, theirs;
  wire [35:0] product;
  reg [41:0] other;
  integer step, n, file;
"""
    for number, (setting, values) in enumerate(zip(SETTINGS, contents, strict=True)):
        text += block_ram(number, setting, values)
    inputs = ", ".join(f".{p}(other[{38 + n}])" for n, p in enumerate("ABCD"))
    for number, table in enumerate(TABLES):
        for kind, wire in (("LUT4", "ours"), ("YosysLut", "theirs")):
            text += (
                f"  {kind} #(.INIT(16'd{table})) {wire}{number} ({inputs}, .Z({wire}[{number}]));\n"
            )
    text += "  wire [17:0] a = other[17:0], b = other[35:18];\n  MULT18X18D multiplier (\n    "
    text += ", ".join([pins("A", "a", 18), pins("B", "b", 18), pins("P", "product", 36)])
    text += ", " + ", ".join(f".C{n}(1'b0)" for n in range(18)) + ",\n    .SIGNEDA(other[36]),"
    text += " .SIGNEDB(other[37]), .SOURCEA(1'b0), .SOURCEB(1'b0)\n  );\n  initial begin\n"
    for number, setting in enumerate(SETTINGS):
        text += f"    idle[{number}] = {3 * setting.inverted}; clock[{number}] = idle[{number}];\n"
    return (
        text
        + f"""    $readmemh("rams.hex", rams);
    $readmemh("others.hex", others);
    file = $fopen("shown.txt", "w");
    for (step = 0; step < {STEPS}; step = step + 1) begin
      for (n = 0; n < {count}; n = n + 1) pins[n] = rams[{count} * step + n][71:0];
      other = others[step];
      #1;
      for (n = 0; n < {count}; n = n + 1)
        clock[n] = idle[n] ^ rams[{count} * step + n][73:72];
      #1;
      $fdisplay(file, "%x %x %x %x", ours, theirs, product, shown);
      for (n = 0; n < {count}; n = n + 1) clock[n] = idle[n];
      #1;
    end
    $fclose(file);
    $finish;
  end
endmodule
"""
    )


def yosys_lut() -> str:
    """LUT4 as yosys brings it, under another name."""
    found = re.search(r"^module LUT4\b.*?^endmodule$", gate_level.yosys_models(), re.M | re.S)
    body = re.sub(r"^\s*specify.*?endspecify$", "", found[0], flags=re.M | re.S)
    return body.replace("module LUT4", "module YosysLut", 1) + "\n"


def random_pins(rng: random.Random, setting: Setting, port: int, rows: list[int]) -> Pins:
    """Random pins of a port; few rows and near ones, so that both ports meet; resets are rare."""
    wide = setting.width_a == 36
    return Pins(
        data=rng.randrange(1 << (36 if wide and not port else 18)),
        address=rng.choice(rows) << 5 | rng.randrange(32),
        enable=rng.random() < 0.8,
        output_enable=rng.random() < 0.7,
        write=not port if wide else rng.random() < 0.5,
        reset=rng.random() < 0.05,
    )


def packed(now: tuple[Pins, Pins], rises: tuple[bool, bool], wide: bool) -> int:
    """A line of ``rams.hex``; data of 36 bits are on the pins of both ports."""
    value = 0
    for port, p in enumerate(now):
        data = now[0].data >> 18 if wide and port else p.data & 0x3FFFF
        bits = (p.enable, p.output_enable, p.write, p.reset)
        controls = sum(bit << n for n, bit in enumerate(bits))
        value |= (data | p.address << 18 | controls << 32) << 36 * port
    return value | rises[0] << 72 | rises[1] << 73


@dataclass(frozen=True)
class Made:
    """The program, what it is given, and what it must show: LUTs, product, outputs, each step."""

    folder: Path
    expected: list[tuple[int, int, list[tuple[int, int]]]]

    def run(self, mutant: int = 0) -> list[str]:
        """Differences between primitive and model, with the model's own objections."""
        done = heard(
            [self.folder / "obj" / "VBench"],
            cwd=self.folder,
            env=os.environ | {VARIABLE: str(mutant)},
            timeout=120,
        )
        if done.returncode:
            return [done.stdout + done.stderr]
        wrong = []
        lines = (self.folder / "shown.txt").read_text().splitlines()
        assert len(lines) == len(self.expected)
        for step, (line, (luts, result, outputs)) in enumerate(zip(lines, self.expected)):
            ours, theirs, found, shown = (int(word, 16) for word in line.split())
            wrong += [f"step {step}: yosys's LUTs"] if theirs != luts else []
            wrong += [f"step {step}: LUT4"] if ours != luts else []
            wrong += [f"step {step}: MULT18X18D"] if found != result else []
            for n, (a, b) in enumerate(outputs):
                setting, seen = SETTINGS[n], shown >> 36 * n & (1 << 36) - 1
                if setting.width_a == 36 != setting.width_b:
                    seen, a = seen >> 18 << 18, 0  # nobody says what port A shows
                if seen != a | b << 18:
                    wrong.append(f"step {step}: {setting}: {seen:09x} for {a | b << 18:09x}")
        return wrong


def stimulus(folder: Path, contents: list[list[int]]) -> list:
    """Writes the pins, returns what is to be seen."""
    rng = random.Random(SEED)
    rams = [BlockRam(s, initial(v)) for s, v in zip(SETTINGS, contents, strict=True)]
    rows = [[at ^ bit for bit in (0, 1, 16, 256)] for at in rng.choices(range(512), k=len(rams))]
    lines, others, expected = [], [], []
    for step in range(STEPS):
        shown = []
        for setting, ram, own in zip(SETTINGS, rams, rows, strict=True):
            while True:  # two writes into one word mean nothing
                now = tuple(random_pins(rng, setting, port, own) for port in (0, 1))
                if not all(p.enable and p.write and not p.reset for p in now):
                    break
                if now[0].address >> 5 != now[1].address >> 5:
                    break
            rises = rng.choice(((True, True), (True, True), (True, False), (False, True)))
            lines.append(f"{packed(now, rises, setting.width_a == 36):x}")
            ram.edge(now, rises)
            shown.append(ram.shown())
        a, b = (rng.choice(CORNERS) if rng.random() < 0.3 else rng.randrange(1 << 18) for _ in "ab")
        signed_a, signed_b = rng.random() < 0.5, rng.random() < 0.5
        inputs = step % 16
        others.append(f"{a | b << 18 | signed_a << 36 | signed_b << 37 | inputs << 38:x}")
        bits = [inputs >> n & 1 for n in range(4)]
        luts = sum(lookup(table, *bits) << n for n, table in enumerate(TABLES))
        expected.append((luts, product(a, b, signed_a, signed_b), shown))
    (folder / "rams.hex").write_text("\n".join(lines) + "\n")
    (folder / "others.hex").write_text("\n".join(others) + "\n")
    return expected


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Made:
    folder = tmp_path_factory.mktemp("primitives")
    rng = random.Random(SEED)
    # Every other one starts with something in it, as a ROM does.
    contents = [
        [rng.getrandbits(320) if n % 2 else 0 for _ in range(64)] for n in range(len(SETTINGS))
    ]
    whole = gate_level.PRIMITIVES.read_text() + yosys_lut() + bench(contents)
    (folder / "bench.v").write_text(mutated(whole, MUTANTS, "Bench"))
    expected = stimulus(folder, contents)
    words = ["--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-MULTIDRIVEN", "--x-initial"]
    # -c: Verilator's rule for a precompiled header has none, and our g++ has options for a linker.
    words += ["fast", "-O3", "-CFLAGS", "-O0 -std=c++20 -c", "--output-split", "5000", "-j", "2"]
    words += ["--top-module", "Bench", "--Mdir", "obj", "bench.v"]
    done = heard(["verilator", *words], cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return Made(folder, expected)


@pytest.mark.long
def test_every_setting(made):
    wrong = made.run()
    assert not wrong, f"seed {SEED}: {len(wrong)}: {wrong[:5]}"


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.title)
def test_a_mistake_shows(made, mutant):
    assert made.run(1 + MUTANTS.index(mutant)), f"survived: {mutant}"


@pytest.mark.long
def test_the_netlist_has_no_other_setting():
    """Block RAMs of a node, their clocks and what is tied; minutes of yosys."""
    netlist = gate_level.synthesise(RunSpec().machine, {}).verilog.read_text()
    found = [
        dict(re.findall(r"\.(\w+)\((.*?)\)[,\n]", cell))
        for cell in re.findall(r"^  DP16KD #\(.*?^  \);", netlist, re.M | re.S)
    ]
    seen = set()
    for cell in found:
        text = {name: value.strip('"') for name, value in cell.items()}
        widths = [int(text[f"DATA_WIDTH_{p}"].removeprefix("32'd")) for p in "AB"]
        modes = [text.get(f"WRITEMODE_{p}", NORMAL) for p in "AB"]
        seen.add(Setting(*widths, *modes, registered=text["REGMODE_A"] == "OUTREG"))
        assert text["CLKA"] == text["CLKB"] == "clk", "two clocks"
        assert (text["CLKAMUX"], text["CLKBMUX"]) == ("CLKA", "CLKB")
        assert text["RSTA"] == text["RSTB"] == "1'h0", "a reset"
        assert text["WEB"] == "1'h0", "two ports that write"
    assert seen == set(USED)
