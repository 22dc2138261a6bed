# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of alpha-lite, and how; docs/proofs.md says what it means."""

from pathlib import Path

import isa_spec
from mcpi.proof import Proof

HERE = Path(__file__).parent
INCLUDES = {
    "core.svh": (HERE / "core.svh").read_text().replace("`IO_LEAST", "1"),
    "control.svh": (HERE / "control.svh").read_text(),
    "spec.svh": isa_spec.wires(),
    "checks.svh": isa_spec.checks(),
    "isa_spec.sv": isa_spec.verilog(),
}
# Values, not decisions: what these say is left free.
VALUES = (
    "Pipeline/execute_alu",
    "Pipeline/execute_shifter",
    "Multiplier/w:accumulator",
    "Multiplier/w:signedHigh",
)

_LIST = [
    Proof("decoder", engine="smtbmc yices", mode="bmc", depth=1),
    Proof(
        "operands",
        cut=(
            *VALUES,
            "AlphaLite/fetch",
            "Pipeline/registers",
            "Pipeline/queue",
            "Pipeline/pal",
            "Pipeline/decode_decoder",
            "LoadStore/cache",
            "Pipeline/w:execute_met",
            "Pipeline/w:issue_misplaced",
            "LoadStore/buffer_1",
        ),
    ),
]
PROOFS = {p.name: p for p in _LIST}
