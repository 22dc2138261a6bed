// SPDX-License-Identifier: BSD-2-Clause
// Liveness, first half: the front end always delivers.
//
// Branches are predicted or not. While stage D is empty and nothing redirects, at most `QUIET ticks
// pass in which the front end waits neither for the bus nor for an answer, and at most `COMMANDS of
// its commands go out; then an instruction is there.
module front_progress (input clk);
  `include "core.svh"
  `observe(core.fetch, valid = fetched_valid, cold = fetched_payload_cold, coldStart)
  always @* assume (!coldStart); // no cold start is asked for
  `observe(core.fetch, revoked)
  always @* assume (!revoked); // E1 of the simulated core revokes nothing
  `observe(core, consume = pipeline_1_consume, redirect = fetch_redirect_valid,
    branching = pipeline_1_branching, flush = fetch_flush)
  `observe(core.fetch, delay = redirect_payload_delay, demand = port_demand_valid,
    demandReady = port_demand_ready, demandDone = port_demandRsp_valid, demandBusy,
    fetchAhead = port_prefetch_valid, fetchAheadReady = port_prefetch_ready,
    fetchAheadDone = port_prefetchRsp_valid)
  wire streamBusy = core.fetch.stream.busy;

  // A block that was filled is there when F2 comes back for it (docs/verification/proofs.md).
  `observe(core.fetch, arrival = arrival_valid, arrivalError = arrival_payload_error, turning,
    missing, starting, f2Valid, f2Hit, f2Here, spareValid, spareCold = spare_cold, fresh)
  reg filled = 0, consumed = 0;
  always @(posedge clk) if (reset) {filled, consumed} <= 0;
  else if (tick) begin
    if (arrival) filled <= !arrivalError;
    else if (f2Here && f2Hit) filled <= 0;
    if (redirect || flush || turning) filled <= 0;
    consumed <= consume;
  end
  // The valid bits, which are cut, change in ticks.
  wire lineValid = core.fetch.f2LineValid;
  reg still = 0, lineValid0;
  always @(posedge clk) {still, lineValid0} <= {!tick && !reset, lineValid};
  always @* assume (!still || lineValid == lineValid0);
  wire owed = demandBusy || streamBusy;
  always @* begin
    assume (!ideal);
    assume (!filled || !f2Valid || f2Hit);
    assume (tick || !(redirect || flush || consume || demandDone || fetchAheadDone));
    assume (!consume || valid);
    assume (!flush || consumed); // only HW_MTPR in E1 flushes
    assume (!(tick && branching) || redirect);
    assume (!turning || !redirect); // nothing is in D or E1 (proof order)
    assume (delay <= 4);
    // The bus (proof arbiter).
    assume (!demandDone || demandBusy);
    assume (!fetchAheadDone || streamBusy);
    assume (!(demandDone && fetchAheadDone));
    assume (tick || !(demandReady || fetchAheadReady));
    assume (!(demandReady && demand && fetchAhead && fetchAheadReady));
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
  end
  // The largest number of such ticks and of commands that are left: it never rises.
  `observe(core.fetch, demandStale, due, failed)
  wire wanted = core.fetch.stream.wanted;
  wire dValid = core.fetch.dValid;
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
