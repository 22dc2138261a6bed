// SPDX-License-Identifier: BSD-2-Clause
// Every tick has one owner, and it is one of the list; `issue` owns it if and only if an
// instruction issues, and every instruction that issues does so in a tick of its own. The owner of
// a tick is known in the clock after the tick: what left D and is revoked then did not issue.
module owners (input clk);
  `include "core.svh"
  `observe(core.pipeline_1, leaves = issue_issues, consume, trapsInD = issue_trap,
    misplaced = revoke_misplaced, killed, owner = events_owner, valid = fetched_valid,
    awake = pal_awake, emptyOwner, word = fetched_payload_instruction,
    kind = decode_decoder_control_kind, destination = decode_decoder_control_destination,
    locked = decode_decoder_control_locked, legal = decode_decoder_control_legal,
    readsA = decode_decoder_control_readsA, readsB = decode_decoder_control_readsB,
    floating = decode_decoder_control_floating, palOnly = decode_decoder_control_palOnly)
  `include "front_rules.svh"
  `observe(core.fetch, turning, reasonTurned = turn_owner, reasonElse = reason)
  wire [4:0] reason = turning ? reasonTurned : reasonElse; // owner of the gap
  `observe(core.pipeline_1, done = revoke_done, told = revoke_turned, ripe = revoke_ripe,
    illegal = e1_illegal, aligned = e1_aligned, e1_issued, e1_load, e1_store)
  wire looked = core.loadStore_1.lookup_1.done;
  wire taken = core.pipeline_1.execute_mispredicted;
  wire holding = core.fetch.holding;
  wire jumps = word[31:26] == 6'h1a || word[31:26] == 6'h34; // or BSR
  always @* begin
    assume (frontRules);
    assume (!jumps || (legal && !floating && !palOnly &&
      (kind == `Kind_jump || kind == `Kind_branch))); // proof decoder
  end

  // The last tick; and fetching was redirected in it, or E1 revokes since.
  reg ticked = 0, left = 0, trapped = 0, waited = 0, awoke, empties = 0, jumped = 0, turned = 0;
  wire issued = left && !misplaced;
  wire trap = trapped || misplaced;
  always @(posedge clk) if (reset) {ticked, left, trapped, waited, empties, jumped, turned} <= 0;
  else begin
    if (tick) begin
      ticked <= 1;
      {left, trapped, awoke, empties} <= {leaves, trapsInD, awake, consume};
      jumped <= consume && jumps;
      waited <= valid && awake && !taken && !trapsInD && !leaves;
    end
    if (tick || d_revokes) turned <= d_revokes || d_redirects;
  end
  always @* if (!reset) begin
    if (ticked) begin
      assert (owner <= `Owner_idle);
      assert (issued == (owner == `Owner_issue));
      assert (awoke == (owner != `Owner_idle));
      assert (!trap || owner == `Owner_exception);
      // The owner is a cause of waiting.
      assert (!waited || (owner >= `Owner_load_use && owner <= `Owner_io));
    end
    // D empties for an issue, or a killed instruction leaves it: then fetching is redirected, at
    // once or, if E1 finds out, before the next tick.
    assert (!tick || !empties || issued || turned);
    assert (consume || !(tick && leaves));
    assert (!left || empties);
    assert (!(jumped && killed) || turned);
    assert (!turned || (turning && !holding && !valid)); // fetching moves with the next tick
    assert (!d_revokes || !(tick || stands)); // directly after a tick
    // ---- invariants of the induction
    assert (!(done || told || ripe) || stands);
    assert (!done || (misplaced && turned));
    assert (!told || (illegal && turned));
    assert (!ripe || done || told);
    assert (!illegal || trapped);
    assert (!empties || issued || turned || illegal || misplaced);
    assert (!looked || stands);
    assert (!(e1_issued && !killed) || aligned == 0 || e1_load || e1_store);
    assert (reason == `Owner_refill_restart || reason == `Owner_taken_bubble ||
      reason == `Owner_mispredict || reason == `Owner_exception ||
      reason == `Owner_i_demand); // the first miss of a cold start
    assert (emptyOwner == reason || emptyOwner == `Owner_i_demand ||
      emptyOwner == `Owner_i_stream || emptyOwner == `Owner_refill_restart);
  end
endmodule
