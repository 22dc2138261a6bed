# SPDX-License-Identifier: BSD-2-Clause
"""Every board command looks at port, bitstream and files before it elaborates anything."""

import contextlib
import csv
import errno
import os
import pty
import re
import termios

import pytest
from typer.testing import CliRunner

from mcpi.base import yosys
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.build import graph
from mcpi.cli import main
from mcpi.cli.hardware import board as commands
from mcpi.engines.board import program as board_load
from mcpi.firmware import images
from mcpi.fpga import pins
from mcpi.hardware.serial_port import Gone, Port
from mcpi.hdl import cocotb_run, scala

ROWS = [
    ("test --port /dev/fly", "/dev/fly: no such port"),
    ("test --port README.md", "README.md: is no serial port"),
    ("test --port /dev/null --loop knot", "--loop knot: there are phy and cable"),
    ("test --port /dev/null --machine fly", "no machine 'fly'"),
    ("attach --port /dev/fly", "/dev/fly: no such port"),
    ("attach --port /dev/null --set link.mbps=7", "link.mbps"),
    ("run --port /dev/fly --port /dev/null", "/dev/fly: no such port"),
    ("run --port /dev/null --port README.md", "README.md: is no serial port"),
    ("run --port /dev/null --port /dev/null", "client and server are two boards"),
    ("load fly", "no board 'fly'"),
    ("load ecpix-5", "has not been built yet. Type: ./mcpi board build ecpix-5"),
    ("load ecpix-5 --bitstream fly.bit", "fly.bit: no such file"),
    ("load ecpix-5 --bitstream README.md", "README.md: is no bitstream"),
    ("embed ecpix-5", "has not been built yet. Type: ./mcpi board build ecpix-5"),
    ("embed ecpix-5 --node third", "--node third: client or server"),
    ("embed colorlight-i9", "has its RAM outside the FPGA"),
    ("build fly", "no board 'fly'"),
    ("build colorlight-i9 --machine dec3000-35", "keeps up with 32. Take 30 or less"),
    ("simulate --out README.md", "README.md"),
    ("simulate --ram-of fly", "no board 'fly'"),
    ("simulate --exact-time --loopback", "--loopback has no effect with --exact-time"),
    ("simulate --loss 0.5", "--loss has no effect: only --exact-time"),
    ("simulate --exact-time --variant fly", "no variant 'fly'"),
    ("first-light --port /dev/null", "two boards are wanted"),
    ("first-light --port /dev/null --port /dev/fly", "/dev/fly: no such port"),
]


@pytest.fixture
def nothing_is_made(monkeypatch, tmp_path):
    """Whatever would take a minute is a failure; nothing was ever built; a loader is there."""

    def made(*_, **__):
        raise AssertionError("it elaborates, or builds, before it has looked")

    for module, name in (
        (cocotb_run, "elaborate"),
        (cocotb_run, "elaborate_all"),
        (scala, "elaborate"),
        (graph, "build"),
        (images, "build"),
    ):
        monkeypatch.setattr(module, name, made)
    monkeypatch.setattr(board_load, "BUILD", tmp_path)
    monkeypatch.setattr(board_load, "loader", lambda: "true")
    monkeypatch.chdir(ROOT)


def said_by(words: str) -> str:
    """Why the command is refused, in one line; what else it raises goes on."""
    app = main.app if words.startswith("run ") else commands.app
    if words.startswith("run "):
        words = words.replace("run ", "run --engine board ", 1)
    result = CliRunner().invoke(app, words.split())
    error = result.exception
    if isinstance(error, UserError):
        return str(error)
    if error is None or isinstance(error, SystemExit):
        return result.output
    raise error


@pytest.mark.parametrize(("words", "said"), ROWS)
def test_it_looks_first(nothing_is_made, words, said):
    assert said in re.sub(r"\s+", " ", said_by(words))


@pytest.mark.parametrize(
    "words",
    ["test --port PORT", "attach --port PORT", "run --port PORT --port /dev/null"]
    + ["run --port /dev/null --port PORT"],
)
def test_a_port_that_another_program_has(nothing_is_made, words):
    path = os.ttyname(pty.openpty()[1])
    with contextlib.closing(Port(path, 115200)):
        assert f"{path}: another program has it" in said_by(words.replace("PORT", path))


def test_a_port_that_is_interrupted_goes_on_and_one_that_is_gone_is_told(monkeypatch):
    """Errors of termios are no OSError, and Python does not go on when a stopped process does."""
    content = [errno.EINTR, errno.EIO]

    def drain(_):
        raise termios.error(content.pop(0), "")

    with contextlib.closing(Port(os.ttyname(pty.openpty()[1]), 115200)) as port:
        monkeypatch.setattr(termios, "tcdrain", drain)
        with pytest.raises(Gone, match="Was the cable pulled"):
            port.write(b"x")
    assert not content


def test_a_slip_in_the_pin_file_ends_a_build_at_once(nothing_is_made, monkeypatch):
    def slip(_):
        raise UserError("pins.lpf:3: neither LOCATE nor IOBUF nor FREQUENCY")

    monkeypatch.setattr(pins, "read", slip)
    assert "pins.lpf:3" in said_by("build ecpix-5")


def test_a_missing_tool_ends_a_build_at_once(nothing_is_made, monkeypatch):
    def missing(tool):
        raise UserError(f"{tool} is missing. Type: ./mcpi setup")

    monkeypatch.setattr(yosys, "command", missing)
    assert "is missing. Type: ./mcpi setup" in said_by("build ecpix-5")


def test_a_check_that_comes_late_is_seen(nothing_is_made, monkeypatch):
    """The mutant: without the look at the port the command elaborates."""
    from mcpi.hardware import serial_port

    monkeypatch.setattr(serial_port, "check", lambda _: None)
    with pytest.raises(AssertionError, match="before it has looked"):
        said_by("test --port /dev/fly")


def symptoms() -> list[str]:
    """The messages in the guide's table."""
    with (ROOT / "docs" / "data" / "board-messages.csv").open(newline="") as stream:
        first = [row[0] for row in list(csv.reader(stream))[3:]]
    return [text.strip("`") for text in first if text.startswith("`")]


def test_symptoms_are_what_commands_say():
    """Each message of the page is one of ours, but for what stands for names and numbers."""
    files = (ROOT / "tools" / "mcpi").rglob("*.py")
    text = " ".join(" ".join(path.read_text().split()) for path in files)
    text = text.replace("{LOADER}", board_load.LOADER)
    text = re.sub(r'"\s*f?"', "", text)  # a sentence of several strings
    found = symptoms()
    assert len(found) > 15
    lost = [s for s in found for part in re.split("…", s) if part.strip() not in text]
    assert not lost
