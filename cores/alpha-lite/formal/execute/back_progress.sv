// SPDX-License-Identifier: BSD-2-Clause
// Liveness, second half: the instruction in D issues or traps.
//
// While an instruction is in D, at most `QUIET ticks pass in which memory, I/O and multiplier owe
// no answer and no product waits for its write. At most `COMMANDS commands go out. Then the
// instruction issues or traps, unless the processor waits or is halted. So with answers within N
// ticks every wait ends.
module back_progress (input clk);
  `include "core.svh"
  `observe(core.pipeline_1, go = issue_issues, trap = issue_trap, taken = execute_mispredicted,
    awake = pal_awake, valid = fetched_valid, cold = fetched_payload_cold,
    word = fetched_payload_instruction, kind = decode_decoder_control_kind,
    destination = decode_decoder_control_destination, locked = decode_decoder_control_locked,
    legal = decode_decoder_control_legal, readsA = decode_decoder_control_readsA,
    readsB = decode_decoder_control_readsB)
  `include "control.svh"
  `include "front_rules.svh"
  `observe(core.loadStore_1, fetchAhead = fetch_prefetch_valid,
    fetchAheadReady = fetch_prefetch_ready)
  `include "loadstore_state.svh"
  `include "access_rules.svh"
  `include "lookup_state.svh"

  // The instruction stays; the front end may prefetch once meanwhile (proof front_progress).
  reg wasValid = 0;
  always @(posedge clk) wasValid <= valid;
  wire leaves = core.pipeline_1.consume;
  wire starts = core.fetch_coldStart;
  reg kept = 0; // in the last tick nothing left D, and nothing redirected
  reg [16:0] keptKind;
  always @(posedge clk) if (reset || tick) begin
    kept <= !reset && valid && !leaves && !d_redirects && !starts;
    keptKind <= kind;
  end
  reg stays, onceAhead;
  reg [31:0] word0;
  reg [16:0] kind0;
  wire remains = valid && !go && !trap && !taken;
  always @(posedge clk) if (reset) {stays, onceAhead} <= 0;
  else if (tick) begin
    stays <= remains;
    onceAhead <= remains && (onceAhead || (fetchAhead && fetchAheadReady));
    {word0, kind0} <= {word, kind};
  end
  always @* begin
    assume (!ideal);
    assume (!legal || sane); // proof decoder
    assume ((kind & (kind - 1)) == 0 && (legal || kind != `Kind_barrier));
    assume (kind != `Kind_barrier || !(palOnly || floating));
    assume (drainAt <= 4); // machines/parameters.toml
    assume (!(kept && valid) || kind == keptKind);
    assume (!(stands && valid) || wasValid); // an instruction comes with a tick (proof foreseen)
    assume (!cold); // no cold start
    assume (!stays || (valid && word == word0 && kind == kind0)); // nothing has left D
    assume (frontRules && fetchRules);
    assume (!valid || !demandDue);
    assume (!(onceAhead && fetchAhead));
  end

  // ---- E1, and late answers
  `observe(core.pipeline_1, e1_valid = e1Valid, e1_issued, e1_killed, e1_memory, e1_trap, e1_writes,
    e2_writes, e2_valid, e1_kind = e1_control_kind, e1_locked = e1_control_locked,
    isMultiply = execute_isMultiply, late_load, late_multiplies)
  `observe(core.pipeline_1, misplaced = revoke_misplaced, illegal = e1_illegal, done = revoke_done,
    told = revoke_turned, ripe_ = revoke_ripe, noTickBefore = execute_second_noTickBefore,
    redirectedBefore = execute_redirectsBefore, aligned = e1_aligned, e1_load, e1_store,
    decoded = execute_second_decoded, drains = loadStore_drain,
    palOnly = decode_decoder_control_palOnly,
    floating = decode_decoder_control_floating, startsBefore = issue_startsBefore,
    quietBefore = issue_quietBefore)
  wire isTurning = e1_kind == `Kind_branch || e1_kind == `Kind_jump || e1_kind == `Kind_callPal ||
    e1_kind == `Kind_palReturn;
  `observe(core.loadStore_1, fillEnds, loadDone = arbiter_loadDone)
  `observe(core.loadStore_1.locks_1, wrote1, newlyLinked = early_linked1,
    foundLinked = early_linked_regNext, foundLinks = early_links_regNext)
  reg begins = 1; // no write of DMA has happened yet
  reg [33:0] block1; // of DMA's write in the tick before
  always @(posedge clk) begin
    begins <= reset;
    if (tick) block1 <= memory_invalidate_payload;
  end
  always @* assume (!(memory_invalidate_valid && begins));
  wire named1 = memory_invalidate_payload[33:5] == guarded;
  wire lost = core.loadStore_1.locks_1.lost;
  wire toIo = jobAddress[33:32] != 0;

  // ---- the multiplier owes a product, or two values want the register file's one port
  `observe(core.pipeline_1, isBusy = multiplier_1_busy, trapping = multiplier_1_trapping,
    product = multiplier_1_rsp_valid, crowded = registers_crowded)
  `observe(core.pipeline_1, first = late_named_first_valid, second = late_named_second_valid)
  always @* assume ((first || second) == (late_multiplies != 0)); // asserted in NamedMultiplies
  wire multiplies = isMultiply || late_multiplies != 0 || isBusy || trapping || product || crowded;

  wire memoryOwes = (memoryAge != 0 && !memory_rsp_valid) ||
    (memory_cmd_valid && !memory_cmd_ready);
  wire ioOwes = (ioAge != 0 && !io_rsp_valid) || (io_cmd_valid && !io_cmd_ready);
  wire command = (memory_cmd_valid && memory_cmd_ready) || (io_cmd_valid && io_cmd_ready);
  reg [5:0] quiet;
  reg [3:0] commands;
  always @(posedge clk) if (reset) {quiet, commands} <= 0;
  else if (tick) begin
    if (!remains || !awake) {quiet, commands} <= 0;
    else begin
      if (!memoryOwes && !ioOwes && !multiplies) quiet <= quiet + 1;
      if (command) commands <= commands + 1;
    end
  end

  // The largest number of such ticks and of commands that are left: it never rises. A command costs
  // the tick in which it goes out and the tick of its answer; E1 may still open an access or a
  // store.
  wire access = e1_valid && e1_memory;
  wire [5:0] ticksConditional = !compared ? 9 : !(armed && same) ? 3 :
    entered || toIo ? 5 - lost : 8;
  wire [5:0] ticksE1 = access ? 11 : e1_valid || e1_trap ? 2 : e2_valid;
  wire [5:0] ticksPending = isNone ? 0 : isStore ? 3 : isVerdict ? 2 - ripe : isConditional ?
    ticksConditional : !sent ? 2 : isIo;
  wire [5:0] ticksLeft = ticksE1 + 2 * unsent + (memoryAge != 0) + ticksPending +
    (onceAhead ? 0 : 2);
  wire [3:0] commandsLeft = access + unsent + (isStore || (isConditional && !entered) ||
    ((isFill || isIo) && !sent)) + !onceAhead;
  always @* if (!reset) begin
    assert (loadStoreState);
    assert (alone && lookupState && (!fillEnds || (stands && loadDone)));
    // What second clocks keep.
    assert (!wrote1 || lost == (block1[33:5] == guarded)); // DMA's block was compared in time
    assert (begins || newlyLinked || foundLinked == (named0[33:5] == guarded));
    assert (!stands || foundLinks == (named0[33:5] == a_address[33:5]));
    assert (!stands || lockWaits == (isConditional && entered && (!(armed && same) || lost)));
    assert (!stands || !memory_invalidate_valid || (foundLinked == named1 &&
      exposed == (isConditional && entered && named1)));
    assert (noTickBefore == stands && (!(done || told || ripe_) || stands));
    assert ((!done || misplaced) && (!told || illegal) && (!ripe_ || done || told));
    assert ((!(done || told) || d_turned) && (!a_revoked || done || told));
    assert (!illegal || e1_trap);
    assert (!startsBefore && !quietBefore);
    assert (!(noTickBefore && redirectedBefore) || (e1_issued && !e1_killed && isTurning));
    assert (!(e1_issued && !e1_killed) || (e1_kind & (e1_kind - 1)) == 0);
    assert (!(e1_issued && !e1_killed) || aligned == 0 || e1_memory);
    assert (!(e1_issued && !e1_killed) || e1_memory == (e1_load || e1_store));
    assert (!decoded || stands);
    assert (!e1_issued || !blocked);
    assert (!illegal || e1_issued || (kept && keptKind != `Kind_barrier));
    assert (!drains || stands);
    assert (!decoded || a_revoked || drains == (valid && (cold || kind == `Kind_barrier)));
    assert (!drains || !kept || keptKind == `Kind_barrier);
    assert (!drains || a_revoked || (valid && (cold || kind == `Kind_barrier)));
    assert (accessRules);
    assert (!(e1_issued && e1_killed) || d_turned || illegal); // a kill comes with a redirection
    assert (!e1_writes || e1_issued);
    assert (quiet + (valid ? ticksLeft : 0) <= `QUIET);
    assert (commands + (valid ? commandsLeft : 0) <= `COMMANDS);
    assert (!e2_writes || e2_valid);
    assert (!(access && !isNone));
    assert (!e1_valid || isNone || isFill);
    assert (!(e1_valid && e1_trap));
    assert (!access || e1_kind == `Kind_load || e1_kind == `Kind_store);
    assert (!(access && e1_kind == `Kind_store && e1_writes) || e1_locked);
    // If a register waits for a load, a load of it is under way.
    assert (!late_load || (isFill && !(`BACK && jobStore)) || (isIo && (!jobStore || jobLocked)) ||
      isConditional || isVerdict);
  end
endmodule
