// SPDX-License-Identifier: BSD-2-Clause
// A write-back D-cache knows of every set whether a fill would displace a dirty block: exactly if
// the block that came last into the set is still there, and was stored to or came for a store.
// Fills and drops of other sets, and DMA that writes another block of the set, do not change this.
// The cache says so in the tick in which the bus takes a fill. The proof is of any of eight sets
// and any addresses. Any clock may be no tick.
module victims (input clk);
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  WriteBackCache unit (.clockEnabled(tick), .*);
  `observe(unit, set = probeSet, tagThere = probeTag, namedThere = probeNamed, tagRead = tag,
    filled, filledIndex, newTag, dropping, dropped, itself, asked = asksTag, compared_ = compared,
    comparedBefore = compared_regNext, tagKnown = ripe)
  `observe(unit.valids, setOfValids = probeSet, isValid = probeValid)
  `observe(unit.victims_stored, setOfStored = probeSet, isStored = probeValid)
  always @* assume (tick || !reset); // the tick of reset reads a tag
  always @* assume (setOfValids == set && setOfStored == set);

  // Rules of the load-store unit and memory: proofs dcache and memory_time.
  reg [33:0] announced;
  reg justDropped = 0, justFilled = 0;
  reg [33:0] victim0; // in the last clock
  reg changed0 = 1; // the last clock was a tick with a fill, a store or a flush, or reset
  always @(posedge clk) {victim0, changed0} <=
    {victim, reset || (tick && (fill_valid || storeHits || flush))};
  always @(posedge clk) if (tick) begin
    announced <= next_1;
    justDropped <= invalidate_valid && !reset;
    justFilled <= fill_valid && !reset;
  end
  always @* if (!reset) begin
    assume (address == announced);
    assume (!tick || !hold);
    assume (!storeHits || (tick && hit)); // a store marks the block that it hits
    assume (!fill_valid || (!storeHits && !justFilled && fillAddress[33:26] == 0));
    assume (!invalidate_valid || (!justDropped && invalidate_payload[33:26] == 0));
    assume (!fillGoes || (tick && victim == victim0 && !changed0)); // its access has stood a clock
  end

  // ---- the set
  reg valid = 0, dirty = 0;
  reg [15:0] tag;
  wire fills = fill_valid && fillAddress[9:7] == set;
  wire stores = storeHits && address[9:7] == set;
  wire drops = invalidate_valid && invalidate_payload[9:7] == set &&
    invalidate_payload[25:10] == (fills ? fillAddress[25:10] : tag);
  always @(posedge clk) if (reset) {valid, dirty} <= 0;
  else if (tick) begin
    if (stores) dirty <= 1;
    if (fills) {dirty, tag} <= {fillStored, fillAddress[25:10]};
    valid <= (fills || valid) && !flush && !drops;
  end
  wire isRam = victim[33:26] == 0;
  always @* if (!reset) begin
    if (fillGoes && victim[9:7] == set) assert (victimDirty == (isRam && valid && dirty));
    if (fillGoes && !isRam) assert (!victimDirty);
    if (address[33:7] == {8'd0, tag, set}) assert (hit == valid);
    if (address[9:7] == set && address[33:10] != {8'd0, tag}) assert (!hit);
  end

  // ---- invariants of the induction
  wire isThere = itself || (asked && compared_);
  wire goes = dropping && dropped[2:0] == set && isThere;
  always @* if (!reset) begin
    assert (!isValid || (tagThere == namedThere && tagThere == tag));
    assert (!(dropping && dropped[2:0] == set) || isThere == (namedThere == dropped[18:3]));
    assert (!(tagKnown && dropping) || comparedBefore == compared_);
    assert (valid == (isValid && !goes));
    assert (!valid || isStored == dirty);
    assert (announced[9:7] != set || !isValid ||
      (filled && filledIndex == set ? newTag : tagRead) == tagThere);
    assert (!dropping || ((justDropped || justFilled) && dropped[26:19] == 0));
  end
endmodule
