// SPDX-License-Identifier: BSD-2-Clause
// For every 32-bit word, the decoder's verdict and control word are those of the encoding table.
module decoder (input [31:0] word);
  `include "spec.svh"
  wire control_legal, control_floating;
  wire [16:0] control_kind;
  wire [3:0] control_alu, control_condition;
  wire [2:0] control_shift;
  wire [1:0] control_destination, control_scale;
  wire control_readsA, control_readsB, control_subtract, control_invert, control_unsigned;
  wire control_long, control_overflow, control_high, control_displaced, control_unaligned;
  wire control_locked, control_palOnly;
  Decoder core (.instruction(word), .*);
  wire [16:0] kind = control_kind;
  wire [1:0] destination = control_destination;
  wire locked = control_locked;
  `include "control.svh"
  always @* begin
    assert (!control_legal || sane);
    assert (control_legal == legal);
    assert (control_floating == floating);
    assert (!(legal && floating));
    `include "checks.svh"
  end
endmodule
