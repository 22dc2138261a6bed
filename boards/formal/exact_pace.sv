// SPDX-License-Identifier: BSD-2-Clause
// No node passes the other's promise, and waiting ends. For any limits that the messages bring and
// any clocks that other parts of the node withhold: a tick's number is below the limit. A node that
// is five ticks below the limit, or more, passes ticks two clocks later, if nobody else holds it; a
// node nearer to the limit ends with an error, or gets a larger limit.
module exact_pace (input clk);
  (* anyseq *) wire others; // hold this clock
  wire io_counts = 0;
  ExactPace dut (.io_tick(tick), .*);
  wire tick = !io_pause && !others && !reset;
  `observe(dut, waited, begun, quiet, decided)
  localparam PATIENCE = 16, FIRST = 64; // clocks, of block ExactPace
  reg known = 0;
  reg [47:0] before = 0; // the limit a clock ago
  reg [1:0] free = 0; // clocks in which nothing of the gateway's stops the node
  wire faulty = |{io_faults_silent, io_faults_stalled, io_faults_broken};
  wire [48:0] number = io_now + io_ticked; // of this clock's tick, if it is one
  wire mayGo = number + 49'd4 < io_allowed && !io_full && !io_broken && !faulty;
  always @(posedge clk) begin
    if (reset) known <= 1;
    before <= reset ? 48'd0 : io_allowed;
    free <= !mayGo || reset || tick ? 2'd0 : free == 3 ? free : free + 2'd1;
  end
  always @* begin
    assume (known || reset);
    assume (io_allowed >= before && io_allowed < {48{1'b1}}); // the limit never falls (ExactPlayer)
    if (known && !reset) begin
      if (tick) assert (number < io_allowed);
      if (free >= 2) assert (!io_pause);
      if (faulty && io_pause) assert (!tick);
      if (!faulty) assert (waited <= FIRST && quiet <= PATIENCE); // they count while paused
      // Invariants of the induction
      assert (io_after == io_now + 48'd1 && io_ahead == io_now + 48'd2);
      assert (number <= before);
      assert (io_pause || number < before);
      assert (decided || number + 49'd1 < before);
      assert (free == 0 || !decided);
    end
  end
endmodule
