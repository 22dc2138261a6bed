// SPDX-License-Identifier: BSD-2-Clause
// Packed counters are plain counters: whatever is added, cleared and copied and when, the copy of
// any one of them is, once complete, what a register would have held in the clock of the copy.
module packed_counters (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  localparam COUNT = 3; // of a bank; the last is late
  localparam ROUND = 2 * COUNT, BITS = 5;
  (* anyconst *) wire window; // whose counter,
  (* anyconst *) wire [7:0] n; // and which
  PackedFew counters (.read_index(n), .read_window(window), .read_enable(1'b1), .*);
  wire late = n == COUNT - 1;
  wire mine = |((adds >> (window ? COUNT : 0)) & (1 << n));

  // ---- a plain register and its copy
  reg [BITS - 1:0] plain = 0, copied = 0, copiedBefore = 0;
  reg complete = 0;
  always @(posedge clk) begin
    if (late ? copyLate : copy) copied <= plain;
    plain <= (late ? clearLate : clear) ? 0 : plain + mine;
    if (reset) {plain, copied} <= 0;
    copiedBefore <= copied;
    complete <= !busy && !reset;
  end

  // ---- what the round has done for it, and will
  `observe(counters, atWindow = at_window, atIndex = at_index, secondAddress = second_address,
    thirdAddress = third_address)
  wire secondHas = counters.third_started; // the clocks after reset brought something
  `observe(counters, thirdHas = third_filled, secondNow = second_lowNow,
    secondThen = second_lowThen, secondZero = second_zero, secondCopying = second_copying,
    secondCopiesZero = second_copiesZero, secondTotal = second_total, thirdTotal = third_total,
    thirdNow = third_lowNow, thirdValueThen = third_valueThen, thirdThen = third_lowThen,
    thirdCopying = third_copying, kept = probeRam, keptCopy = probeCopies, low = probeLow,
    lowCopied = probeCopied, earlyClearing = early_clearing, earlyCopying = early_copying,
    earlyZero = early_copiesZero, behindClearing = lateRound_clearing,
    behindCopying = lateRound_copying,
    behindZero = lateRound_copiesZero)
  wire [2:0] clearing = late ? behindClearing : earlyClearing;
  wire [2:0] copying = late ? behindCopying : earlyCopying;
  wire [2:0] zero = late ? behindZero : earlyZero;

  wire [2:0] at = atIndex + (atWindow ? COUNT : 0);
  wire [2:0] own = n[1:0] + (window ? COUNT : 0);
  wire [2:0] wait_ = own >= at ? own - at : own + ROUND - at; // turns until its turn
  wire [2:0] since = ROUND - wait_; // turns since its last one
  function [2:0] before(input [2:0] turn); // address of the turn before
    before = turn == 0 ? {1'b1, 2'd2} : turn == 3'b100 ? 3'd2 : turn - 1;
  endfunction
  function [BITS - 1:0] on(input [BITS - 1:0] base, input [2:0] bits);
    on = {base[BITS - 1:3] + (bits < base[2:0]), bits};
  endfunction
  // What RAM has of it, or will have when its last turn is through.
  wire [BITS - 1:0] total =
    since == 1 ? on(secondZero ? 5'd0 : secondTotal, secondNow) :
    since == 2 ? on(thirdTotal, thirdNow) : kept;
  wire [BITS - 1:0] copyMade =
    since == 1 && secondCopying ? on(secondCopiesZero ? 5'd0 : secondTotal, secondThen) :
    since == 2 && thirdCopying ? on(thirdValueThen, thirdThen) : keptCopy;
  wire [BITS - 1:0] more = plain - total, moreCopied = copied - total;
  always @* begin
    assume (n < COUNT);
    if (!reset) begin
      if (complete) assert (read_value == copiedBefore);
      assert (atIndex < COUNT);
      assert (clearing <= ROUND && copying <= ROUND && zero <= ROUND);
      assert (low == plain[2:0] && lowCopied == copied[2:0]);
      if (secondHas) assert (secondAddress == before({atWindow, atIndex}));
      if (thirdHas) assert (thirdAddress == before(before({atWindow, atIndex})));
      assert (!thirdHas || secondHas);
      // The first clocks after reset.
      assert (secondHas || (at == 0 && clearing == ROUND && copying == ROUND && zero == ROUND));
      assert (thirdHas || (at <= 1 && clearing >= ROUND - 1 && copying >= ROUND - 1));
      assert (copying >= zero);
      // At its next turn: from 0 because of a clear, or from what RAM has of it.
      if (clearing > wait_) assert (plain <= ROUND - clearing);
      else assert (more <= since);
      if (copying <= wait_) assert (copyMade == copied);
      else if (zero > wait_) assert (copied <= ROUND);
      else assert (moreCopied <= ROUND);
    end
  end
endmodule
