// SPDX-License-Identifier: BSD-2-Clause
// The counters with free inputs, and what they rely on of core and governor. Included in the body
// of a property module, which has the input `clk`. Windows, their table, residency and slots are
// cut.
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  (* anyseq *) wire [4:0] owner;
  (* anyseq *) wire clear;
  Counters counters (.core_owner(owner), .control_clear(clear), .*);
  always @* begin
    assume (!tick || owner <= `Owner_idle); // proof owners
    assume (!tick || skip == 0 || owner == `Owner_idle); // contracts 3: only idle ticks are skipped
    assume (!tick || !gated); // the governor: the gate holds
  end

  // ---- the counters: `OWNERS of each bank, named here by the table of owners (banks.py)
  `include "banks.svh"
  wire copyNext = counters.copyNext;
  wire running = counters.snapshot_1.check_running;
  wire [4:0] index = counters.snapshot_1.check_index;
  wire [63:0] sum = counters.snapshot_1.check_sum;
  wire [63:0] windowSum = counters.snapshot_1.check_pathSum;
  wire inWindow = counters.windows_1_io_counts;
  wire frozen = counters.frozen;
  wire ticked = counters.ticked;
  wire counted = counters.counted;
  wire [4:0] seenOwner = counters.seen_owner;
  wire [4:0] eventOwner = counters.event_owner;
  wire [15:0] skipSeen = counters.skipSeen;
  wire [15:0] skipped = counters.skipped;
  wire clocked = counters.clocked;
  wire clockedBefore = counters.clockedBefore;
  wire gatedBefore = counters.gatedBefore;
  wire gatedNow = counters.gated_1;
  wire counts = counted && !frozen && !clear;
  wire idle = eventOwner == `Owner_idle; // only then a tick may stand for several
  function [63:0] more(input [63:0] counter); // as the hardware adds, which spares the solver work
    more = idle ? counter + 64'd1 + skipped : counter + 64'd1;
  endfunction
  // What the pipe of two clocks keeps to.
  wire pipe =
    (!ticked || (clockedBefore && !gatedBefore && seenOwner <= `Owner_idle)) &&
    (!ticked || skipSeen == 0 || seenOwner == `Owner_idle) &&
    (!counted || (clocked && !gatedNow && eventOwner <= `Owner_idle)) &&
    (!counted || skipped == 0 || idle);
