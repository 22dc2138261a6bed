// SPDX-License-Identifier: BSD-2-Clause
// The host link serves both sides. While a byte of the host waits for its turn, at most one byte of
// the guest goes first; while a byte of the guest waits, at most one request begins.
module host_link (input clk);
  HostLink dut (.*);
  `observe(dut, hostsTurn, state = machine_stateReg)

  wire host = fromHost_valid && fromHost_ready;
  wire guest = fromGuest_valid && fromGuest_ready;
  wire begins = host && state == `machine_waiting; // a request

  reg known = 0;      // after a reset
  reg guestFirst = 0; // since the host's byte came: the guest had a turn
  reg hostFirst = 0;  // since the guest's byte came: a request began
  always @(posedge clk) if (reset) begin
    known <= 1;
    {guestFirst, hostFirst} <= 0;
  end else begin
    guestFirst <= fromHost_valid && !host && (guestFirst || guest);
    hostFirst <= fromGuest_valid && !guest && (hostFirst || begins);
  end
  always @* if (known && !reset) begin
    if (guestFirst) assert (hostsTurn);
    if (hostFirst) assert (!hostsTurn);
    assert (!(guestFirst && guest && fromHost_valid));
    assert (!(hostFirst && begins && fromGuest_valid));
  end
endmodule
