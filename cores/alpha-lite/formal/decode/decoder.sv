// SPDX-License-Identifier: BSD-2-Clause
// For every 32-bit word, the decoder's verdict and control word are those of the encoding table.
module decoder (input [31:0] word);
  `include "spec.svh"
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
