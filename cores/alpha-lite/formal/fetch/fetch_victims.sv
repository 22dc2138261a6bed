// SPDX-License-Identifier: BSD-2-Clause
// A block is in the I-cache or among its victims, never in both. A displaced block is a victim in
// the next clock. A miss that takes a victim asks neither the bus nor the stream buffer, and the
// victim answers it two clocks later. The proof is of any block of any of eight sets, with two
// victims and any instructions, redirections, flushes and answers.
module fetch_victims (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  (* anyconst *) wire ideal;
  (* anyconst *) wire cacheOn;
  FetchWithVictims unit (.revoked(1'b0), .*); // the unit moves in every clock
  `observe(unit, set = probeSet, tagThere = probeTag, busy = demandBusy, fills, start,
    takes = victims_takes, arrives = arrival_valid, flushed)
  `observe(unit.stream, streamBusy = busy, served, follows = follow_valid, overtaken)
  `observe(unit.valids, setOfValids = probeSet, isValid = probeValid)
  `observe(unit.victims_cache, valid, number0 = numbers_0, number1 = numbers_1, moves = returns,
    moving, left)
  (* anyconst *) wire [1:0] tag;
  wire [26:0] block = {22'd0, tag, set};
  always @* begin
    assume (tick || (ideal && hold));
    assume (tick || !(consume || redirect_valid || flush || coldStart));
    assume (setOfValids == set);
    assume (!port_demandRsp_valid || busy);
    assume (!port_prefetchRsp_valid || streamBusy);
    assume (!consume || fetched_valid);
    assume (!coldStart || (fetched_valid && quiet)); // the instruction in D begins anew
    assume (!fills || start[33:12] == 0); // beyond the RAM there are errors (proof memory_time)
    assume (!redirect_valid || fetched_valid || branching); // a redirection comes from D or E1
    assume (!(moving && (branching || flush))); // a miss waits only if D and E1 are empty
  end
  wire keeps = (valid[0] && number0 == block) || (valid[1] && number1 == block);
  wire here = isValid && tagThere == tag;
  reg put = 0, kept = 0;
  reg [1:0] took = 0;
  always @(posedge clk) begin
    put <= !reset && fills && start[9:7] == set && here && !(flush || coldStart || flushed) &&
      cacheOn && !ideal;
    kept <= !reset && keeps && !(flush || coldStart);
    took <= reset ? 0 : {took[0], takes};
  end
  always @* if (started) begin
    assert (!(here && keeps));
    assert (!put || keeps);
    assert (!keeps || put || kept);
    assert (!moves || !(port_demand_valid || served || follows || overtaken));
    assert (!took[1] || arrives);
    assert (!ideal || valid == 0);
    assert (cacheOn || valid == 0);
  end
endmodule
