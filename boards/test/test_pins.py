# SPDX-License-Identifier: BSD-2-Clause
"""Every board's pin file and its top's ports agree; a file with any slip is refused."""

import re

import pytest

from mcpi.base.errors import UserError
from mcpi.fpga import pins as board_pins
from mcpi.fpga import place_route
from mcpi.machine import boards

BOARDS = boards.names()
PINS = """
FREQUENCY PORT "clk25" 25 MHZ;
LOCATE COMP "clk25" SITE "P3";
IOBUF PORT "clk25" IO_TYPE=LVCMOS33;
LOCATE COMP "led_n" SITE "L2";
IOBUF PORT "led_n" IO_TYPE=LVCMOS33;
LOCATE COMP "data[0]" SITE "L1"; # a remark
IOBUF PORT "data[0]" IO_TYPE=LVCMOS33 PULLMODE=UP;
LOCATE COMP "data[1]" SITE "N1";
IOBUF PORT "data[1]" IO_TYPE=LVCMOS33 PULLMODE=UP;
"""
TOP = """
module Top (
  input  wire          clk25,
  output wire          led_n,
  inout  wire [1:0]    data
);
"""
SLIPS = {
    "a pin missing": (r'LOCATE COMP "data\[1\]".*\n', "", r'"data\[1\]" of Top has no LOCATE'),
    "no IOBUF": (r'IOBUF PORT "led_n".*\n', "", '"led_n" of Top has no IOBUF'),
    "a pin twice": ('"N1"', '"L1"', r'pin L1 is "data\[0\]" and "data\[1\]"'),
    "L1 and L2": ('"L2"', '"L1"', r'pin L1 is "led_n" and "data\[0\]"'),
    "a port twice": ('"data[1]" SITE', '"data[0]" SITE', "a second time"),
    "no such port": ('"led_n" SITE', '"led" SITE', '"led_n" of Top has no LOCATE'),
    "a port too many": ("\n$", '\nLOCATE COMP "x" SITE "A1";\n', '"x", but Top has no such port'),
    "no frequency": (r"FREQUENCY.*\n", "", '"clk25" needs a FREQUENCY'),
    "a frequency too many": ('T "clk25" 25', 'T "led_n" 25', "FREQUENCY"),
    "something else": ('SITE "P3"', "SITE P3", "neither LOCATE nor"),
}


@pytest.mark.parametrize("name", BOARDS)
def test_pins_and_ports_agree(name):
    board = boards.load(name)
    verilog = place_route.elaborate(board, "dec3000-600", {})  # which checks
    pins = board_pins.read(board.pins)
    assert len(pins.site) == len(board_pins.ports(verilog.read_text(), board.top))


@pytest.mark.parametrize("name", BOARDS)
def test_every_line_of_a_pin_file_matters(name, tmp_path):
    """Each line left out, one at a time."""
    board = boards.load(name)
    verilog = place_route.elaborate(board, "dec3000-600", {}).read_text()
    lines = board.pins.read_text().splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.startswith("#") or not line.strip():
            continue
        less = tmp_path / "pins.lpf"
        less.write_text("".join(lines[:number] + lines[number + 1 :]))
        with pytest.raises(UserError):
            board_pins.check(less, verilog, board.top)


def test_the_example_is_right(tmp_path):
    file = tmp_path / "pins.lpf"
    file.write_text(PINS)
    assert board_pins.check(file, TOP, "Top").site["data[0]"] == "L1"


@pytest.mark.parametrize("slip", SLIPS)
def test_slips(slip, tmp_path):
    old, new, message = SLIPS[slip]
    pattern = old if any(c in old for c in "\\*$") else re.escape(old)
    text, times = re.subn(pattern, new, PINS, count=1)
    assert times == 1 and text != PINS
    file = tmp_path / "pins.lpf"
    file.write_text(text)
    with pytest.raises(UserError, match=message):
        board_pins.check(file, TOP, "Top")
