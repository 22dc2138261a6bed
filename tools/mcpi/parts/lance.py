# SPDX-License-Identifier: BSD-2-Clause
"""LANCE-IP as files: Verilog, waivers, constraints, registers, a core file, a data sheet."""

import csv
import shutil
from dataclasses import dataclass
from pathlib import Path
from string import Template

from mcpi.base import blocks, staging
from mcpi.base.errors import RunError, UserError, nearest
from mcpi.base.repo import ROOT
from mcpi.hdl import cocotb_run
from mcpi.parts import registers

MACHINE = "dec3000-600"  # gives the parameters that a part does not have
SHIPPED = ROOT / "lance-ip" / "parts" / "files"
MARK = "mcpi-lance.core"  # a folder with it is one that the command made
BUSES, PHYS = ("wishbone", "axi4", "turbochannel"), ("mii", "rmii", "rgmii")
DUPLEX = {
    "mii": "Full and half duplex",
    "rmii": "Full and half duplex",
    "rgmii": "Full duplex only",
}
# Clocks of a PHY by their ports, and MHz at 10 and at 100 Mb/s.
CLOCKS = {
    "mii": {"mii_tx_clk": (2.5, 25), "mii_rx_clk": (2.5, 25)},
    "rmii": {"rmii_ref_clk": (50, 50)},
    "rgmii": {"rgmii_clk_100": (100, 100), "rgmii_rxc": (2.5, 25)},
}

# Pins of a PHY that leads each frame back, and how many carry data.
WIRES = {
    "mii": (
        4,
        {
            "tx_clk": "wire_clk",
            "rx_clk": "wire_clk",
            "tx_en": "enable",
            "txd": "nibble",
            "rx_dv": "enable",
            "rx_er": "1'b0",
            "rxd": "nibble",
            "crs": "enable",
            "col": "1'b0",
        },
    ),
    "rmii": (
        2,
        {
            "ref_clk": "wire_clk",
            "tx_en": "enable",
            "txd": "nibble",
            "crs_dv": "enable",
            "rx_er": "1'b0",
            "rxd": "nibble",
        },
    ),
    "rgmii": (
        4,
        {
            "clk_100": "wire_clk",
            "txc": "back_clk",
            "rxc": "back_clk",
            "tx_ctl": "enable",
            "rx_ctl": "enable",
            "txd": "nibble",
            "rxd": "nibble",
        },
    ),
}


@dataclass(frozen=True)
class Wanted:
    """A part: its bus and PHY, MHz of ``clk``, Mb/s of the wire, the chip."""

    bus: str
    phy: str
    clock: int = 50
    mbps: int = 100
    chip: str = "am7990"

    @property
    def top(self) -> str:
        return f"Lance{self.bus.capitalize()}{self.phy.capitalize()}"

    @property
    def settings(self) -> dict[str, str]:
        return {
            "clock.ticks_per_us": str(self.clock),
            "link.mbps": str(self.mbps),
            "lance.profile": "ideal",
            "lance.chip": self.chip,
        }


def check(wanted: Wanted) -> None:
    """UserError for a part that there is not, before anything is built."""
    _one_of("--bus", wanted.bus, BUSES)
    _one_of("--phy", wanted.phy, PHYS)
    _one_of("--chip", wanted.chip, ("am7990", "c-lance"))
    if wanted.mbps not in (10, 100):
        raise UserError(f"--mbps {wanted.mbps}: 10 or 100 is wanted.")
    step = 25 if wanted.mbps == 100 else 5
    least = 50 if wanted.mbps == 100 else 10
    if wanted.clock % step or not least <= wanted.clock <= 1000:
        raise UserError(
            f"--clock {wanted.clock}: a nibble of {wanted.mbps} Mb/s has two clocks or more, a "
            f"whole number. Take a multiple of {step} MHz from {least} to 1000."
        )


def _one_of(option: str, given: str, there: tuple[str, ...]) -> None:
    if given not in there:
        raise UserError(f"{option} {given}: there are {', '.join(there)}.{nearest(given, there)}")


