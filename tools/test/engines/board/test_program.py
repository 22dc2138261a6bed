# SPDX-License-Identifier: BSD-2-Clause
"""Which bitstream ``board load`` takes: that of today's Verilog, pins and board.toml, or none."""

import json
from pathlib import Path

import msgspec
import pytest

from mcpi.base.errors import UserError
from mcpi.engines.board import program as board_load
from mcpi.fpga import place_route
from mcpi.hdl import cocotb_run
from mcpi.machine import boards

BOARD = boards.load("ecpix-5")
MACHINE = "dec3000-600"


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A build folder of its own, and Verilog that depends on the settings alone."""

    def elaborate(top: str, name: str, settings: dict[str, str]) -> Path:
        file = tmp_path / f"{top}.v"
        file.write_text(f"{name} {settings} {house.rtl}")
        return file

    class House:
        rtl = "today's"

        @staticmethod
        def built(settings: dict[str, str] | None = None, board: boards.Board = BOARD) -> Path:
            verilog = place_route.elaborate(board, MACHINE, settings or {})
            place = place_route.place(board, verilog)
            place.mkdir(parents=True, exist_ok=True)
            (place / "build.json").write_text(json.dumps({"bitstream": "/elsewhere/seed1.bit"}))
            (place / "seed1.bit").write_bytes(board_load.PREAMBLE)
            return place / "seed1.bit"

    house = House()
    monkeypatch.setattr(cocotb_run, "elaborate", elaborate)
    monkeypatch.setattr(place_route.board_pins, "check", lambda *_: None)
    for module in (place_route, board_load):
        monkeypatch.setattr(module, "BUILD", tmp_path)
    return house


def test_the_one_that_was_built(house):
    wanted = house.built()
    house.built({"icache.size": "4KB"})
    assert board_load.bitstream(BOARD, MACHINE, {}) == wanted


def test_what_does_not_shape_the_verilog_is_no_other(house):
    wanted = house.built()
    settings = {"memory.read_ticks": "47", "link.autonegotiation": "off"}
    assert board_load.bitstream(BOARD, MACHINE, settings) == wanted


def test_not_built(house):
    with pytest.raises(UserError, match="has not been built yet. Type: ./mcpi board build ecpix-5"):
        board_load.bitstream(BOARD, MACHINE, {})


def test_verilog_that_has_changed(house):
    house.built()
    house.rtl = "tomorrow's"
    with pytest.raises(UserError, match="only .* other Verilog or pins.*--set icache.size=4KB"):
        board_load.bitstream(BOARD, MACHINE, {"icache.size": "4KB"})


@pytest.mark.parametrize("change", [{"spare": "CD"}, {"embed": False}])
def test_a_board_file_that_has_changed(house, change):
    house.built()
    with pytest.raises(UserError, match="other Verilog or pins"):
        board_load.bitstream(msgspec.structs.replace(BOARD, **change), MACHINE, {})


def test_a_build_whose_bitstream_is_gone(house):
    house.built().unlink()
    with pytest.raises(UserError, match="has not been built yet"):
        board_load.bitstream(BOARD, MACHINE, {})


def test_a_file_that_is_no_bitstream(tmp_path):
    good, other = tmp_path / "a.bit", tmp_path / "a.config"
    good.write_bytes(b"\xff\0Part: LFE5UM5G-85F\0\xff" + board_load.PREAMBLE + b"\x3b\0\0\0")
    other.write_text(".device LFE5UM5G-85F\n")
    board_load.check_file(BOARD, good)
    for path, said in ((other, "is no bitstream"), (tmp_path / "b.bit", "no such file")):
        with pytest.raises(UserError, match=said):
            board_load.check_file(BOARD, path)
