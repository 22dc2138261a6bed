# SPDX-License-Identifier: BSD-2-Clause
"""A board at a serial port, which is identified, loaded, started, watched and read out."""

import contextlib
import json
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Bar, Update
from mcpi.build import graph
from mcpi.firmware import elf
from mcpi.fpga import bram_image
from mcpi.hardware import ethernet_phy, serial_port
from mcpi.hardware.hostlink import HostLink
from mcpi.hardware.serial_port import Port
from mcpi.hdl import cocotb_run
from mcpi.machine import boards
from mcpi.machine.profile import Machine, load
from mcpi.results import windows
from mcpi.spec.node_image import Load

CLEAR, FREEZE, ARM, SNAPSHOT = 1, 2, 4, 8
HALTED, EXITED, OWNERS_ERROR, BUSY, BEGUN, ENDED, REFUSED = (1 << n for n in range(7))
FAULT = 1 << 63
LOOPED = 1 << 4  # of board.link, in simulation: what is sent comes back
# Counters of a gateway, and the bits of each.
COUNTS = dict.fromkeys(
    ("sent", "received", "send_dropped", "receive_dropped", "receive_errors"), 32
) | dict.fromkeys(("send_waiting", "receive_waiting", "sent_nibbles"), 48)
_ACTION = re.compile(r"comparator\.\d+\.action")
_PIECE = 64  # bytes: zeros are left out in so many at a time
_PATIENCE = 1000  # looks at a status that should change within microseconds


@dataclass(frozen=True)
class Status:
    halted: bool
    exited: bool
    owners_error: bool
    ended: bool  # the measurement is over and copied
    refused: bool  # somebody wrote a setting since `run`
    exit_code: int
    invocations: int


