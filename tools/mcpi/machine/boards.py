# SPDX-License-Identifier: BSD-2-Clause
"""The boards there are: ``boards/<name>/board.toml``, checked."""

import math
import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.machine import reserved_luts
from mcpi.machine.profile import Machine

BOARDS = ROOT / "boards"
SIMULATED = "sim"  # what the simulator says its name is
SIMULATED_PAGE = 8192  # bytes of its pages
BLOCK = 32  # bytes of a block, at least
ADDRESSES = 1 << 27  # bytes below a node's tags: RAM, and above it the residency tables
SIMULATED_BAUD = 115200  # a pseudo-terminal has none


# A register of the PHY and what is written to it.
Written = tuple[Annotated[int, Meta(ge=0, le=31)], Annotated[int, Meta(ge=0, le=0xFFFF)]]


class Phy(Struct, frozen=True, forbid_unknown_fields=True):
    """``address`` on MDIO; ``start``: what is written after reset."""

    address: int
    start: tuple[Written, ...] = ()
    reset_ms: int = 20


class Board(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything about a board that is no hardware description (docs/reference/boards.md)."""

    name: str
    title: str
    device: tuple[str, ...]  # words for nextpnr: --45k and so on
    speed: int
    package: str
    idcode: str = ""  # what ecppack is told, empty: the device's own
    top: str  # the block that Elaborate knows
    vco_mhz: Annotated[int, Meta(ge=400, le=800, multiple_of=50)]  # of the node's PLL
    clock_divider: Annotated[int, Meta(ge=2, le=128)]  # of the VCO's clock: the node's
    holds: Annotated[float, Meta(gt=0)]  # M ticks/s, as ``board build`` measures it
    baud: int
    ram: Literal["block", "sdram"]
    page_bytes: int
    frames: int  # pages of RAM and one, which stays empty
    frames_of_cores: int = 0  # of a node of several cores; 0: as many
    cache_blocks: int = 0  # of block RAM before SDRAM
    programmer: str  # openFPGALoader's name
    phy: Phy
    leds: tuple[str, ...] = ()
    spare: str = ""  # slices of most tiles that stay empty (reserved_luts.py)
    embed: bool = False  # the bitstream can bring firmware (board embed): RAM is block RAM

    @property
    def clock_mhz(self) -> float:
        return self.vco_mhz / self.clock_divider

    @property
    def clock_khz(self) -> int:
        """Clock in kHz, as the board says it."""
        return self.vco_mhz * 1000 // self.clock_divider

    @property
    def pages(self) -> int:
        return self.frames - 1

    def check_real_time(self, machine: Machine) -> None:
        """UserError for a machine in real time that this board cannot keep up with."""
        wanted, mbps = machine.ticks_per_us, machine.parameters["link.mbps"]
        if machine.real_time and wanted > self.holds:
            step = mbps // math.gcd(4, mbps)  # a nibble has whole ticks
            raise UserError(
                f"machine {machine.name}: clock.ticks_per_us = {wanted} in real time: "
                f"{self.title} keeps up with {self.holds:g}. "
                f"Take {int(self.holds) // step * step} or less, or clock.real_time=off."
            )

    @property
    def folder(self) -> Path:
        return BOARDS / self.name

    @property
    def pins(self) -> Path:
        return self.folder / "pins.lpf"


def names() -> list[str]:
    return sorted(path.parent.name for path in BOARDS.glob("*/board.toml"))


def load(name: str) -> Board:
    """The board ``name``; UserError for one that is not there, or whose file has a slip."""
    if name not in names():
        raise UserError(f"no board '{name}'. There are: {', '.join(names()) or 'none yet'}.")
    return parse(name, BOARDS / name / "board.toml")


def parse(name: str, path: Path) -> Board:
    try:
        given = msgspec.toml.decode(path.read_bytes())
        board = msgspec.convert({"name": name} | given, Board)
    except msgspec.ValidationError as error:
        raise UserError(f"{path}: {error}.") from None
    except msgspec.DecodeError as error:
        raise UserError(f"{path}: not a TOML file: {error}") from None
    if not re.fullmatch(r"[a-z0-9-]{1,16}", name) or len(identity(name)) > 8:
        raise UserError(f"{path}: the folder's name must be short, of a-z, 0-9 and -.")
    if not re.fullmatch(r"A?B?C?D?", board.spare):
        raise UserError(
            f"{path}: spare = {board.spare!r}: letters of slices are wanted, some of ABCD in this "
            "order."
        )
    if board.spare and reserved_luts.size(board.device[0]) not in reserved_luts.LAST:
        raise UserError(f"{path}: spare: tiles are known of {', '.join(reserved_luts.LAST)} alone.")
    page, cache = board.page_bytes, board.cache_blocks
    if (board.ram == "sdram") != (cache > 0):
        raise UserError(
            f"{path}: cache_blocks = {cache}: SDRAM has a cache before it, block RAM has no cache."
        )
    if cache and (cache.bit_count() != 1 or cache <= page // BLOCK):
        raise UserError(
            f"{path}: cache_blocks = {cache}: a power of two is wanted, more than the "
            f"{page // BLOCK} blocks of a page."
        )
    for key in ("frames", "frames_of_cores"):
        frames = getattr(board, key) or board.frames
        if frames.bit_count() != 1 or page.bit_count() != 1 or page < 64:
            raise UserError(
                f"{path}: {key} and page_bytes: powers of two are wanted, pages of 64 bytes or "
                "more."
            )
        if 2 * frames * frames * page < ADDRESSES:
            raise UserError(
                f"{path}: {key} = {frames}: too few for pages of {page} bytes: 2 × {key}² pages "
                f"are {ADDRESSES:#x} bytes or more."
            )
    return board


def identity(name: str) -> str:
    """Name by which the board identifies itself: eight characters at most."""
    return name.removeprefix("colorlight-").replace("-", "")


def by_identity(said: str) -> Board | None:
    return next((load(name) for name in names() if identity(name) == said), None)
