// SPDX-License-Identifier: BSD-2-Clause
// A block is in at most one way of the I-cache: no way has a block that F2 misses, or that comes
// for the miss. The proof is of any of four sets of two ways, of any instructions, redirections,
// flushes and answers, and of any choice of the way.
module fetch_ways (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* anyconst *) wire ideal;
  FetchOfWays unit (.reset(!started), .revoked(1'b0), .*); // the unit moves in every clock
  `observe(unit, set = probeSet, tag0 = probeTag0, tag1 = probeTag1,
    place = cache_replacement_way, busy = demandBusy, fills, start)
  `observe(unit.stream, streamBusy = busy)
  `observe(unit.ways_0_valids, setOfValids0 = probeSet, isValid0 = probeValid)
  `observe(unit.ways_1_valids, setOfValids1 = probeSet, isValid1 = probeValid)
  always @* begin
    assume (tick || (ideal && hold));
    assume (tick || !(consume || redirect_valid || flush || coldStart));
    assume (setOfValids0 == set && setOfValids1 == set);
    assume (place == 1 || place == 2); // proof replacement
    assume (!port_demandRsp_valid || busy);
    assume (!port_prefetchRsp_valid || streamBusy);
    assume (!consume || fetched_valid);
    assume (!coldStart || (fetched_valid && quiet)); // the instruction in D begins anew
    assume (!fills || start[33:12] == 0); // beyond the RAM there are errors (proof memory_time)
  end
  always @* if (started) assert (!(isValid0 && isValid1 && tag0 == tag1));
endmodule
