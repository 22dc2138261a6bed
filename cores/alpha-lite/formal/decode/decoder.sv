// SPDX-License-Identifier: BSD-2-Clause
// For every 32-bit word, the decoder's verdict and control word are those of the encoding table.
module decoder (input [31:0] word);
  `include "spec.svh"
  Decoder core (.instruction(word), .*);
  wire [16:0] kind = control_kind;
  wire [1:0] destination = control_destination;
  wire locked = control_locked;
  wire jumps = word[31:26] == 6'h1a || word[31:26] == 6'h34; // or BSR
  `include "control.svh"
  always @* begin
    assert (!control_legal || sane);
    assert (control_legal == legal);
    assert (control_floating == floating);
    assert (!(legal && floating));
    assert ((kind & (kind - 1)) == 0 && (control_legal || kind != `Kind_barrier));
    assert (kind != `Kind_barrier || !(control_palOnly || control_floating));
    assert (!jumps || (control_legal && !control_palOnly &&
      (kind == `Kind_jump || kind == `Kind_branch))); // proof owners
    `include "checks.svh"
  end
endmodule
