# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of alpha-lite as it goes onto an FPGA: that it does the same in every tick."""

from proofs import HERE, INCLUDES, MEMORIES, VALUES

from mcpi.verify.sby import INDUCTION, Proof, Room, mutants

ON_FPGA = HERE / "on_fpga"
_CORE = INCLUDES["core.svh"].replace("  AlphaLite core (", "  AlphaLiteOnFpga core (")
_LIST = [
    Proof(
        "lookup",
        engine=INDUCTION,
        depth=1,
        cut=(
            *VALUES,
            *MEMORIES[:3],
            "AlphaLiteOnFpga/fetch",
            "Pipeline/pal",
            "Pipeline/decode_decoder",
            "Pipeline/multiplier_1",
            "WriteBuffer/w:cmd_payload_data",
        ),
    ),
    Proof(
        "second_clock",
        engine=INDUCTION,
        depth=3,
        cut=(
            "AlphaLiteOnFpga/fetch",
            "AlphaLiteOnFpga/loadStore_1",
            "Pipeline/registers",
            "Pipeline/queue",
            "Pipeline/multiplier_1",
            "Pipeline/decode_decoder",
            "Pipeline/execute_shifter",
        ),
    ),
]
ROOM = Room("AlphaLiteOnFpga", ON_FPGA, _LIST, mutants(ON_FPGA), INCLUDES | {"core.svh": _CORE})
