// SPDX-License-Identifier: BSD-2-Clause
// The write buffer as those around it see it: `used` of its entries hold stores, `sending` says that
// the oldest is on the bus. Asserted of the real one (write_buffer.sv), assumed where it is cut.
  reg [4:0] used = 0;
  reg sending = 0;
  wire [4:0] unsent = used - sending;
  always @(posedge clk) if (reset) {used, sending} <= 0;
  else if (moves) begin
    used <= used + (store_valid && store_ready && !merged) - done;
    if (done) sending <= 0;
    if (cmd_valid && cmd_ready) sending <= 1;
  end
  wire rules = used <= `ENTRIES && (!sending || used != 0) &&
    empty == (used == 0) && full == (used == `ENTRIES) && crowded == (full && !done) &&
    (!merged || (store_valid && unsent != 0)) && (!store_valid || store_ready == (merged || !full)) &&
    (!cmd_valid || unsent != 0) &&
    (unsent == 0 || !(drain || used - done >= drainAt) || cmd_valid) &&
    (!lookupHit || used != 0);
