// SPDX-License-Identifier: BSD-2-Clause
// A block is in the D-cache or among its victims, never in both. A displaced block becomes a victim
// with its bytes. A load that misses takes its victim back. A block that DMA or STx_C dropped
// meanwhile does not stay. Stores write where the block is. The proof is of any bit of any block of
// any of 64 sets, with two victims (proof victim_list: which victim goes). Any clock may be no
// tick. A store that hits writes in the clock after its tick.
module victims_apart (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  (* anyconst *) wire isKept;
  CacheWithVictims unit (.clockEnabled(tick), .keeps(isKept), .*);
  `observe(unit.cache, set = probeSet, tagThere = probeTag, namedThere = probeNamed,
    dataThere = probeData, placeOfData = probePlace,
    readNumber = displaced_number, readBlock = displaced_block, tagRead = tag, filled,
    filledIndex, newTag, dropping, dropped, itself, asked = asksTag, compared_ = compared,
    comparedBefore = compared_regNext, tagKnown = ripe)
  `observe(unit.cache.valids, setOfValids = probeSet, isValid = probeValid)
  `observe(unit.victims, valid, number0 = numbers_0, number1 = numbers_1, block0 = blocks_0,
    block1 = blocks_1, moving, left, movingNumber, movingBlock, movingStays = movingValid,
    puts = put_valid, putNumber = put_payload_number, putBlock = put_payload_block)
  (* anyconst *) wire [15:0] tag;
  (* anyconst *) wire [6:0] place; // a bit of the block
  wire [29:0] block = {8'd0, tag, set};
  always @* assume (tick || !reset); // the tick of reset reads a tag
  always @* assume (setOfValids == set && placeOfData == place);

  // Rules of the load-store unit and memory: proofs dcache and memory_time.
  reg [33:0] announced, fillAnnounced;
  reg justDropped = 0, justFilled = 0;
  reg waits = 0, fromBus; // a load has missed and its block is still to come
  reg [29:0] job;
  (* anyseq *) wire ends; // an error comes in its place
  (* anyseq *) wire storeHits;
  reg stored = 0; // a store goes into the cache in the clock after its tick
  reg [33:0] storedAt;
  reg stands = 0; // the last clock was no tick
  always @(posedge clk) {stored, storedAt, stands} <= {storeHits && !reset, address, !tick};
  always @(posedge clk) if (tick) begin
    announced <= next_1;
    fillAnnounced <= fillNext;
    justDropped <= invalidate_valid && !reset;
    justFilled <= fill_valid && !reset;
    if (reset || fill_valid || (waits && fromBus && ends)) waits <= 0;
    else if (loadMisses) {waits, fromBus, job} <= {1'b1, !takes, address[33:4]};
  end
  always @* if (!reset) begin
    assume (address == announced);
    assume (fillAddress == fillAnnounced);
    assume (!waits || fillAddress[33:4] == job); // from the tick on in which its load missed
    assume (!tick || !hold);
    assume (!(loadMisses || stores || storeHits) || (tick && stands && !waits)); // a lookup first
    assume (!loadMisses || (!hit && !stores && !storeHits && !fill_valid));
    assume (!stores || (!hit && !storeHits));
    assume (!storeHits || hit);
    assume (write == stored && (!write || writeAddress == storedAt));
    assume (fill_valid == (back_valid || (waits && fromBus && !ends && fill_valid)));
    assume (!fill_valid || (waits && !flush && job[29:22] == 0));
    assume (!back_valid || fill_payload[place] == back_payload[place]);
    assume (!flush || !waits);
    assume (!invalidate_valid || (!justDropped && invalidate_payload[33:26] == 0));
  end

  // ---- the place of the block, and its bit
  reg holds = 0, keeps = 0, value;
  wire fills = fill_valid && fillAddress[9:4] == set, comes = fills && job == block;
  wire drops = invalidate_valid && invalidate_payload[33:4] == block;
  reg other = 0; // another block of this set is in the D-cache
  reg [15:0] otherTag;
  wire othersDrop = invalidate_valid && invalidate_payload[9:4] == set;
  wire displaces = fills && !comes && holds;
  wire stays = !back_valid || !lost;
  reg lost; // the block was dropped on its way
  wire [29:0] coming = loadMisses ? address[33:4] : job;
  wire isOurs = address[33:4] == block;
  wire writes = write && writeAddress[33:3] == {block, place[6]} &&
    (!writeLong || writeAddress[2] == place[5]);
  wire keepsIt = stores && isOurs && stored_place == place[6] && stored_halves[place[5]];
  wire last = valid[1] && number1 == block; // the oldest victim, which a put displaces
  always @(posedge clk) if (writes) value <= writeData[writeLong ? {1'b0, place[4:0]} : place[5:0]];
  else if (tick && keepsIt) value <= stored_quad[place[5:0]];
  else if (tick && comes) value <= fill_payload[place];
  always @(posedge clk) if (reset) {holds, keeps, other} <= 0;
  else if (tick) begin
    if (fills) holds <= comes && stays && !drops;
    if ((drops && !fills) || flush) holds <= 0;
    keeps <= (keeps ? !(takes && isOurs) && !(puts && valid == 3 && last) : displaces && isKept)
      && !drops && !flush;
    lost <= (!loadMisses && lost) || (invalidate_valid && invalidate_payload[33:4] == coming);
    if (fills) {other, otherTag} <= {!comes && stays, fillAddress[25:10]};
    if (flush || (othersDrop &&
      invalidate_payload[25:10] == (fills ? fillAddress[25:10] : otherTag))) other <= 0;
  end
  always @* if (!reset) begin
    assert (!(holds && keeps));
    if (isOurs) assert (hit == holds && takes == (loadMisses && keeps));
    if (address[33:26] != 0) assert (!hit && !takes);
    if (tick && displaces && isKept)
      assert (puts && putNumber == block && putBlock[place] == value);
    if (tick && puts && putNumber == block) assert (displaces);
  end

  // ---- invariants of the induction
  wire in0 = valid[0] && number0 == block, in1 = valid[1] && number1 == block;
  wire isThere = itself || (asked && compared_);
  wire goes = dropping && dropped[5:0] == set && isThere;
  wire [15:0] tagIs = holds ? tag : otherTag;
  always @* if (!reset) begin
    assert (keeps == (in0 || in1) && !(in0 && in1));
    assert (!in0 || block0[place] == value);
    assert (!in1 || block1[place] == value);
    assert (!valid[0] || number0[29:22] == 0);
    assert (!valid[1] || number1[29:22] == 0);
    assert (!(waits && job == block) || !(holds || keeps));
    assert (moving == (waits && !fromBus) && (!moving || (movingNumber == job && left <= 1)));
    assert (!moving || job[29:22] == 0);
    assert (!(moving && job == block) || movingBlock[place] == value);
    assert (!moving || movingStays == !lost);
    assert (!(holds && other) && (!other || otherTag != tag));
    assert (!isValid || tagThere == namedThere);
    assert (!(holds || other) || tagThere == tagIs);
    assert (!(dropping && dropped[5:0] == set) || isThere == (namedThere == dropped[21:6]));
    assert (!(tagKnown && dropping) || comparedBefore == compared_);
    assert ((holds || other) == (isValid && !goes));
    assert (!stored || (!stands && !waits));
    assert (!stored || storedAt[9:4] != set ||
      (storedAt[25:10] == tagThere && storedAt[33:26] == 0));
    assert (!(stored && storedAt[33:4] == block && keeps));
    assert (!(stands && isOurs) || has == keeps);
    assert (!(stands && address[33:26] != 0) || !has);
    assert (!holds || dataThere == value);
    assert (announced[9:4] != set || !isValid ||
      (filled && filledIndex == set ? newTag : tagRead) == tagThere);
    assert (!dropping || ((justDropped || justFilled) && dropped[29:22] == 0));
    assert (!filled || justFilled);
    assert (!(justFilled && waits));
    if (waits && job[5:0] == set)
      assert (readNumber == {8'd0, tagThere, set} && readBlock[place] == dataThere);
  end
endmodule
