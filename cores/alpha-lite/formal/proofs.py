# SPDX-License-Identifier: BSD-2-Clause
"""What is proven of alpha-lite, and how; docs/verification/proofs.md says what it means."""

from pathlib import Path

import isa_spec

from mcpi.verify.sby import INDUCTION, INDUCTION_Z3, PDR_MERGED, Proof, Room, mutants

HERE = Path(__file__).parent
INCLUDES = {path.name: path.read_text() for path in HERE.glob("*.svh")} | {
    "spec.svh": isa_spec.wires(),
    "checks.svh": isa_spec.checks(),
    "isa_spec.sv": isa_spec.verilog(),
}
# What these say is left free: values, where only their way matters.
VALUES = (
    "Pipeline/execute_alu",
    "Pipeline/execute_shifter",
    "Pipeline/w:execute_met",
    "Multiplier/w:column",
    "Multiplier/w:digits",
    "Multiplier/w:product",
)
MEMORIES = (
    "RegisterFile/w:bank_spinal_port1",
    "RegisterFile/w:bank_spinal_port2",
    "Pipeline/queue",
    "LoadStore/cache",
    "LoadStore/buffer_1",
)


def banks(name: str, word: str) -> str:
    """A wire `name` of a word of all eight banks of longwords."""
    return f"wire [255:0] {name} = {{{', '.join(f'bank{w}{word}' for w in range(7, -1, -1))}}};\n"


def operands(register: int, bit: int) -> Proof:
    return Proof(
        f"operands-r{register}-bit{bit}",
        engine=PDR_MERGED,
        settings={"REGISTER": str(register), "BIT": str(bit)},
        cut=(
            *VALUES,
            *MEMORIES,
            "AlphaLite/fetch",
            "Pipeline/pal",
            "Pipeline/decode_decoder",
            "Pipeline/w:issue_misplaced",
        ),
    )


_LIST = [
    Proof("decoder", engine=INDUCTION, mode="bmc", depth=1),
    operands(5, 0),
    operands(26, 63),
    Proof(
        "order",
        engine=INDUCTION,
        settings={"RESET_PC": "35'h10001"},
        depth=1,
        cut=(
            *VALUES,
            *MEMORIES,
            "Pipeline/w:execute_target",
            "Pipeline/decode_decoder",
            "Pipeline/multiplier_1",
            "FetchUnit/w:f2Line",
            "FetchUnit/valids",
            "FetchUnit/predictor",
        ),
    ),
    Proof(
        "traps",
        engine=PDR_MERGED,
        cut=(*VALUES, *MEMORIES, "AlphaLite/fetch", "Pipeline/pal"),
    ),
    Proof("effects", cut=(*VALUES, *MEMORIES, "AlphaLite/fetch", "Pipeline/decode_decoder")),
    Proof(
        "completion",
        engine=PDR_MERGED,
        cut=(*VALUES, *MEMORIES, "AlphaLite/fetch", "Pipeline/pal", "Pipeline/decode_decoder"),
    ),
    Proof(
        "register_file",
        engine=INDUCTION,
        depth=1,
        cut=(
            "AlphaLite/fetch",
            "AlphaLite/loadStore_1",
            "Pipeline/w:e3_*",
            "Pipeline/w:e3Result",
            "Pipeline/queue",
            "Pipeline/multiplier_1",
            *VALUES[:3],
        ),
    ),
    Proof(
        "owners",
        engine=INDUCTION,
        depth=1,
        cut=(*VALUES, *MEMORIES, "Pipeline/decode_decoder", "Pipeline/multiplier_1"),
    ),
    Proof(
        "front_progress",
        engine=INDUCTION,
        depth=1,
        settings={"QUIET": "16", "COMMANDS": "3"},
        cut=(
            "AlphaLite/pipeline_1",
            "AlphaLite/loadStore_1",
            "FetchUnit/w:f2Line",
            "FetchUnit/valids",
            "FetchUnit/predictor",
        ),
    ),
    Proof(
        "back_progress",
        engine=INDUCTION,
        depth=1,
        settings={"QUIET": "23", "COMMANDS": "6"},
        cut=(
            *VALUES[:3],
            "Pipeline/registers",
            "Pipeline/multiplier_1",
            "Pipeline/queue",
            "Pipeline/pal",
            "Pipeline/decode_decoder",
            "LoadStore/cache",
            "WriteBuffer/w:cmd_payload_data",
            "AlphaLite/fetch",
        ),
    ),
    Proof(
        "write_buffer",
        engine=INDUCTION,
        depth=1,
        probes={"WriteBuffer": "".join(banks(f"probe{e}", f"[{e}]") for e in range(4))},
        cut=("AlphaLite/fetch", "AlphaLite/pipeline_1", "LoadStore/cache"),
    ),
    Proof(
        "arbiter",
        engine=INDUCTION_Z3,
        depth=1,
        settings={"LOAD_WAITS": "5", "DEMAND_WAITS": "6"},
        cut=(
            "AlphaLite/fetch",
            "AlphaLite/pipeline_1",
            "LoadStore/cache",
            "WriteBuffer/w:cmd_payload_data",
        ),
    ),
    Proof(
        "dcache",
        engine=INDUCTION,
        depth=1,
        probes={
            "DCache": "(* anyconst *) wire [7:0] probeSet;\n"
            "wire [12:0] probeTag = tags[probeSet], probeNamed = named[probeSet];\n"
            + banks("probeData", "_data[probeSet]"),
            "ValidBits_1": "(* anyconst *) wire [7:0] probeSet;\n"
            "wire [15:0] probeRow = rows[probeSet[7:4]];\n"
            "wire probeValid = probeRow[probeSet[3:0]] && live[probeSet[7:4]];\n",
        },
        cut=("AlphaLite/fetch", "AlphaLite/pipeline_1", "WriteBuffer/w:cmd_payload_data"),
    ),
]
ROOM = Room("AlphaLite", HERE, _LIST, mutants(HERE), INCLUDES)
