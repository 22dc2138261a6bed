// SPDX-License-Identifier: BSD-2-Clause
// Liveness, first half: the front end always delivers.
//
// Branches are predicted or not. While stage D is empty and nothing redirects, at most `QUIET ticks
// pass in which the front end waits neither for the bus nor for an answer, and at most `COMMANDS of
// its commands go out; then an instruction is there. That E1 revokes what has left D is a
// redirection, too.
module front_progress (input clk);
  `include "core.svh"
  `observe(core.fetch, valid = fetched_valid, cold = fetched_payload_cold, coldStart)
  always @* assume (!coldStart); // no cold start is asked for
  wire revoked = core.fetch.revoked;
  always @* assume (!revoked || !tick); // proof owners
  `observe(core, leaves = pipeline_1_consume, redirects = fetch_redirect_valid,
    branching = pipeline_1_branching, flushes = fetch_flush,
    predicted = fetch_prediction_taken, predictedTo = fetch_prediction_target)
  wire consume = tick && leaves, redirect = tick && redirects, flush = tick && flushes;
  `observe(core.fetch, delay = redirect_payload_delay, demand = port_demand_valid,
    demandReady = port_demand_ready, demandDone = port_demandRsp_valid, demandBusy,
    fetchAhead = port_prefetch_valid, fetchAheadReady = port_prefetch_ready,
    fetchAheadDone = port_prefetchRsp_valid)
  wire streamBusy = core.fetch.stream.busy;

  // A block that was filled is there when F2 comes back for it (docs/verification/proofs.md).
  wire dValid = core.fetch.dValid;
  `observe(core.fetch, arrival = arrival_valid, arrivalError = arrival_payload_error, turning,
    missing, starting, f2Valid, f2Hit, f2Here, spareValid, spareCold = spare_cold, fresh)
  reg filled = 0, consumed = 0;
  always @(posedge clk) if (reset) {filled, consumed} <= 0;
  else if (tick) begin
    if (arrival) filled <= !arrivalError;
    else if (f2Here && f2Hit) filled <= 0;
    if (redirect || flush || turning) filled <= 0;
    consumed <= consume;
  end else if (revoked) filled <= 0;
  // The valid bits, which are cut, change in ticks.
  wire lineValid = core.fetch.f2LineValid;
  reg lineValid0;
  always @(posedge clk) lineValid0 <= lineValid;
  always @* assume (!stands || lineValid == lineValid0);
  wire owed = demandBusy || streamBusy;
  reg [1:0] done0;
  always @(posedge clk) done0 <= {demandDone, fetchAheadDone};
  `observe(core.fetch, settles = settleHold, demandDue = port_demandDue)
  reg settled = 0, revoked0 = 0;
  reg [1:0] asked0;
  wire [1:0] asked = {demandDue, fetchAhead};
  always @(posedge clk) {settled, revoked0, asked0} <= {settles, revoked, asked};
  // The predictor is cut (proof foreseen).
  `observe(core.fetch, followed, seen = predictionSeen, noTickBefore, answerHeld, demandHeld,
    missAnswered, demands, follows = dFetched_follows)
  reg predicted0, ev4Before;
  always @(posedge clk) {predicted0, ev4Before} <= {predicted, ev4};
  always @* begin
    assume (!predicted || !dValid || (ev4 && follows));
    assume (!stands || (predicted == predicted0 && ev4 == ev4Before));
  end
  always @* begin
    assume (!ideal);
    assume (!filled || !f2Valid || f2Hit);
    // An answer stands until its tick, which is not the clock in which the answer comes.
    assume (!stands || (tick ? {demandDone, fetchAheadDone} == done0 :
      ({demandDone, fetchAheadDone} & done0) == done0));
    assume (tick || !(revoked && stands)); // E1 revokes directly after a tick (proof owners)
    assume (!consume || valid);
    assume (!flush || consumed); // only HW_MTPR in E1 flushes
    assume (!(tick && branching) || redirect);
    assume (!turning || !redirect); // nothing is in D or E1 (proof order)
    assume (delay <= 4);
    // The bus (proof arbiter).
    assume (!demandDone || demandBusy);
    assume (!fetchAheadDone || streamBusy);
    assume (!(demandDone && fetchAheadDone));
    assume (!(demand && fetchAheadReady));
    assume (!owed || demandDone || fetchAheadDone || !(demandReady || fetchAheadReady));
  end

  wire waits = (owed && !demandDone && !fetchAheadDone) || (demand && !demandReady);
  reg [5:0] quiet = 0;
  reg [2:0] commands = 0;
  reg onceAhead = 0; // a prefetch went out since D was filled
  always @(posedge clk) if (reset) {quiet, commands, onceAhead} <= 0;
  else if (tick) begin
    if (valid || redirect) {quiet, commands} <= 0;
    else begin
      if (!waits && quiet != 63) quiet <= quiet + 1;
      if ((demand && demandReady) || (fetchAhead && fetchAheadReady)) commands <= commands + 1;
    end
    onceAhead <= valid && !consume && !redirect && (onceAhead || (fetchAhead && fetchAheadReady));
  end else if (revoked) {quiet, commands, onceAhead} <= 0;
  // The largest number of such ticks and of commands that are left: it never rises.
  `observe(core.fetch, demandStale, due, failed)
  `observe(core.fetch.stream, wanted, number, matches = matches_1)
  wire [34:0] start = core.fetch.start;
  wire holding = core.fetch.holding; // only with ideal memory
  `observe(core.fetch, f1Wait, turnDelay = turn_delay)
  // The answer will be used. After a flush or a redirection the block is demanded again.
  wire useful = demandBusy && !demandStale && due && missing && !turning;
  wire there = filled || failed; // the word that F2 gets next
  wire known = !turning && (f2Valid ? f2Hit : there && !missing);
  wire [5:0] miss = useful ? 7 : demandBusy ? 9 : 8; // answer, F1 after 4, F2
  wire [5:0] ticksLeft = turning ? turnDelay + 2 + miss :
    f2Valid ? (f2Hit ? 1 : miss + 1) : missing ? miss + !due :
    f1Wait + 1 + (there ? 1 : miss + 1);
  wire [2:0] commandsLeft = wanted + (known ? 0 : useful ? 1 : 2);
  always @* if (!reset) begin
    assert (f1Wait <= 5 && (!turning || turnDelay <= 4));
    assert (!holding);
    assert (!stands || settled || revoked0 || asked == asked0); // fetchRules of access_rules.svh
    // What second clocks keep.
    assert (noTickBefore == stands && (!(followed || seen) || stands));
    assert (!followed || turning || (fresh && dValid && predicted));
    assert (!seen || turning || followed == (dValid && predicted));
    assert (!answerHeld || (stands && missAnswered));
    assert (turning || !missing || matches == (number == start[33:5]));
    assert (turning || (demandHeld ? demands : !(stands && demands)));
    assert (!demandStale || demandBusy);
    assert (!due || !valid);
    assert (!(demandBusy && streamBusy));
    assert (!consumed || (quiet == 0 && commands == 0));
    assert (!(onceAhead && wanted));
    assert (!filled || !(f2Valid && !f2Hit));
    assert (turning || f2Valid + missing + starting == 1);
    assert (turning || !spareValid || (dValid && f2Valid));
    assert (turning || !fresh || !dValid || (f2Valid && !spareValid));
    assert (turning || f1Wait == 0 || starting);
    assert (!filled || !missing);
    assert (quiet + (valid ? 0 : ticksLeft) <= `QUIET);
    assert (commands + (valid ? 0 : commandsLeft) <= `COMMANDS);
    // With an instruction in D, no demand and at most one prefetch go out.
    assert (!(tick && valid && !consume && demand));
    assert (!onceAhead || valid);
    assert ((!dValid || !cold) && (!spareValid || !spareCold));
    assert (!(onceAhead && fetchAhead));
  end
endmodule
