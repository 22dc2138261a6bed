# SPDX-License-Identifier: BSD-2-Clause
"""Faults put into the generated Verilog, each of which makes a proof fail.

A proof without one would show nothing: it could rest on assumptions that contradict each other.
Those marked "was there" are faults the proof found when it was first run.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    proof: str
    name: str
    text: str  # stands in the Verilog
    instead: str
    depth: int  # ticks within which the fault shows, searched by bounded model checking
    times: int = 1  # how often ``text`` stands there


MUTANTS = [
    Mutant(
        "decoder",
        "subl/v is another function",
        "7'h49 : begin",
        "7'h4a : begin",
        1,
        times=10,
    ),
    Mutant(
        "operands-r5-bit0",
        "store data behind a conditional move (was there)",
        "(e1_conditional && e2_valid)",
        "(1'b0 && e2_valid)",
        12,
        times=2,
    ),
    Mutant(
        "operands-r26-bit63",
        "no bypass from E3",
        "(e3_valid && (e3_payload_register == register_1))",
        "1'b0",
        12,
    ),
    Mutant(
        "register_file",
        "the older of two writes stays (was there)",
        "if(lateWrite_valid) begin\n          newest",
        "if(lateWrite_valid && !write_valid) begin\n          newest",
        6,
    ),
    Mutant(
        "order",
        "a trap leaves the address behind it",
        "{e1_next,e1_pc[1 : 0]} : fetched_payload_pc)",
        "{e1_next,e1_pc[1 : 0]} : (fetched_payload_pc + 64'd4))",
        12,
    ),
    Mutant(
        "traps",
        "a product before a /V ends its wait (was there)",
        "((rsp_valid && taken) && rsp_payload_traps)",
        "(rsp_valid && taken)",
        32,
    ),
    Mutant(
        "traps",
        "PAL instructions outside PAL mode",
        "(decode_decoder_control_palOnly && (! decode_inPal))",
        "1'b0",
        8,
    ),
    Mutant(
        "effects",
        "a trap leaves the lock flag",
        "assign loadStore_breakLock = (issue_trap || ",
        "assign loadStore_breakLock = (1'b0 || ",
        12,
    ),
    Mutant(
        "effects",
        "what traps also executes",
        "e1_valid <= issue_go;",
        "e1_valid <= (issue_go || issue_trap);",
        8,
    ),
    Mutant(
        "completion",
        "the slot of the next instruction",
        "e1_slot <= issue_slot;",
        "e1_slot <= (issue_slot + {7'd0, e1_valid});",
        12,
    ),
    Mutant(
        "completion",
        "a load miss is written as if it had hit",
        "(! execute_isLate)) && (! execute_isMultiply)",
        "1'b1) && (! execute_isMultiply)",
        12,
    ),
    Mutant(
        "owners",
        "a tick without an issue is called one",
        "issue_owner = Owner_barrier;",
        "issue_owner = Owner_issue;",
        12,
        times=2,
    ),
    Mutant(
        "front_progress",
        "the answer to a demand is forgotten",
        "          demandBusy <= 1'b0;\n          demandStale <= 1'b0;",
        "          demandStale <= 1'b0;",
        40,
    ),
    Mutant(
        "back_progress",
        "the load after a load miss is not sent",
        "          sent <= 1'b0;\n          pending <= Wait_1_none;",
        "          pending <= Wait_1_none;",
        40,
    ),
    Mutant(
        "back_progress",
        "a STx_C that has lost its flag waits for good",
        "(ready && (! good)));",
        "1'b0);",
        40,
    ),
    Mutant(
        "back_progress",
        "what waits for a multiply waits for good",
        "((rsp_valid && taken) && rsp_payload_traps)",
        "1'b0",
        60,
    ),
    Mutant(
        "write_buffer",
        "a store merges into the entry that goes out",
        "(! (goes && (candidate == 2'b01)))",
        "1'b1",
        12,
    ),
    Mutant(
        "write_buffer",
        "a longword takes its neighbour along",
        "assign low = (! (store_payload_long && store_payload_address[2]));",
        "assign low = 1'b1;",
        12,
    ),
    Mutant(
        "write_buffer",
        "a load overtakes the stores to its block",
        "assign lookupHit = ",
        "assign lookupHit = 1'b0 && ",
        12,
    ),
    Mutant(
        "arbiter",
        "load and fetch at once",
        "((fetch_demand_valid && (! ifMissed_write)) && (! _zz_ifMissed_write_1))",
        "(fetch_demand_valid && (! ifMissed_write))",
        12,
    ),
    Mutant(
        "arbiter",
        "fetches go before a load whose block is buffered",
        "(writeThere && (loadWaits && loadBuffered))",
        "(write_valid && crowded)",
        12,
    ),
]
