// SPDX-License-Identifier: BSD-2-Clause
// What every legal control word keeps to: asserted of the decoder (decoder.sv), relied on where
// the decoder is cut.
  wire sane = (kind != 0 && (kind & (kind - 1)) == 0 && kind <= `Kind_nop) &&
    (kind != `Kind_store || destination == (locked ? `Destination_ra : `Destination_none)) &&
    (kind != `Kind_load || destination == `Destination_ra) &&
    (destination != `Destination_rc || kind <= `Kind_multiply) &&
    (kind != `Kind_multiply || destination == `Destination_rc);
