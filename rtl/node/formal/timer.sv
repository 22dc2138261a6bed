// SPDX-License-Identifier: BSD-2-Clause
// Registers of virtual time, in the timer: the timer counts all ticks since reset once, skipped
// ticks too. In a clock without a tick nothing changes, except by reset. The interrupt comes in
// tick `phase` and after every period, however many clocks are withheld.
module timer (input clk);
  (* anyconst *) wire [31:0] io_phase; // changes only during reset
  localparam [31:0] PERIOD = (`CLOCK_TICKS_PER_US * 1000000 + `TIMER_HZ / 2) / `TIMER_HZ;
  Timer dut (.*);
  `observe(dut, begun = ticked_started, left = ticked_left)

  reg known = 0; // after a reset
  reg [63:0] ticks;
  reg [31:0] toGo; // ticks up to and including the interrupt's
  reg interrupt;
  wire due = toGo <= 1;
  always @(posedge clk) if (reset) begin
    known <= 1;
    {ticks, interrupt, toGo} <= {64'd0, 1'b0, io_phase};
  end else if (io_tick) begin
    ticks <= ticks + 64'd1 + io_skip;
    toGo <= due ? PERIOD : toGo - 32'd1 - io_skip;
    interrupt <= (due && io_enable) || (interrupt && !io_acknowledge);
  end
  always @* begin
    assume (io_phase >= 1);
    assume (io_skip == 0 || io_skip < io_nextEvent); // Node asserts it
    if (known) begin
      assert (io_ticks == ticks);
      assert (io_interrupt == interrupt);
      assert (toGo == (begun ? left : io_phase));
    end
  end
endmodule
