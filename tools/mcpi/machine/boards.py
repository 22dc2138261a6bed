# SPDX-License-Identifier: BSD-2-Clause
"""The boards there are: ``boards/<name>/board.toml``, checked."""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.machine import reserved_luts

BOARDS = ROOT / "boards"
SIMULATED = "sim"  # what the simulator says its name is
SIMULATED_PAGE = 8192  # bytes of its pages
ADDRESSES = 1 << 27  # bytes below a node's tags: RAM, and above it the residency tables
VCO_MHZ = 600  # boards/common/BoardFile.scala
RAMS = ("block", "sdram")
SIMULATED_BAUD = 115200  # a pseudo-terminal has none


@dataclass(frozen=True)
class Phy:
    """``address`` on MDIO; ``start``: what is written after reset, [register, value] each."""

    address: int
    start: tuple[tuple[int, int], ...] = ()
    reset_ms: int = 20


@dataclass(frozen=True)
class Board:
    """Everything about a board that is no hardware description (docs/reference/boards.md)."""

    name: str
    title: str
    device: tuple[str, ...]  # words for nextpnr: --45k and so on
    speed: int
    package: str
    idcode: str  # what ecppack is told, empty: the device's own
    top: str  # the block that Elaborate knows
    clock_divider: int  # of the PLL's VCO: the node's clock
    baud: int
    ram: str  # one of RAMS
    page_bytes: int
    frames: int  # pages of RAM and one, which stays empty
    programmer: str  # openFPGALoader's name
    phy: Phy
    leds: tuple[str, ...] = field(default=())
    spare: str = ""  # slices of most tiles that stay empty (reserved_luts.py)
    embed: bool = False  # the bitstream can bring firmware (board embed): RAM is block RAM

    @property
    def clock_mhz(self) -> float:
        return VCO_MHZ / self.clock_divider

    @property
    def clock_khz(self) -> int:
        """As the board says it."""
        return VCO_MHZ * 1000 // self.clock_divider

    @property
    def pages(self) -> int:
        return self.frames - 1

    @property
    def folder(self) -> Path:
        return BOARDS / self.name

    @property
    def pins(self) -> Path:
        return self.folder / "pins.lpf"


_FIELDS = {
    "title": str,
    "device": list,
    "speed": int,
    "package": str,
    "top": str,
    "clock_divider": int,
    "baud": int,
    "ram": str,
    "page_bytes": int,
    "frames": int,
    "programmer": str,
    "phy": dict,
}
_OPTIONAL = {"idcode": str, "leds": list, "spare": str, "embed": bool}


def names() -> list[str]:
    return sorted(path.parent.name for path in BOARDS.glob("*/board.toml"))


def load(name: str) -> Board:
    """The board ``name``; UserError for one that is not there, or whose file has a slip."""
    if name not in names():
        raise UserError(f"no board '{name}'. There are: {', '.join(names()) or 'none yet'}.")
    return parse(name, BOARDS / name / "board.toml")


def parse(name: str, path: Path) -> Board:
    try:
        given = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not a TOML file: {error}") from None
    known = _FIELDS | _OPTIONAL
    for key, kind in known.items():
        if key not in given and key in _FIELDS:
            raise UserError(f"{path}: {key} is missing.")
        if key in given and type(given[key]) is not kind:
            raise UserError(f"{path}: {key} = {given[key]!r}: {kind.__name__} is wanted.")
    if unknown := sorted(set(given) - set(known)):
        raise UserError(f"{path}: {unknown[0]}: no such key. There are: {', '.join(known)}.")
    if not re.fullmatch(r"[a-z0-9-]{1,16}", name) or len(identity(name)) > 8:
        raise UserError(f"{path}: the folder's name must be short, of a-z, 0-9 and -.")
    phy = given["phy"]
    start = tuple((int(r), int(v)) for r, v in phy.get("start", []))
    if any(not 0 <= r < 32 or not 0 <= v < 65536 for r, v in start):
        raise UserError(f"{path}: phy.start: [register below 32, value below 65536] is wanted.")
    empty = given.get("spare", "")
    if not re.fullmatch(r"A?B?C?D?", empty):
        raise UserError(f"{path}: spare = {empty!r}: some of the slices ABCD are wanted.")
    if empty and reserved_luts.size(given["device"][0]) not in reserved_luts.LAST:
        raise UserError(f"{path}: spare: tiles are known of {', '.join(reserved_luts.LAST)} alone.")
    if given["ram"] not in RAMS:
        raise UserError(f"{path}: ram = {given['ram']!r}: {' or '.join(RAMS)} is wanted.")
    if not 1 <= given["clock_divider"] <= 128:
        raise UserError(f"{path}: clock_divider = {given['clock_divider']}: 1 to 128 is wanted.")
    frames, page = given["frames"], given["page_bytes"]
    if frames.bit_count() != 1 or page.bit_count() != 1 or page < 64:
        raise UserError(f"{path}: frames and page_bytes: powers of two are wanted, pages of 64 up.")
    if frames * frames * page < ADDRESSES:
        raise UserError(f"{path}: frames = {frames}: too few for pages of {page} bytes.")
    return Board(
        name=name,
        title=given["title"],
        device=tuple(given["device"]),
        speed=given["speed"],
        package=given["package"],
        idcode=given.get("idcode", ""),
        top=given["top"],
        clock_divider=given["clock_divider"],
        baud=given["baud"],
        ram=given["ram"],
        page_bytes=page,
        frames=frames,
        programmer=given["programmer"],
        phy=Phy(phy["address"], start, phy.get("reset_ms", 20)),
        leds=tuple(given.get("leds", [])),
        spare=empty,
        embed=given.get("embed", False),
    )


def identity(name: str) -> str:
    """What the board itself says it is called: eight characters at most."""
    return name.removeprefix("colorlight-").replace("-", "")


def by_identity(said: str) -> Board | None:
    return next((load(name) for name in names() if identity(name) == said), None)
