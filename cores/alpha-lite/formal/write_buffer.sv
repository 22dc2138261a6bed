// SPDX-License-Identifier: BSD-2-Clause
// The write buffer keeps the rules by which proof liveness knows it.
module write_buffer (input clk);
  `include "core.svh"
  wire moves = memoryMoves;
  `include "buffer_wires.svh"
  `include "buffer_rules.svh"
  always @* if (!reset) assert (rules);
endmodule
