// SPDX-License-Identifier: BSD-2-Clause
// The memory arbiter: one grant at a time, by the stated priority; an answer goes to its asker; a
// load waits for at most `LOAD_WAITS commands of others, a demand fetch for `DEMAND_WAITS.
//
// Prefetches and writes that are not due may wait as long as others have more urgent things to do;
// the write buffer becomes urgent when it is full, and nothing passes MB (back_progress.sv).
module arbiter (input clk);
  `include "core.svh"
  `include "loadstore_state.svh"
  `include "access_rules.svh"
  `include "lookup_state.svh"
  `observe(core.loadStore_1.arbiter, missed_ = missed, loadWaits, loadBuffered, loads = loadGoes,
    loadDone, write = write_valid, writeThere = hasWrite, writes = write_ready, crowded, writeDone)
  `observe(core.loadStore_1, demandReady = fetch_demand_ready, demandDone = fetch_demandRsp_valid,
    prefetch_ = fetch_prefetch_valid, prefetchReady = fetch_prefetch_ready,
    prefetchDone = fetch_prefetchRsp_valid)
  wire hold_ = core.loadStore_1.buffer_1.hold;

  wire load = loadWaits || (missed_ && tick); // a load misses in its tick
  wire demands = demand && demandReady;
  wire prefetches = prefetch_ && prefetchReady;
  wire command = memory_cmd_valid && memory_cmd_ready;
  wire [3:0] grants = {loads, demands, prefetches, writes};
  wire [3:0] answers = {loadDone, demandDone, prefetchDone, writeDone};
  reg [3:0] owed = 0; // an answer is owed to load, demand, prefetch, write
  reg [2:0] loadWaited = 0, demandWaited = 0; // others' commands since it was first wanted
  reg demanded = 0, waited = 0;
  always @(posedge clk) if (reset) {owed, loadWaited, demandWaited, demanded, waited} <= 0;
  else if (memoryMoves) begin
    if (memory_rsp_valid) owed <= 0;
    if (command) owed <= grants;
    loadWaited <= load && !loads ? loadWaited + command : 0;
    demandWaited <= demand && !demands ? demandWaited + command : 0;
    waited <= demand && !demands;
    if (tick) demanded <= demand;
  end
  wire [2:0] waitsE1 = access_valid || isStore || (isConditional && !entered);
  always @* begin
    assume (reset || (accessRules && fetchRules));
    assume (!demanded || !(access_valid || redirected)); // stage D is empty then
    if (!reset && memoryMoves) begin
      assert ((grants & (grants - 1)) == 0);
      assert ((grants != 0) == command);
      assert (!command || memoryAge == 0 || memory_rsp_valid);
      assert (answers == (memory_rsp_valid ? owed : 0));
      // The priority; and no command waits while the bus would take it.
      if (memory_cmd_ready) begin
        if (write && crowded) assert (writes);
        else if (load && loadBuffered && writeThere) assert (writes);
        else if (load && !loadBuffered) assert (loads);
        else if (demand) assert (demands);
        else if (prefetch_) assert (prefetches);
        else if (write) assert (writes);
      end
    end
    if (!reset) begin
      assert (loadStoreState && alone && lookupState);
      assert ((owed != 0) == busBusy);
      assert (owed == (busBusy ? 4'd1 << (busKind == `MemoryKind_load ? 3 :
        busKind == `MemoryKind_fetch ? 2 : busKind == `MemoryKind_prefetch ? 1 : 0) : 4'd0));
      assert (!load || loadWaited + unsent + lookupHit <= `LOAD_WAITS);
      assert (loadWaits || loadWaited == 0);
      assert (waited || demandWaited == 0);
      assert (!waited || demandWaited + unsent + waitsE1 + loadWaits <= `DEMAND_WAITS);
    end
  end
endmodule
