// SPDX-License-Identifier: BSD-2-Clause
// A block is in the I-cache or among its victims, never in both. A displaced block is a victim in
// the next clock. A miss that takes a victim asks neither the bus nor the stream buffer, and the
// victim answers it two clocks later. The proof is of any block of any of eight sets, with two
// victims and any instructions, redirections, flushes and answers, whatever the stream buffer has.
// Any clock may be no tick, and is not counted then.
module fetch_victims (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  (* anyconst *) wire ideal;
  (* anyconst *) wire cacheOn;
  wire moves;
  FetchWithVictims unit (.clockEnabled(moves), .*);
  assign moves = tick || (ideal && hold) || reset;
  `observe(unit, set = probeSet, tagThere = probeTag, busy = demandBusy, fills, start,
    takes = victims_takes, arrives = arrival_valid, flushed, served = stream_served,
    follows = stream_follow_valid)
  `observe(unit.valids, setOfValids = probeSet, isValid = probeValid)
  `observe(unit.victims_cache, valid, number0 = numbers_0, number1 = numbers_1, returns, moving,
    left)
  (* anyconst *) wire [1:0] tag;
  wire [26:0] block = {22'd0, tag, set};
  reg demanded0 = 0; // the unit did not move in the last clock, with an answer
  always @(posedge clk) demanded0 <= port_demandRsp_valid && !moves;
  always @* begin
    assume (!tick || !(hold || settleHold || revoked)); // E1 revokes in no tick
    assume (!hold || !(consume || redirect_valid || flush || coldStart)); // they come in ticks
    assume (setOfValids == set);
    assume (!port_demandRsp_valid || busy);
    assume (!demanded0 || port_demandRsp_valid); // an answer stands until its tick
    assume (!consume || fetched_valid);
    assume (!coldStart || (fetched_valid && quiet)); // the instruction in D begins anew
    assume (!fills || start[33:12] == 0); // beyond the RAM there are errors (proof memory_time)
    assume (!redirect_valid || fetched_valid || branching); // a redirection comes from D or E1
    // A miss waits only if D and E1 are empty.
    assume (!(moving && (branching || flush || revoked)));
  end
  wire keeps = (valid[0] && number0 == block) || (valid[1] && number1 == block);
  wire here = isValid && tagThere == tag;
  reg put = 0, kept = 0;
  reg [1:0] took = 0;
  always @(posedge clk) if (moves) begin
    put <= !reset && fills && start[9:7] == set && here && !(flush || coldStart || flushed) &&
      cacheOn && !ideal;
    kept <= !reset && keeps && !(flush || coldStart);
    took <= reset ? 0 : {took[0], takes};
  end
  `observe(unit, demandHeld, turning, missing, lost, unanswered, lostInD, due, fresh, followed,
    dValid, spareTaken, f2Taken, has = victims_cache_has)
`ifdef ASKS
  // A miss that takes a victim asks the bus for nothing; invariants of the induction.
  always @* if (started) begin
    assert (!(returns && port_demand_valid));
    assert (!ideal || valid == 0);
    if (!ideal) begin
      assert (!demandHeld || turning || !(has || moving));
      assert (!followed || (dValid && fresh));
      assert (!(missing && dValid && fresh));
      assert (!(unanswered && (f2Taken || spareTaken)));
      assert (!(lost && lostInD && spareTaken));
      assert (!(due && dValid));
    end
  end
`else
  always @* if (started) begin
    assert (!(here && keeps));
    assert (!put || keeps);
    assert (!keeps || put || kept);
    assert (!returns || !(served || follows));
    assert (!took[1] || arrives);
    assert (!ideal || valid == 0);
    assert (cacheOn || valid == 0);
  end
`endif
endmodule
