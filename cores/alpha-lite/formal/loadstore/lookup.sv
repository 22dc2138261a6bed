// SPDX-License-Identifier: BSD-2-Clause
// The core on an FPGA has a clock without a tick for the lookup of E1's access. In every tick, the
// registers that hold the lookup equal the gates of the simulated core. The two cores differ in
// nothing else but the tick in which they report events, so proofs of one hold for the other.
//
// The proof is not of ideal memory, whose fills move in clocks: there assertions of the RTL say the
// same in simulation.
module lookup (input clk);
  `include "core.svh"
  `include "loadstore_state.svh"
  `include "access_rules.svh"
  always @* assume (reset || (accessRules && fetchRules)); // as in proof arbiter
  always @* if (!reset) begin
    assert (loadStoreState);
    assert (alone);
  end
  always @* assume (!ideal);
  `observe(core.pipeline_1, legal = decode_decoder_control_legal,
    kind = decode_decoder_control_kind, needsMemory = fetched_payload_needs_memory,
    word = fetched_payload_instruction, settles = fetched_payload_settles,
    valid = fetched_valid, cold = fetched_payload_cold)
  // The fetch unit is cut. What it decodes before D; D's instruction, and a switch, stay until a
  // tick. Whom it wants the bus for changes with a tick, or in the clock after it has looked.
  wire isNothing = (kind & `Kind_load) != 0 && word[25:21] == 31;
  wire isAccess = (kind & (`Kind_load | `Kind_store)) != 0 && !isNothing;
  always @* assume (!legal || needsMemory == isAccess);
  always @* assume (settles == (word[31:26] == 6'h18));
  always @* assume (!(kind & `Kind_barrier) || settles); // proof decoder
  `observe(core, looks = fetch_settleHold, wantsNext = fetch_port_prefetch_valid)
  reg stands = 0, looked = 0;
  reg [53:0] asked0;
  wire [53:0] asked = {writeBufferOn, kind, valid, cold, word, demandDue, wantsNext};
  always @(posedge clk) begin
    {stands, looked} <= {!(reset || tick), looks};
    asked0 <= asked;
  end
  always @* assume (!stands || asked[53:2] == asked0[53:2]);
  always @* assume (!stands || looked || asked[1:0] == asked0[1:0]);
  // The bus does not change its grant in a tick (contracts.md 3).
  reg [1:0] bus0;
  wire [1:0] bus = {memory_cmd_ready, memory_rsp_valid};
  always @(posedge clk) bus0 <= bus;
  wire turns = stands && bus != bus0;
  always @* assume (!(turns && tick));
  always @* assume (!legal || (kind & (kind - 1)) == 0); // proof decoder; the decoder is cut
  `observe(core.loadStore_1, store = access_payload_store, uncached,
    agrees = cache_read, counts = cache_counts, renewed = cache_renewed, miss = missEvent,
    storeE1 = isStore, storeHits = storeHit, refused, storeReady = buffer_1_store_ready,
    coming, told = valueReady, ioTold = ioReady, ioAnswers)
  wire sought = isFill && !sent;
  `observe(core.loadStore_1.cache, dropping, tagRead = ripe)
  wire cacheHit = (agrees && counts) || renewed;
  wire misses = access_valid && !store && !uncached && !cacheHit;
  // The kind of the access, from registers.
  `observe(core.loadStore_1, locked = access_payload_locked, there = sorted_valid,
    sortedLoad = sorted_load, sortedStore = sorted_store, sortedConditional = sorted_conditional)
  wire [3:0] kinds = {!uncached && !store, !uncached && store && !locked, store && locked, 1'b1};
  wire [3:0] sortedKinds = {sortedLoad, sortedStore, sortedConditional, there};
  wire sorted = sortedKinds == (access_valid ? kinds : 0);
  always @* if (!reset && tick) begin
    assert (sorted);
    assert (miss == misses && missed == misses);
    assert (refused == (storeE1 && !storeReady));
    assert (storeHits == (storeE1 && cacheHit));
    assert (!(access_valid && !store || sought) || matched == lookupHit);
    assert (!storeE1 || (taker == takers && taken == storeReady));
    assert (!isIo || ioTold == ioAnswers); // the same of an I/O access
    assert (!dropping || tagRead);
    assert (!entered || holdWrite == (isConditional && (!armed || !same || losing || lost)));
    assert (told == coming); // a late value's tick is known a clock before
    assert (!stale || !waiting || !mayLeave ||
      !(drain || crowds || rested || !bufferOn || matched));
    assert (mayLeave == (!arbiterBusy || memory_rsp_valid)); // otherwise no write goes out
  end
  // What may go out is read from block RAM by then: while the bus is free, it is stale neither if
  // it is due nor if a load wants it.
  `observe(core.loadStore_1.buffer_1, stale, waiting, drain, crowds, rested, bufferOn = on_1,
    lookupHit, takers, mayTake, mayLeave)
  `observe(core.loadStore_1.arbiter, arbiterBusy = busy)

  // An answer stands until its tick (contracts.md 3).
  // The answer of an I/O access changes with a tick.
  reg offered = 0, ioOffered = 0;
  always @(posedge clk) {offered, ioOffered} <= {memory_rsp_valid, io_rsp_valid};
  always @* assume (!stands || ((!offered || memory_rsp_valid) && ioOffered == io_rsp_valid));

  // The block that DMA has written in the clock before stays, too.
  reg [33:0] block0;
  always @(posedge clk) block0 <= memory_invalidate_payload;
  reg begins = 1; // no write has happened yet
  always @(posedge clk) begins <= reset;
  always @* assume (!memory_invalidate_valid || (memory_invalidate_payload == block0 && !begins));
  `observe(core.loadStore_1.locks_1, losing, lost, wrote1, holdWrite, address,
    newlyLinked = early_linked1,
    foundLinked = early_linked_regNext, foundLinks = early_links_regNext)
  reg [33:0] block1; // the block of the tick before, if DMA wrote in that tick
  always @(posedge clk) if (tick) block1 <= memory_invalidate_payload;
  always @* if (!reset && wrote1) assert (lost == (block1[33:5] == guarded));
  always @* if (!reset && tick && entered)
    assert (losing == (memory_invalidate_valid && memory_invalidate_payload[33:5] == guarded));

  // ---- invariants of the induction
  wire wantsDrained = valid && (cold || (kind & `Kind_barrier) != 0);
  always @* if (!reset) assert ((!told || coming) && (!isAbove || isAtLeast));
  `observe(core.loadStore_1.lookup_1, done, isMissing, hits, matched, taker, taken, left)
  // E1's access has just become a trap: one clock more is held.
  `observe(core.pipeline_1, revoked = revoke_done, ripe_ = revoke_ripe,
    misplaced = revoke_misplaced, turned = revoke_turned, illegal = e1_illegal, e1_issued,
    e1_killed, e1_memory, e1_load, e1_store, e1_kind = e1_control_kind,
    decoded = execute_second_decoded, drains = loadStore_drain)
  wire revoking = revoked && !ripe_;
  always @* if (!reset) begin
    assert (!done || matched == lookupHit);
    assert (!done || turns || (taker == takers && taken == mayTake));
    assert (!done || stands);
    assert (!ioTold || ioAnswers);
    assert (begins || newlyLinked || foundLinked == (block0[33:5] == guarded));
    assert (!stands || foundLinks == (block0[33:5] == address[33:5]));
    assert (!drains || wantsDrained);
    assert (!(decoded || done) || drains == wantsDrained);
    assert (!sought || (left ? matched || !lookupHit : matched == lookupHit));
    assert ((!revoked || misplaced) && (!turned || illegal) && (!ripe_ || revoked || turned));
    assert (!illegal || e1_killed);
    assert (!done || revoking || isMissing == misses);
    assert (!done || revoking || sorted);
    assert (!done || !access_valid || hits == cacheHit);
    assert (sortedKinds == 0 || access_valid || revoking);
    assert (!e1_issued || e1_killed || (e1_memory == (e1_load || e1_store)));
    assert (!e1_issued || (e1_store == ((e1_kind & `Kind_store) != 0)));
    assert (!e1_issued || e1_killed || !(e1_load && e1_store));
  end
endmodule
