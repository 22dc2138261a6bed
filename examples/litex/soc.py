# SPDX-License-Identifier: BSD-2-Clause
"""A LiteX SoC with a VexRiscv and LANCE-IP on its Wishbone: ``python soc.py ROM`` writes ``soc.v``
and prints the files of Verilog that it needs besides, but for LANCE-IP's."""

import sys
from pathlib import Path

from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect import wishbone
from migen import ClockDomain, ClockSignal, Instance, ResetSignal

WIDTHS = {"tx_clk": 1, "rx_clk": 1, "tx_en": 1, "txd": 4, "rx_dv": 1, "rx_er": 1, "rxd": 4}
WIDTHS |= {"crs": 1, "col": 1}
PINS = [
    ("sys_clk", 0, Pins(1)),
    ("sys_rst", 0, Pins(1)),
    ("mii", 0, *(Subsignal(name, Pins(width)) for name, width in WIDTHS.items())),
]
MEMORY, REGISTERS = 0x10000, 0x90000000  # bytes of the memory that the chip sees; an address


class Soc(SoCCore):
    """Processor, ROM, two memories, LANCE-IP."""

    def __init__(self, platform: SimPlatform, rom: list[int]):
        memories = {"integrated_rom_size": 0x4000, "integrated_sram_size": 0x2000}
        super().__init__(
            platform,
            100e6,
            cpu_type="vexriscv",
            cpu_variant="minimal",
            integrated_rom_init=rom,
            integrated_main_ram_size=MEMORY,
            with_uart=False,
            ident="",
            **memories,
        )
        self.clock_domains.cd_sys = ClockDomain("sys")
        self.comb += self.cd_sys.clk.eq(platform.request("sys_clk"))
        self.comb += self.cd_sys.rst.eq(platform.request("sys_rst"))
        registers, memory = (wishbone.Interface(data_width=32, adr_width=30) for _ in range(2))
        region = SoCRegion(origin=REGISTERS, size=0x1000, cached=False)
        self.bus.add_slave("lance", registers, region)
        self.bus.add_master("lance_dma", memory)
        pins = platform.request("mii")
        phy = {f"{'o' if n[:2] == 'tx' and n != 'tx_clk' else 'i'}_mii_{n}": n for n in WIDTHS}
        self.specials += Instance(
            "LanceWishboneMii",
            i_clk=ClockSignal(),
            i_reset=ResetSignal(),
            i_phy_mdio_i=1,
            i_wbs_adr_i=registers.adr[:3],
            i_wbs_dat_i=registers.dat_w,
            o_wbs_dat_o=registers.dat_r,
            o_wbs_ack_o=registers.ack,
            o_wbm_adr_o=memory.adr,
            o_wbm_dat_o=memory.dat_w,
            i_wbm_dat_i=memory.dat_r,
            i_wbm_ack_i=memory.ack,
            i_wbm_err_i=memory.err,
            **{f"i_wbs_{n}_i": getattr(registers, n) for n in ("cyc", "stb", "we", "sel")},
            **{f"o_wbm_{n}_o": getattr(memory, n) for n in ("cyc", "stb", "we", "sel")},
            **{port: getattr(pins, n) for port, n in phy.items()},
        )


def main() -> None:
    data = Path(sys.argv[1]).read_bytes()
    words = [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]
    platform = SimPlatform("SIM", PINS, name="soc")
    soc = Soc(platform, words)
    soc.finalize()
    platform.get_verilog(soc, name="soc").write("soc.v")
    for file, *_ in platform.sources:
        print("file", file)


if __name__ == "__main__":
    main()
