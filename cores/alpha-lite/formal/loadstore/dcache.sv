// SPDX-License-Identifier: BSD-2-Clause
// The D-cache agrees with memory: an access hits a block if and only if the block was filled last
// in its set and nothing has dropped it since (DMA, STx_C, a cold start). A load that hits gets,
// for each bit, the value filled or stored last. The proof is of any bit of any block.
module dcache (input clk);
  `include "core.svh"
  `include "loadstore_state.svh"
  `include "access_rules.svh"
  `include "lookup_state.svh"
  wire [7:0] set = core.loadStore_1.cache.probeSet; // any set, constant
  wire [7:0] setOfValids = core.loadStore_1.cache.valids.probeSet;
  (* anyconst *) wire [12:0] tag;
  (* anyconst *) wire [7:0] place; // a bit of the block
  wire [28:0] block = {8'd0, tag, set}; // a block of RAM, 64 MB; no other block is ever cached
  always @* assume (set == setOfValids && (reset || (accessRules && fetchRules)));

  `observe(core.loadStore_1, address = access_payload_address, isStoreE1 = isStore,
    isLoadE1 = isLoad, data = access_payload_data, long = access_payload_long, hit = lookup_1_hits,
    missing = miss, storedHit, jobData = job_data, jobLong = job_long, loaded)
  wire loadDone = core.loadStore_1.arbiter.loadDone;
  `observe(core.loadStore_1, flush, wrote = locks_1_wrote, next = next_1)
  reg [33:0] announced; // the address that E1 gets, announced in the tick before
  always @(posedge clk) if (tick) announced <= next;
  always @* assume (reset || address == announced);
  wire ours = jobAddress[25:5] == block[20:0]; // STx_C beyond RAM may drop a namesake

  // DMA writes come two ticks apart or more: its transactions take two (`bcache.dma_ticks`).
  reg justDma = 0;
  always @(posedge clk) if (tick || reset) justDma <= memory_invalidate_valid && !reset;
  always @* begin
    assume (!(justDma && memory_invalidate_valid));
    // A block beyond the RAM is answered with an error (proof memory_time).
    assume (!loadDone || memory_rsp_payload_error || jobAddress[33:26] == 0);
    assume (!memory_invalidate_valid || memory_invalidate_payload[33:26] == 0);
  end

  // ---- the contents that the cache should have
  wire fills = loadDone && !memory_rsp_payload_error && memoryMoves && dCacheOn;
  wire dma = memory_invalidate_valid && tick;
  wire here = address[33:5] == block;
  wire stores = isStoreE1 && here && address[4:3] == place[7:6] &&
    (!long || address[2] == place[5]);
  reg holds = 0, value, hits = 0, hitValue;
  reg stored = 0; // a store goes into the cache in the clock after its tick
  always @(posedge clk) if (reset) {holds, hits, stored} <= 0;
  else begin
    if (stores) value <= data[long ? {1'b0, place[4:0]} : place[5:0]];
    stored <= stores;
    if (fills && jobAddress[12:5] == set) holds <= jobAddress[33:5] == block;
    if (fills && jobAddress[33:5] == block) value <= memory_rsp_payload_data[place];
    if ((dma && memory_invalidate_payload[33:5] == block) || (flush && tick) ||
        (wrote && memoryMoves && ours)) holds <= 0;
    if (tick) {hits, hitValue} <= {isLoadE1 && here && hit && address[4:3] == place[7:6], value};
  end
  always @* if (!reset) begin
    if ((isLoadE1 || isStoreE1) && here) assert (hit == holds);
    if ((isLoadE1 || isStoreE1) && address[33:26] != 0) assert (!hit);
    if (isLoadE1) assert (missing == !hit);
    if (hits) assert (loaded[place[5:0]] == hitValue);
  end

  // ---- invariants of the induction
  wire isValid = core.loadStore_1.cache.valids.probeValid;
  wire [12:0] tagThere = core.loadStore_1.cache.probeTag;
  wire [12:0] namedThere = core.loadStore_1.cache.probeNamed;
  `observe(core.loadStore_1.cache, dataThere = probeData, tagRead = tag, filled, filledIndex,
    newTag, dropping, dropped, itself, asked = asksTag, compared_ = compared,
    comparedBefore = compared_regNext, tagKnown = ripe, agrees = read, counts, renewed)
  wire isThere = itself || (asked && compared_);
  wire cacheHit = (agrees && counts) || renewed;
  wire [5:0] jobPlace = jobLong ? {1'b0, place[4:0]} : place[5:0];
  `observe(core.loadStore_1, dropLater, filledE2 = filled, quad = cache_quad)
  wire changed = filled && filledIndex == set;
  wire drops = dropping && dropped[7:0] == set && isThere;
  always @* if (!reset) begin
    assert (loadStoreState && alone && lookupState);
    assert (!lookDone || !access_valid || (hit == cacheHit &&
      lookMissing == (!a_store && !a_uncached && !cacheHit)));
    assert (!(tagKnown && dropping) || comparedBefore == compared_);
    assert (!(dropping && stands) || tagKnown || isVerdict);
    assert (!stored || !stands);
    assert (!storedHit || jobAddress[12:5] != set ||
      (jobAddress[25:13] == tagThere && jobAddress[33:26] == 0));
    assert (!storedHit || (jobStore && !jobLocked && (isNone || isStore)));
    assert (!(stored && holds) || (storedHit && jobAddress[33:5] == block &&
      jobAddress[4:3] == place[7:6] && (!jobLong || jobAddress[2] == place[5]) &&
      jobData[jobPlace] == value));
    assert (!storedHit || (!stands && (stored || jobAddress[33:5] != block ||
      jobAddress[4:3] != place[7:6] || (jobLong && jobAddress[2] != place[5]))));
    assert (!isValid || tagThere == namedThere);
    assert (!(dropping && dropped[7:0] == set) || isThere == (namedThere == dropped[20:8]));
    assert (holds == (isValid && tagThere == tag && !drops &&
      !(dropLater && ours)));
    assert (!holds || stored || dataThere[place] == value);
    assert (blocked || announced[12:5] != set || (changed ? newTag : tagRead) == tagThere);
    assert (!dropLater || (!ideal && isVerdict && blocked && !ripe && justDma));
    assert (!dropping || dropped[28:21] == 0 || isVerdict);
    assert (!dropping || justDma || isVerdict || isNone);
    assert (!filled || isNone);
    assert (!hits || (isNone && !filledE2));
    assert (!hits || jobAddress[4:3] == place[7:6]);
  end
endmodule
