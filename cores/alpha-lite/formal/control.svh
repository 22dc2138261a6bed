// SPDX-License-Identifier: BSD-2-Clause
// Rules of every legal control word. decoder.sv asserts them; proofs that cut the decoder assume
// them.
  wire sane = (kind != 0 && (kind & (kind - 1)) == 0 && kind <= `Kind_nop) &&
    (kind != `Kind_store || destination == (locked ? `Destination_ra : `Destination_none)) &&
    (kind != `Kind_load || destination == `Destination_ra) &&
    (destination != `Destination_rc || kind <= `Kind_multiply) &&
    (kind != `Kind_multiply || destination == `Destination_rc);
