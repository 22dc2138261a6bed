// SPDX-License-Identifier: BSD-2-Clause
// A D-cache with two ways holds the blocks of a cache with two places a set, which the bench keeps.
// A block is in at most one way. A fill goes into the first empty way, or displaces the block used
// longest ago. DMA drops the way that has its block and no other way, whatever is filled in that
// tick. A store writes the way that it hits in the clock after its tick. The proof is of any of
// four sets and any addresses. Any clock may be no tick.
module ways (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  CacheOfWays unit (.clockEnabled(tick), .*);
  `observe(unit, found, had)
  `observe(unit.ways_0, set = probeSet, there0 = probeTag, named0 = probeNamed, read0 = tag,
    filled0 = filled, filledIndex0 = filledIndex, newTag0 = newTag, dropping0 = dropping,
    dropped0 = dropped, itself0 = itself, asked0 = asksTag, compared0 = compared, hit0 = hit,
    before0 = compared_regNext, known0 = ripe, fill0 = fill_valid, write0 = write)
  `observe(unit.ways_1, set1 = probeSet, there1 = probeTag, named1 = probeNamed, read1 = tag,
    filled1 = filled, filledIndex1 = filledIndex, newTag1 = newTag, dropping1 = dropping,
    dropped1 = dropped, itself1 = itself, asked1 = asksTag, compared1 = compared, hit1 = hit,
    before1 = compared_regNext, known1 = ripe, fill1 = fill_valid, write1 = write)
  `observe(unit.ways_0.valids, setOfValids0 = probeSet, isValid0 = probeValid)
  `observe(unit.ways_1.valids, setOfValids1 = probeSet, isValid1 = probeValid)
  `observe(unit.replacement_1, setOfRows = probeSet, row = probeRow)
  always @* assume (tick || !reset); // the tick of reset reads a tag
  always @* assume (set1 == set && setOfValids0 == set && setOfValids1 == set && setOfRows == set);

  // The set: which ways have a block, and of which tag; whether way 1 was used last.
  reg [1:0] valid = 0;
  reg [16:0] tag0, tag1;
  reg newer;
  wire [16:0] filledTag = fillAddress[25:9];
  wire fills = fill_valid && fillAddress[8:7] == set;
  wire place = valid[0] && !(valid[1] && newer); // the way of the fill
  wire [1:0] filled = fills ? (place ? 2 : 1) : 0;
  wire drops = invalidate_valid && invalidate_payload[8:7] == set;
  wire drops0 = drops && invalidate_payload[25:9] == (filled[0] ? filledTag : tag0);
  wire drops1 = drops && invalidate_payload[25:9] == (filled[1] ? filledTag : tag1);
  wire isHere = address[33:26] == 0 && address[8:7] == set;
  wire here0 = isHere && valid[0] && address[25:9] == tag0;
  wire here1 = isHere && valid[1] && address[25:9] == tag1;
  always @(posedge clk) if (reset) valid <= 0;
  else if (tick) begin
    valid <= (valid | filled) & ~{2{flush}} & ~{drops1, drops0};
    if (filled[0]) tag0 <= filledTag;
    if (filled[1]) tag1 <= filledTag;
    if (fills) newer <= place;
    else if (used && (here0 || here1)) newer <= here1;
  end

  // Rules of the load-store unit and memory: proofs dcache and memory_time.
  reg [33:0] announced;
  reg justDropped = 0, justFilled = 0;
  reg stands = 0; // the last clock was no tick
  always @(posedge clk) stands <= !tick;
  always @(posedge clk) if (tick) begin
    announced <= next_1;
    justDropped <= invalidate_valid && !reset;
    justFilled <= fill_valid && !reset;
  end
  always @* if (!reset) begin
    assume (address == announced);
    assume (!tick || !hold);
    assume (!used || (tick && stands)); // an access has its lookup first
    assume (!fill_valid || (!write && !used && !justFilled && fillAddress[33:26] == 0));
    assume (!invalidate_valid || (!justDropped && invalidate_payload[33:26] == 0));
    assume (!(fills && valid[0] && tag0 == filledTag)); // the block of a fill has missed
    assume (!(fills && valid[1] && tag1 == filledTag));
  end

  reg wasHere = 0; // in the last tick an access was of the set; and its way
  reg [1:0] was;
  always @(posedge clk) if (tick) {wasHere, was} <= {!reset && used && isHere, here1, here0};
  always @* if (!reset) begin
    if (isHere) assert (!(hit0 && hit1));
    if (isHere) assert (hit0 == here0 && hit1 == here1);
    if (address[33:26] != 0) assert (!hit);
    assert (hit == (hit0 || hit1));
    if (tick && fills) assert ({fill1, fill0} == filled);
    if (write && wasHere) assert ({write1, write0} == was);
    assert (!wasHere || had == was);
    assert (!(stands && (isHere || address[33:26] != 0)) || found == {here1, here0});
  end

  // ---- invariants of the induction
  wire isThere0 = itself0 || (asked0 && compared0), isThere1 = itself1 || (asked1 && compared1);
  wire goes0 = dropping0 && dropped0[1:0] == set && isThere0;
  wire goes1 = dropping1 && dropped1[1:0] == set && isThere1;
  always @* if (!reset) begin
    assert (!isValid0 || (there0 == named0 && there0 == tag0));
    assert (!isValid1 || (there1 == named1 && there1 == tag1));
    assert (!(dropping0 && dropped0[1:0] == set) || isThere0 == (named0 == dropped0[18:2]));
    assert (!(dropping1 && dropped1[1:0] == set) || isThere1 == (named1 == dropped1[18:2]));
    assert (!(known0 && dropping0) || before0 == compared0);
    assert (!(known1 && dropping1) || before1 == compared1);
    assert (valid[0] == (isValid0 && !goes0) && valid[1] == (isValid1 && !goes1));
    assert (valid != 3 || tag0 != tag1);
    assert (valid != 3 || row == newer);
    assert (announced[8:7] != set || !isValid0 ||
      (filled0 && filledIndex0 == set ? newTag0 : read0) == there0);
    assert (announced[8:7] != set || !isValid1 ||
      (filled1 && filledIndex1 == set ? newTag1 : read1) == there1);
    assert (!dropping0 || ((justDropped || justFilled) && dropped0[26:19] == 0));
    assert (!dropping1 || ((justDropped || justFilled) && dropped1[26:19] == 0));
  end
endmodule
