// SPDX-License-Identifier: BSD-2-Clause
// Program order: the instruction that issues is always the next one of the architectural path,
// with and without branch prediction.
//
// `next` is the address at which the path goes on: four further after an issue or the predicted
// target, the target after a mispredicted branch, the PAL entry after a trap. Nothing issues from
// another address, so nothing after such a branch or trap issues. The address that a trap leaves is
// the next instruction's, so everything before it has issued. For each branch and jump in E1,
// `next` is the real target, or E1 redirects to the real target.
module order (input clk);
  `include "core.svh"
  `observe(core.pipeline_1, go = issue_issues, trap = issue_trap, vector = issue_vector,
    pc = fetched_payload_pc)
  `observe(core.pipeline_1, word = fetched_payload_instruction,
    kind = decode_decoder_control_kind, destination = decode_decoder_control_destination,
    locked = decode_decoder_control_locked, legal = decode_decoder_control_legal,
    readsA = decode_decoder_control_readsA, readsB = decode_decoder_control_readsB)
  `include "control.svh"
  `include "front_rules.svh"
  always @* assume (frontRules && (!legal || sane)); // the decoder is cut
  wire taken = core.pipeline_1.execute_mispredicted; // E1 goes elsewhere than fetching
  `observe(core.pipeline_1, isCall = execute_isCall, target = execute_target, palBase = pal_palBase,
    left = pal_trap_valid, leaves = pal_trap_payload_exceptionAddress, e1_valid = e1Valid, e1_trap,
    e1_next, predicted = prediction_taken, predictedTo = prediction_target,
    e1_predicted = e1_prediction_taken, e1_predictedTo = e1_prediction_target)
  wire [34:0] e1_pc = core.pipeline_1.e1_pc;

  // What E1 finds: an access that is misplaced has not issued, but trapped; for that trap, and for
  // that of an illegal instruction, fetching turns before the next tick, by the PAL base of then.
  `observe(core.pipeline_1, misplaced = revoke_misplaced, illegal = e1_illegal, done = revoke_done,
    told = revoke_turned, ripe = revoke_ripe)
  wire late = misplaced || illegal;
  wire owing = (misplaced && !done) || (illegal && !told); // fetching has not turned yet

  // `after`: the address after the instruction that issued last; `before`: the same before the trap
  // that has just been taken.
  reg [34:0] next_, after_, before;
  reg left_ = 0, trappedInD = 0;
  reg [12:0] entry;
  wire went = left_ && !misplaced, trapped = trappedInD || misplaced;
  wire [34:0] lateEntry = {1'b0, palBase, entry, 1'b1};
  wire [34:0] next = late ? lateEntry : next_, after = late ? lateEntry : after_;
  wire [34:0] nextBy = taken ? target : trap ? {1'b0, palBase, vector[13:1], 1'b1} :
    !go ? next : predicted ? {predictedTo, next[1:0]} : next + 4;
  always @(posedge clk) begin
    if (reset) {next_, after_, left_, trappedInD} <= {`RESET_PC, `RESET_PC, 2'd0};
    else if (tick) begin
      {left_, trappedInD, before} <= {go, trap, next};
      next_ <= nextBy;
      after_ <= go ? next + 4 : nextBy;
      entry <= trap ? vector[13:1] : 13'h8f0; // UNALIGN
    end
  end
  always @* if (!reset && tick) begin
    assert (!go || pc == next);
    assert (!go || !trap);
    assert (!taken || (!go && !trap));
    assert (left == (trapped || (taken && isCall)));
    assert (!left || leaves == (trapped ? before : after)); // a tick later, from E1
  end

  // The address at which an instruction in E1 really goes on.
  `observe(core.pipeline_1, isBranch = execute_isBranch, isJump = execute_isJump,
    met = execute_met, jumpTo = execute_jumpTo, branchTarget = execute_branchTarget)
  wire returns = core.pipeline_1.execute_isReturn;
  always @* if (!reset && tick && e1_valid) begin
    if (isBranch && !isJump && !isCall && !returns) begin
      assert (taken == (met != e1_predicted));
      assert (!taken || branchTarget == {met ? e1_predictedTo : e1_next, e1_pc[1:0]});
      assert (taken || next == (met ? {e1_predictedTo, e1_pc[1:0]} : e1_pc + 4));
    end
    if (isJump && !taken) assert (next[34:2] == jumpTo[34:2]);
  end

  // Invariants: the front end holds the path in order, no part of it twice. `fresh`: the
  // instruction in D is new, and fetching has not gone to its predicted target yet.
  `observe(core.fetch, dValid, cold = fetched_payload_cold, spareValid, sparePc = spare_pc,
    spareCold = spare_cold, f2Valid, f2Pc, turning, fresh, awaited)
  wire redirects = core.pipeline_1.redirect_valid;
  `observe(core.pipeline_1, startsBefore = issue_startsBefore, aligned = e1_aligned, e1_issued,
    e1_killed, e1_load, e1_store, e1_stands = e1_needsSecondClock,
    noTickBefore = execute_second_noTickBefore, agreed = execute_jumpForeseen,
    agrees = execute_agrees, e1_vector)
  wire looked = core.loadStore_1.lookup_1.done;
  `observe(core.fetch, followed, seen = predictionSeen, seenTo = prediction_target_regNext,
    follows = dFetched_follows)
  `observe(core.fetch, turnPc = turn_pc, starting, missing, start, f1Wait)
  wire quietBefore = core.pipeline_1.issue_quietBefore;
  wire [34:0] second = !dValid ? next : predicted && !fresh ? {predictedTo, next[1:0]} : next + 4;
  wire [34:0] third = spareValid ? second + 4 : second;
  always @* if (!reset) begin
    assert (!turning || (turnPc == next && (!e1_valid || late)));
    assert (!(turning && tick) || !redirects);
    assert ((!dValid || !cold) && (!spareValid || !spareCold) && !quietBefore && !startsBefore);
    if (!turning && !owing) begin
      assert (!dValid || pc == next);
      assert (!spareValid || (dValid && sparePc == second));
      assert (f2Valid + missing + starting == 1); // F2 has the word, misses it or will read it
      assert (!f2Valid || f2Pc == third);
      assert (f2Valid || start == third);
      assert (!spareValid || (f2Valid && !awaited));
      assert (f1Wait == 0 || starting);
      assert (!fresh || !dValid || (f2Valid && !awaited && !spareValid));
    end
    assert (!e1_valid || left_);
    assert (!e1_trap || (trappedInD && e1_pc == before));
    assert (e1_trap == trappedInD);
    assert (!misplaced || (left_ && e1_pc == before));
    if (e1_valid && !misplaced) begin
      assert (e1_pc + 4 == after && e1_next == after[34:2]);
      assert (next == (e1_predicted ? {e1_predictedTo, e1_pc[1:0]} : after));
    end
    // What second clocks keep.
    assert (!(done || told || ripe || looked || followed || seen) || stands);
    assert ((!done || misplaced) && (!told || illegal) && (!illegal || trappedInD));
    assert (!late || owing || turning);
    assert (!(left_ && trappedInD) && (!left_ || entry == 13'h8f0));
    assert (!illegal || e1_vector[13:1] == entry);
    assert (!owing || !stands);
    assert (!(e1_issued && !e1_killed) || aligned == 0 ||
      ((e1_load || e1_store) && !(isBranch || isJump || isCall || returns)));
    assert (!followed || turning || (fresh && dValid && predicted));
    assert (!seen || turning || followed == (dValid && predicted));
    assert (!stands || turning || !dValid || !predicted || !followed || seenTo == predictedTo);
    assert (noTickBefore == stands && (!stands || agreed == agrees));
    assert (!(e1_issued && isJump) || e1_stands);
  end
  always @(posedge clk) if (!reset) assume (ev4 == $past(ev4)); // constant in a run
  always @* assume (!predicted || !dValid || (ev4 && follows));
  // The predictor is cut: its prediction of an instruction stays while the instruction is in D
  // (proof foreseen).
  reg stays = 0, predicted0;
  reg [32:0] predictedTo0;
  wire consume = core.pipeline_1.consume;
  always @(posedge clk)
    {stays, predicted0, predictedTo0} <= {dValid && !(tick && consume) && !reset, predicted,
      predictedTo};
  always @* assume (!stays || !dValid ||
    (predicted == predicted0 && (!predicted || predictedTo == predictedTo0)));
endmodule
