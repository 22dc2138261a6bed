// SPDX-License-Identifier: BSD-2-Clause
// Waiting ends. Two nodes, and a cable that brings in every WINDOW clocks, or more often, a message
// that was made LATENCY clocks ago. Unless another part of a node holds a clock, or a gateway has
// ended the run with an error, no more than LATENCY + WINDOW + 3 clocks pass without a tick of
// either node. The promise is the smallest there is: the sender's tick and LOOKAHEAD.
module exact_wait (input clk);
  localparam LATENCY = 4, WINDOW = 4, LOOKAHEAD = 16; // 7 ticks a nibble, 9 of the wire
  (* anyseq *) wire reset;
  (* anyseq *) wire othersA, othersB; // hold this clock
  (* anyseq *) wire landA, landB; // a message arrives
  wire [47:0] nowA, nowB, afterA, afterB, aheadA, aheadB;
  wire tickedA, tickedB;
  wire pauseA, pauseB, silentA, silentB, stalledA, stalledB, brokenA, brokenB;
  wire [47:0] waitsA, waitsB;
  wire tickA = !pauseA && !othersA && !reset, tickB = !pauseB && !othersB && !reset;
  reg [47:0] limitA = 0, limitB = 0;
  ExactPace a (.io_tick(tickA), .io_allowed(limitA), .io_full(1'b0), .io_heard(landA),
    .io_broken(1'b0), .io_counts(1'b0), .io_now(nowA),
    .io_after(afterA), .io_ahead(aheadA), .io_ticked(tickedA), .io_pause(pauseA),
    .io_waits(waitsA), .io_faults_silent(silentA), .io_faults_stalled(stalledA),
    .io_faults_broken(brokenA), .clk(clk), .reset(reset));
  ExactPace b (.io_tick(tickB), .io_allowed(limitB), .io_full(1'b0), .io_heard(landB),
    .io_broken(1'b0), .io_counts(1'b0), .io_now(nowB),
    .io_after(afterB), .io_ahead(aheadB), .io_ticked(tickedB), .io_pause(pauseB),
    .io_waits(waitsB), .io_faults_silent(silentB), .io_faults_stalled(stalledB),
    .io_faults_broken(brokenB), .clk(clk), .reset(reset));
  `observe(a, decidedA = decided)
  `observe(b, decidedB = decided)
  wire faulty = |{silentA, stalledA, brokenA, silentB, stalledB, brokenB};

  wire ticks = tickA || tickB || tickedA || tickedB; // now, or known now

  reg known = 0;
  reg [47:0] fromA [0:LATENCY-1]; // tick of the node, so many clocks ago and one more
  reg [47:0] fromB [0:LATENCY-1];
  reg [3:0] sinceA = 0, sinceB = 0; // clocks since a message came
  reg [4:0] idle = 0; // clocks without a tick, but the first
  wire [47:0] promiseA = fromA[LATENCY-1] + LOOKAHEAD, promiseB = fromB[LATENCY-1] + LOOKAHEAD;
  integer i;
  always @(posedge clk) begin
    if (reset) known <= 1;
    for (i = 0; i < LATENCY; i = i + 1) begin
      fromA[i] <= reset ? 48'd0 : i == 0 ? nowA : fromA[i == 0 ? 0 : i-1];
      fromB[i] <= reset ? 48'd0 : i == 0 ? nowB : fromB[i == 0 ? 0 : i-1];
    end
    limitA <= reset ? 48'd0 : landA && promiseB > limitA ? promiseB : limitA;
    limitB <= reset ? 48'd0 : landB && promiseA > limitB ? promiseA : limitB;
    sinceA <= reset || landA ? 4'd0 : sinceA + 4'd1;
    sinceB <= reset || landB ? 4'd0 : sinceB + 4'd1;
    idle <= reset || ticks || othersA || othersB ? 5'd0 : idle + 5'd1;
  end
  always @* begin
    assume (known || reset);
    assume (landA || sinceA < WINDOW - 1);
    assume (landB || sinceB < WINDOW - 1);
    assume (!nowA[47] && !nowB[47] && !fromA[LATENCY-1][47] && !fromB[LATENCY-1][47]);
    if (known && !reset && !faulty) begin
      assert (idle <= LATENCY + WINDOW + 2);
      // Invariants of the induction
      assert (afterA == nowA + 48'd1 && afterB == nowB + 48'd1);
      assert (aheadA == nowA + 48'd2 && aheadB == nowB + 48'd2);
      for (i = 0; i < LATENCY; i = i + 1)
        assert (idle <= i || (fromA[i] == nowA && fromB[i] == nowB));
      assert (idle <= LATENCY + sinceA || limitA >= nowB + LOOKAHEAD);
      assert (idle <= LATENCY + sinceB || limitB >= nowA + LOOKAHEAD);
      assert (sinceA < WINDOW && sinceB < WINDOW);
      assert (idle <= LATENCY + WINDOW || nowA > nowB || !decidedA);
      assert (idle <= LATENCY + WINDOW || nowB > nowA || !decidedB);
      assert (idle <= LATENCY + WINDOW + 1 || nowA > nowB || !pauseA);
      assert (idle <= LATENCY + WINDOW + 1 || nowB > nowA || !pauseB);
    end
  end
endmodule
