# SPDX-License-Identifier: BSD-2-Clause
"""``python -m mcpi.phy_report``: what the gateway, each PHY adapter and MDIO cost on an ECP5, the
table of docs/phy.md."""

from mcpi import block_report, synthesis, yowasp
from mcpi.block_report import Cost
from mcpi.paths import ROOT

# Module, and the block of lance-ip/phy/PhyBlocks.scala whose Verilog has it.
PARTS = {
    "PhyGateway": "GatewayMii",
    "MiiAdapter": "GatewayMii",
    "RmiiAdapter": "GatewayRmii",
    "RgmiiAdapter": "GatewayRgmii",
    "Mdio": "Mdio",
}
PAGE = ROOT / "docs" / "phy.md"


def measure(machine: str = "dec3000-600") -> dict[str, Cost]:
    """Cells of yosys's ``synth_ecp5``, each module alone and flattened."""
    yowasp.command(yowasp.YOSYS)
    costs = {}
    for module, block in PARTS.items():
        verilog = synthesis.elaborate(machine, {}, block)
        costs[module] = block_report.cost(synthesis.synthesise(verilog, module))
    return costs


def lines(costs: dict[str, Cost]) -> list[str]:
    """The rows of the page's table."""
    return [
        f"| `{module}` | {c.comb:,} | {c.lut4:,} | {c.carry} | {c.distributed_ram} | {c.ff:,} "
        f"| {c.ebr} |"
        for module, c in costs.items()
    ]


if __name__ == "__main__":
    print("\n".join(lines(measure())))