class BoardNode:
    """``names``: numbers of host registers, as in Node.json."""

    def __init__(self, link: HostLink, names: dict[str, int], counters: list[str]) -> None:
        self.link, self.names, self.counters = link, names, counters
        self.about: dict[str, object] = {}
        self.further = False  # a comparator has another window than the path's

    @property
    def path(self) -> str:
        return self.link.port.path

    def _read(self, name: str) -> int:
        return self.link.read(self.names[name])

    def _write(self, name: str, value: int) -> None:
        self.link.write(self.names[name], value)

    # ---- before a run

    def identify(self, machine: Machine) -> None:
        """RunError unless it is a board with this machine; it stands still from here on, and its
        cable is a live one."""
        self.link.ping()
        self.link.write_all({self.names["run"]: 0})
        self._write("board.exact", 0)
        name = struct.pack("<Q", self._read("board.name")).rstrip(b"\0").decode("ascii", "replace")
        if board := boards.by_identity(name):
            board.check_real_time(machine)
        digest = self._read("machine_digest")
        if digest != int(machine.elaborate_digest, 16):
            raise RunError(
                f"{self.path}: board {name or '(nameless)'} holds a machine of digest "
                f"{digest:016x}, this run wants {machine.elaborate_digest} ({machine.name}). "
                "Build and load it with the same --machine and --set: ./mcpi board build, load."
            )
        self.about = {
            "port": self.path,
            "board": name,
            "rtl_digest": f"{self._read('rtl_digest'):016x}",
            "clock_khz": self._read("board.clock_khz"),
            "pages": self._read("board.pages"),
        }

    def check_alone(self) -> None:
        """UserError for one of two simulated boards on a cable: virtual time begins with both."""
        simulated = self.about["board"] == boards.SIMULATED
        if simulated and not self._read("board.link") & LOOPED:
            raise UserError(
                f"{self.path}: this is one of two simulated boards on a cable, and time stands "
                "still until both run. One alone, whose cable leads back to itself: "
                "./mcpi board simulate --loopback"
            )

    def start_phy(self, mode: ethernet_phy.Mode) -> None:
        """The PHY, as board.toml and ``mode`` say; a simulated board has none."""
        self._about_phy(ethernet_phy.start, mode)

    def await_link(self, mode: ethernet_phy.Mode) -> None:
        """Wait until the PHY has a link; ``start_phy`` of both ends comes first."""
        self._about_phy(ethernet_phy.await_link, mode)

    def _about_phy(self, act: Callable[..., dict[str, object]], mode: ethernet_phy.Mode) -> None:
        if board := boards.by_identity(str(self.about["board"])):
            found = act(self.link, self.names, board.phy, mode)
            self.about["phy"] = self.about.get("phy", {}) | found

    def load(self, what: Load, update: Update) -> None:
        """RAM, then every register. Images that came with the bitstream, and to which nobody has
        written since, are not sent."""
        self._check_size(what.images)
        there = self._read("board.embedded") == bram_image.name(what.images)
        if not there:
            self._write("board.pages_used", 0)
        pieces = [p for s in ([] if there else what.images) for p in _pieces(*s)] + [what.boot]
        done, size = 0, sum(len(data) for _, data in pieces)
        for address, data in pieces:
            begun = done

            def more(bytes_: int, begun: int = begun) -> None:
                update(begun + bytes_, size, "bytes")

            self.link.write_ram(address, data, more)
            done += len(data)
        self.about |= {"embedded": there, "sent_bytes": done}
        self.check_fault()
        self.link.write_all(what.registers)
        actions = [n for name, n in self.names.items() if _ACTION.fullmatch(name)]
        self.further = any(what.registers.get(n, 0) >> 8 > elf.PATH for n in actions)
        first = 0 if what.registers[self.names["measure_from"]] else ARM
        self._write("counters_control", CLEAR | (first or FREEZE))  # it settles after `run`

    def _check_size(self, images: list[tuple[int, bytes]]) -> None:
        """RunError for images that are larger than the board's RAM, before a byte is sent."""
        if board := boards.by_identity(str(self.about["board"])):
            used, there = len(bram_image.pages(images, board.page_bytes)), int(self.about["pages"])
            if used > there:
                raise RunError(
                    f"{self.path}: {bram_image.too_large(used, there, board.page_bytes)}"
                )

    def check_fault(self) -> None:
        if (fault := self._read("board.fault")) & FAULT:
            raise RunError(
                f"{self.path}: the board's RAM is used up: all of its {self.about.get('pages')} "
                f"pages, and address {fault & ~FAULT:#x} wanted one more. "
                "A board with SDRAM, or a smaller firmware, has room."
            )

    # ---- a run

    def start(self) -> None:
        self._write("run", 1)

    def stop(self) -> None:
        self.link.write_all({self.names["run"]: 0})

    def status(self) -> Status:
        self.link.poll()
        word = self._read("status")
        return Status(
            halted=bool(word & HALTED),
            exited=bool(word & EXITED),
            owners_error=bool(word & OWNERS_ERROR),
            ended=bool(word & ENDED) and not word & BUSY,
            refused=bool(word & REFUSED),
            exit_code=word >> 8 & 0xFF,
            invocations=self._read("invocations"),
        )

    def _settled(self) -> None:
        for _ in range(_PATIENCE):
            if not self._read("status") & BUSY:
                return
        raise RunError(f"{self.path}: the counters do not come to rest.")

    def read_counters(self, update: Update) -> dict[str, dict[str, int]]:
        """The last copy: everything and window 1, by counter name; the table if it is in use."""
        self._settled()
        banks: dict[str, dict[str, int]] = {"all": {}, "path": {}}
        total, done = 2 * len(self.counters), 0
        if self.further:
            total += len(windows.cells(self.names))

        def value(name: str) -> int:
            nonlocal done
            done += 1
            update(done, total, f"counters of {self.path}")
            return self._read(name)

        for bank, found in banks.items():
            for name in self.counters:
                found[name] = value(f"snapshot.{bank}.{name}")
        return banks | windows.read(self.names, value) if self.further else banks

    def gateway(self, before: dict[str, int] | None = None) -> dict[str, int]:
        """Counts of the gateway between node and cable; since ``before`` if it is given."""
        found = {name: self._read(f"board.{name}") for name in COUNTS}
        if before:
            found = {n: found[n] - before[n] & (1 << bits) - 1 for n, bits in COUNTS.items()}
        return found

    def pages_used(self) -> int:
        return self._read("board.pages_used")

    def late_us(self, machine: Machine) -> float | None:
        """The most that virtual time was behind real time in the measurement; None: they differ."""
        if not (rate := self._read("board.real_time")):
            return None
        ticks = self._read("board.late") / (rate & 0xFFFF)
        return round(ticks / machine.ticks_per_us, 3)


def _pieces(address: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    """``data`` without what is zero, as RAM is that nobody has written to."""
    begun = None
    for at in range(0, len(data) + _PIECE, _PIECE):
        some = any(data[at : at + _PIECE])
        if some and begun is None:
            begun = at
        if not some and begun is not None:
            yield address + begun, data[begun:at]
            begun = None


def checked(port: str, name: str, settings: dict[str, str]) -> Machine:
    """The machine ``name``; UserError for what would hinder one board at ``port`` to be it."""
    machine = load(name, settings)
    machine.check_acts(settings, engine="board")
    ethernet_phy.Mode.of(machine)
    serial_port.check(port)
    graph.check_tools()
    return machine


@contextlib.contextmanager
def opened(
    port: str, baud: int, name: str, settings: dict[str, str], bar: Bar
) -> Iterator[BoardNode]:
    """The node at ``port`` as long as it is used, with the registers of the machine ``name``."""
    with bar.task("elaborate", 1):
        verilog = cocotb_run.elaborate("Node", name, load(name, settings).shape)
    about = json.loads(verilog.with_name("Node.json").read_text())
    node = open_node(port, baud or boards.SIMULATED_BAUD, about["registers"], [])
    with contextlib.closing(node.link.port):
        yield node


def open_node(path: str, baud: int, names: dict[str, int], counters: list[str]) -> BoardNode:
    """The node behind the serial port ``path``."""
    return BoardNode(HostLink(Port(str(Path(path)), baud)), names, counters)
