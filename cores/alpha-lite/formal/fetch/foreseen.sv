// SPDX-License-Identifier: BSD-2-Clause
// What the fetch unit says of the instruction in D. Its prediction stays the same as long as the
// instruction is in D: fetching goes to the predicted target once, and E1 compares with the
// prediction of the last tick. And front_rules.svh holds.
module foreseen (input clk);
  `include "core.svh"
  always @(posedge clk) if (!reset) assume (ev4 == $past(ev4)); // constant in a run
  `observe(core, consume = pipeline_1_consume, predicted = fetch_prediction_taken,
    predictedTo = fetch_prediction_target, word = fetch_fetched_payload_instruction)
  `observe(core.fetch, valid = fetched_valid, turning, killed, revoked, spareValid, demandBusy,
    demandDue = port_demandDue, ahead = port_prefetch_valid, demandHeld,
    demandStale, answerHeld, noTickBefore, missing, follows = dFetched_follows,
    spareFollows = spare_follows, answered = port_demandRsp_valid,
    answeredAhead = port_prefetchRsp_valid,
    spareWord = spare_instruction, spareSources = spare_sources, spareSettles = spare_settles,
    spareAddresses = spare_needs_addresses, spareReadsA = spare_needs_readsA,
    spareReadsB = spare_needs_readsB, spareBranches = spare_needs_branches,
    spareStores = spare_needs_stores, spareMemory = spare_needs_memory,
    spareMultiplies = spare_needs_multiplies,
    spareWritesRa = spare_needs_writesRa, spareWritesRc = spare_needs_writesRc)
  `observe(core.fetch.stream, streamBusy = busy, streamValid = valid)
  `observe(core.fetch.predictor, pushing = stack_pushing, popping = stack_popping)
  Decoder decoder (.instruction(word), .*);
  Decoder later (.instruction(spareWord), .*);
  wire [16:0] kind = decoder_control_kind;
  wire [1:0] destination = decoder_control_destination;
  wire readsA = decoder_control_readsA, readsB = decoder_control_readsB;
  wire locked = decoder_control_locked, legal = decoder_control_legal;
  `include "front_rules.svh"
  function isFollowed(input [5:0] opcode);
    isFollowed = opcode[5:4] == 3 || opcode == 6'h1a;
  endfunction
  reg left = 0; // a jump or BSR left D in the last tick
  always @(posedge clk) if (reset || tick)
    left <= !reset && consume && (word[31:26] == 6'h1a || word[31:26] == 6'h34);
  always @* begin
    assume (!(left && killed) || turning); // a kill redirects fetching (proof owners)
    assume ((!answered || demandBusy) && (!answeredAhead || streamBusy)); // proof arbiter
    assume (!revoked || !(tick || stands)); // E1 revokes directly after a tick (proof owners)
  end
  reg stays = 0, wasValid = 0, predicted0;
  reg [32:0] predictedTo0;
  always @(posedge clk) {stays, wasValid, predicted0, predictedTo0} <=
    {valid && !(tick && consume) && !revoked && !reset, valid, predicted, predictedTo};
  wire starts = core.fetch_coldStart;
  reg kept = 0; // in the last tick nothing left D, and nothing redirected
  reg [31:0] keptWord;
  always @(posedge clk) if (reset || tick) begin
    kept <= !reset && valid && !consume && !d_redirects && !starts;
    keptWord <= word;
  end
  always @* if (!reset) begin
    assert (!kept || d_turned || (valid && word == keptWord));
    assert (!(stays && valid) ||
      (predicted == predicted0 && (!predicted || predictedTo == predictedTo0)));
    assert (!valid || follows == isFollowed(word[31:26]));
    assert (!spareValid || spareFollows == isFollowed(spareWord[31:26]));
    assert (!valid || !predicted || (ev4 && follows));
    assert (ideal || !(stands && valid) || wasValid); // it comes with a tick
    assert (frontRules && (!d_turned || turning));
    assert (!ideal || !(ahead || streamBusy)); // fetchRules of access_rules.svh
    assert (!ideal || !(demandDue || demandBusy) || fetch_hold);
    assert (!ideal || !(demandHeld || demandBusy) || (missing && !turning && stands));
    assert (noTickBefore == stands && (!(pushing || popping) || left));
    assert (!ideal || !(demandStale || streamValid));
    assert (!ideal || !answerHeld || !(demandHeld || demandBusy));
    assert (!spareValid || (spareSources == ~spareWord[25:16] && isDecoded(spareWord,
      later_control_kind, later_control_destination, later_control_legal, later_control_readsA,
      later_control_readsB, {spareSettles, spareAddresses, spareReadsA, spareReadsB,
        spareBranches, spareStores, spareMemory, spareMultiplies, spareWritesRa,
        spareWritesRc})));
  end
endmodule
