# SPDX-License-Identifier: BSD-2-Clause
"""The mistake of the block ``TransmitWire`` alone."""

from verify.verilog_mutants import Mutant

FORGETS = Mutant(
    "TransmitWire",
    "when_TransmitWire_n3",
    "called -> 0",
    "a `go` in the last nibble is lost",
    ["test_transmit_wire.test_no_go_is_lost"],
)
