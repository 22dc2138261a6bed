// SPDX-License-Identifier: BSD-2-Clause
// The memory arbiter: one grant at a time, by the stated priority; an answer goes to whom it is for.
module arbiter (input clk);
  `include "core.svh"
  wire load = core.loadStore_1.arbiter_load_valid;
  wire loadReady = core.loadStore_1.arbiter.load_ready;
  wire demand = core.loadStore_1.fetch_demand_valid;
  wire demandReady = core.loadStore_1.fetch_demand_ready;
  wire prefetches = core.loadStore_1.fetch_prefetch_valid;
  wire prefetchReady = core.loadStore_1.fetch_prefetch_ready;
  wire write = core.loadStore_1.buffer_1_cmd_valid;
  wire writeReady = core.loadStore_1.arbiter_write_ready;
  wire writeFirst = core.loadStore_1.arbiter_writeFirst;
  wire loadDone = core.loadStore_1.arbiter_loadDone;
  wire writeDone = core.loadStore_1.arbiter_writeDone;
  wire demandDone = core.loadStore_1.fetch_demandRsp_valid;
  wire prefetchDone = core.loadStore_1.fetch_prefetchRsp_valid;
  wire [1:0] writeKind = core.loadStore_1.buffer_1_cmd_payload_kind;

  wire loads = load && loadReady;
  wire demands = demand && demandReady;
  wire prefetched = prefetches && prefetchReady;
  wire writes = write && writeReady;
  wire command = memory_cmd_valid && memory_cmd_ready && memoryMoves;
  reg [3:0] owed = 0; // to load, demand, prefetch, write
  wire [3:0] grants = {loads, demands, prefetched, writes};
  wire [3:0] answers = {loadDone, demandDone, prefetchDone, writeDone};
  always @(posedge clk) begin
    if (reset) owed <= 0;
    else begin
      if (memory_rsp_valid && memoryMoves) owed <= 0;
      if (command) owed <= grants;
    end
  end
  always @* begin
    assume (writeKind == `MemoryKind_write);
    if (!reset) begin
      assert ((grants & (grants - 1)) == 0);
      assert ((grants != 0) == command);
      assert ((owed != 0) == (memoryAge != 0));
      assert (!command || memoryAge == 0 || memory_rsp_valid);
      assert (answers == ((memory_rsp_valid && memoryMoves) ? owed : 0));
      assert (!loads || !(write && writeFirst));
      assert (!demands || (!load && !(write && writeFirst)));
      assert (!prefetched || (!load && !demand && !(write && writeFirst)));
      assert (!writes || writeFirst || !(load || demand || prefetches));
    end
  end
endmodule
