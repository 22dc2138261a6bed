// SPDX-License-Identifier: BSD-2-Clause
// A coherent core's D-cache stays inside its b-cache. When the b-cache gives up a block, all its
// blocks leave the D-cache by the end of that tick, and no other block leaves. An access hits a
// block if and only if the block was filled last in its set and nothing has dropped it since. The
// dropped blocks are reported in the next tick, for the coherence misses. The proof is of any
// block; a b-cache block has four. Any clock may be no tick.
module inclusion (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  CoherentCache cache (.clockEnabled(tick), .*);
  always @* assume (tick || !reset); // the tick of reset reads a tag
  (* anyconst *) wire [20:0] any; // a block of RAM
  wire [4:0] set = any[4:0];
  wire [15:0] tag = any[20:5];
  wire [1:0] place = any[1:0];
  wire [4:0] setOfValids = cache.valids.probeSet;
  wire [4:0] setOfBanks = cache.inclusion_1.probeSet;
  wire [4:0] setOfTags = cache.probeSet;
  wire isValid = cache.valids.probeValid;
  wire [15:0] bank = cache.inclusion_1.probe;
  wire [15:0] tagThere = cache.probe;
  `observe(cache, tagRead = tag, filled, filledIndex, newTag)
  `observe(cache.inclusion_1, block = block_1, dropping, fresh, all = all_1, had, left,
    tags0 = tags_0, tags1 = tags_1, tags2 = tags_2, tags3 = tags_3)

  // Orders are three ticks apart, and so are answers; STx_C drops its own block while no load is
  // under way.
  reg [1:0] whole_, fill_; // in the last tick and in the one before
  reg own_;
  reg [33:0] announced;
  always @(posedge clk) if (tick) begin
    whole_ <= reset ? 0 : {whole_[0], invalidate_valid && whole};
    fill_ <= reset ? 0 : {fill_[0], fill_valid};
    own_ <= !reset && invalidate_valid && !whole;
    announced <= next_1;
  end
  wire named = invalidate_payload[33:7] == fillAddress[33:7];
  always @* begin
    assume (setOfValids == set && setOfBanks == set && setOfTags == set);
    assume (!(invalidate_valid && whole && |whole_));
    assume (!(fill_valid && |fill_));
    assume (!(invalidate_valid && !whole && (fill_valid || fill_[0])) && !(fill_valid && own_));
    assume (!(invalidate_valid && fill_valid && named)); // a block lost in flight is not kept
    assume (!invalidate_valid || invalidate_payload[33:26] == 0);
    assume (!fill_valid || fillAddress[33:26] == 0);
    assume (address == announced && !flush && !(reset && fill_valid));
  end

  wire covers = invalidate_valid &&
    (whole ? invalidate_payload[25:7] == any[20:2] : invalidate_payload[25:5] == any);
  reg holds, tells; // the D-cache has the block; had it when the b-cache's block went
  always @(posedge clk) if (reset) {holds, tells} <= 0;
  else if (tick) begin
    if (fill_valid && fillAddress[9:5] == set) holds <= fillAddress[25:5] == any;
    else if (covers) holds <= 0;
    tells <= holds && covers && whole;
  end
  wire about = dropping && block[9:7] == set[4:2]; // the sets that are dropped include this one
  wire [15:0] there = place == 0 ? tags0 : place == 1 ? tags1 : place == 2 ? tags2 : tags3;
  wire goes = about && left[place] && block[25:7] == any[20:2];
  always @* if (!reset && started) begin
    if (address[33:5] == any) assert (hit == holds);
    if (address[33:26] != 0) assert (!hit);
    assert ((dropped[place] && block[25:7] == any[20:2]) == tells);
    // Invariants of the induction.
    assert (!isValid || bank == tagThere);
    assert (!(about && left[place]) || there == bank && had[place] == isValid);
    assert (!about || !had[place] || !fresh || !all || left[place] || fill_[0]);
    assert (tells == (about && fresh && all && had[place] && there == tag &&
      block[25:7] == any[20:2]));
    assert (holds == (isValid && tagThere == tag && !goes));
    assert (!dropping || block[33:26] == 0);
    assert (!dropping || fresh || (fill_[0] && whole_[1]));
    assert (!dropping || fresh == (whole_[0] || own_));
    assert (!dropping || !fresh || all == whole_[0]);
    assert (announced[9:5] != set || (filled && filledIndex == set ? newTag : tagRead) == tagThere);
  end
endmodule
