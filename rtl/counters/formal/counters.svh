// SPDX-License-Identifier: BSD-2-Clause
// The counters with free inputs, and the rules of core and governor on which they rely. Included in
// the body of a property module, which has the input `clk`. Windows, their table, residency and
// slots are cut.
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  (* anyseq *) wire [4:0] owner;
  (* anyseq *) wire clear;
  Counters counters (.core_owner(owner), .control_clear(clear), .*);

  // ---- the counters: `OWNERS of each bank, named here by the table of owners (banks.py)
  `include "banks.svh"
  wire copyNext = counters.copyNext;
  `observe(counters.snapshot_1, running = check_running, index = check_index, sum = check_sum,
    windowSum = check_pathSum)
  `observe(counters, inWindow = windows_1_io_counts, frozen, ticked, counted,
    eventOwner = event_owner, skipSeen, skipped, clocked, clockedBefore,
    gatedBefore, gatedNow = gated_1)
  always @* begin
    // The core tells the owner in the clock after the tick; only idle ticks are skipped.
    assume (!ticked || owner <= `Owner_idle); // proof owners
    assume (!ticked || skipSeen == 0 || owner == `Owner_idle); // contracts 3
    assume (!tick || !gated); // the governor gives no tick while the gate holds
  end
  wire counts = counted && !frozen && !clear;
  wire idle = eventOwner == `Owner_idle; // only an idle tick may stand for several
  function [63:0] more(input [63:0] counter); // adds like the hardware: less work for the solver
    more = idle ? counter + 64'd1 + skipped : counter + 64'd1;
  endfunction
  // Invariants of the pipe of two clocks.
  wire pipe =
    (!ticked || (clockedBefore && !gatedBefore)) &&
    (!counted || (clocked && !gatedNow && eventOwner <= `Owner_idle)) &&
    (!counted || skipped == 0 || idle);
