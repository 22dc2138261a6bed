// SPDX-License-Identifier: BSD-2-Clause
// Packed counters act like plain counters: whatever is added, cleared and copied, a complete copy
// of any counter has the value that a plain register had in the clock of the copy.
module packed_counters (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  localparam COUNT = 3; // counters of a bank; the last is late
  localparam ROUND = 2 * COUNT, BITS = 5;
  (* anyconst *) wire window; // the bank of the counter
  (* anyconst *) wire [7:0] n; // the number of the counter
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

  // ---- the part of the round that is done for the counter, and that is left
  `observe(counters, atWindow = at_window, atIndex = at_index, secondAddress = second_address,
    thirdAddress = third_address)
  wire secondHas = counters.third_started; // the clocks after reset filled the pipe
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
  wire [2:0] wait_ = own >= at ? own - at : own + ROUND - at; // turns until the counter's turn
  wire [2:0] since = ROUND - wait_; // turns since the counter's last turn
  function [2:0] before(input [2:0] turn); // address of the turn before
    before = turn == 0 ? {1'b1, 2'd2} : turn == 3'b100 ? 3'd2 : turn - 1;
  endfunction
  function [BITS - 1:0] on(input [BITS - 1:0] base, input [2:0] bits);
    on = {base[BITS - 1:3] + (bits < base[2:0]), bits};
  endfunction
  // The counter's bits in RAM, as they are after its last turn.
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
      // The next turn begins from 0 because of a clear, or from the bits in RAM.
      if (clearing > wait_) assert (plain <= ROUND - clearing);
      else assert (more <= since);
      if (copying <= wait_) assert (copyMade == copied);
      else if (zero > wait_) assert (copied <= ROUND);
      else assert (moreCopied <= ROUND);
    end
  end
endmodule