def write(wanted: Wanted, out: Path) -> list[Path]:
    """Check, elaborate, and write the files into ``out``, which appears whole; returns them."""
    check(wanted)
    with staging.staged(out, mark=MARK) as stage:
        try:
            verilog = cocotb_run.elaborate(wanted.top, MACHINE, wanted.settings)
        except RuntimeError as error:
            raise RunError(str(error)) from None
        shutil.copyfile(verilog, stage / verilog.name)
        shutil.copyfile(SHIPPED / "lance.vlt", stage / "lance.vlt")
        rdl = registers.rdl(wanted.bus)
        table = registers.read(rdl)
        words = {
            "TOP": wanted.top,
            "BUS": wanted.bus,
            "PHY": wanted.phy,
            "CLOCK": str(wanted.clock),
            "MBPS": str(wanted.mbps),
            "CHIP": wanted.chip,
            "REGISTERS": registers.page(table),
            "DUPLEX": DUPLEX[wanted.phy],
            **measured(wanted.bus, wanted.mbps),
            "PORTS": _text(f"{wanted.bus}.ports.md"),
            "USE": _text("turbochannel.use.md" if wanted.bus == "turbochannel" else "dma.use.md"),
            **_bench(wanted),
        }
        words["SIDE"] = Template(_text(f"{wanted.bus}.side.template")).substitute(words)
        texts = {
            MARK: _filled("lance.core.template", words),
            "README.md": _filled("data-sheet.template", words),
            "lance_tb.v": _filled("lance_tb.v.template", words),
            "lance.sdc": constraints(wanted),
            "lance.rdl": rdl,
            "lance.h": registers.header(table),
        }
        for name, text in texts.items():
            (stage / name).write_text(text)
        names = sorted(path.name for path in stage.iterdir())
    return [out / name for name in names]


def _bench(wanted: Wanted) -> dict[str, str]:
    """Words for the Verilog bench: half periods in ns, and the wire that leads back."""
    mhz = next(iter(CLOCKS[wanted.phy].values()))[wanted.mbps == 100]
    width, back = WIRES[wanted.phy]
    pins = f"  wire enable, back_clk;\n  wire [{width - 1}:0] nibble;"
    joined = ",\n".join(f"    .{wanted.phy}_{port}({signal})" for port, signal in back.items())
    half = {"HALF_CLOCK": f"{500 / wanted.clock:g}", "HALF_WIRE": f"{500 / mhz:g}"}
    return {**half, "PINS": pins, "JOINED": joined}


def measured(bus: str, mbps: int) -> dict[str, str]:
    """Tables of the data sheet. Sizes are those of all PHYs."""
    return {
        "SIZES": _rows("sizes.csv", bus),
        "RATES": _rows("rates.csv", bus, str(mbps)),
        "LATENCIES": _rows("latencies.csv", bus, str(mbps)),
    }


def _rows(name: str, *key: str) -> str:
    """The table of a CSV file's rows that begin with ``key``, without it."""
    head, *rows = _table(name)
    mine = [row[len(key) :] for row in rows if tuple(row[: len(key)]) == key]
    return blocks.table(head[len(key) :], mine)


def _table(name: str) -> list[list[str]]:
    lines = (SHIPPED / name).read_text().splitlines()
    return list(csv.reader(line for line in lines if line[:1] != "#"))


def _text(name: str) -> str:
    return (SHIPPED / name).read_text().strip("\n")


def _filled(name: str, words: dict[str, str]) -> str:
    return Template((SHIPPED / name).read_text()).substitute(words)


def constraints(wanted: Wanted) -> str:
    """Clocks of the part, in the form of Synopsys: none waits for another."""
    clocks = {"clk": wanted.clock}
    fast = wanted.mbps == 100
    clocks |= {port: mhz[fast] for port, mhz in CLOCKS[wanted.phy].items()}
    lines = [
        f"create_clock -name {port} -period {1000 / mhz:g} [get_ports {port}]"
        for port, mhz in clocks.items()
    ]
    groups = " ".join(f"-group {{{port}}}" for port in clocks)
    return "\n".join([*lines, f"set_clock_groups -asynchronous {groups}"]) + "\n"
