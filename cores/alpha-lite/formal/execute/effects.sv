// SPDX-License-Identifier: BSD-2-Clause
// Effects: an instruction that issues has each of its effects once; nothing else has effects.
//
// Registers, PAL registers, the lock flag, what goes to memory, I/O and write buffer: each change
// is traced back to the instruction that issued for it. With proofs order and traps: everything
// before a trap takes effect, nothing after it does.
module effects (input clk, input pick);
  `include "core.svh"
  `include "pipeline.svh"
  // ---- stage D
  wire trap = core.pipeline_1.issue_trap;

  // ---- the effects that the instruction in E1 may have
  reg left = 0, trappedInD = 0, isLocked;
  wire went = left && !misplaced, trapped = trappedInD || misplaced;
  reg [16:0] what;
  reg [4:0] register, ra;
  wire can = went && !reset;
  wire isLoad = can && what == `Kind_load && ra != 31;
  wire isStore = can && what == `Kind_store;
  always @(posedge clk) if (tick) begin
    left <= go && !reset;
    trappedInD <= trap && !reset;
    {what, register, ra, isLocked} <= {kind, named, word[25:21], locked};
  end
  `observe(core.pipeline_1, taken = execute_taken, access = loadStore_access_valid,
    accessStore = loadStore_access_payload_store, breaks = loadStore_breakLock,
    palWrites = pal_write_valid, palTraps = pal_trap_valid, palFaults = pal_fault_valid,
    palFlags = pal_readFlag_valid, palBreaks = pal_breakFlag)
  always @* if (!reset && tick) begin
    assert (e1_valid == went);
    assert (access == (isLoad || isStore));
    assert (!access || accessStore == isStore);
    assert (palWrites == (went && what == `Kind_palWrite));
    assert (palFlags == (went && what == `Kind_flag));
    assert (palFaults == misplaced);
    assert (!misplaced || left);
    assert (palTraps == (trapped || (went && what == `Kind_callPal)));
    assert (palBreaks == (went && what == `Kind_palReturn));
    assert (breaks == (trapped || palBreaks));
    assert (!taken || went);
  end

  // ---- the lock flag: LDx_L sets it, nothing else; STx_C, traps and HW_REI clear it
  wire lockFlag = core.loadStore_1.locks_1.flag;
  reg expected;
  always @(posedge clk) begin
    if (reset) expected <= 0;
    else if (tick) begin
      if (access && isLocked) expected <= isLoad;
      if (breaks) expected <= 0;
    end
  end
  always @* if (!reset) assert (!lockFlag || expected);

  // ---- plain stores: into the write buffer, at once or as the one that waits; each once, in order
  wire enters = core.loadStore_1.buffer_1_store_fire;
  wire fire = enters && pending != `Wait_1_conditional; // STx_C's store is not a plain one
  `observe(core.loadStore_1, ready = buffer_1_store_ready, fireAddress = wanted)
  `observe(core.pipeline_1, physical = loadStore_access_payload_address, data = execute_storeData)
  `observe(core.loadStore_1, pending, jobAddress = job_address, jobData = job_data)
  wire wanted = isStore && tick && physical[33:32] == 0 && !isLocked;
  reg waits = 0, fired = 0;
  reg [33:0] waitAddress;
  reg [63:0] waitData, firedData; // its data come from `job_data`, a clock later
  always @(posedge clk) begin
    fired <= fire && !reset;
    firedData <= waits ? waitData : data;
  end
  always @(posedge clk) if (!reset) begin
    if (wanted && !fire) begin
      waits <= 1;
      waitAddress <= physical;
      waitData <= data;
    end else if (fire) waits <= 0;
  end
  always @* if (!reset) begin
    assert (!(waits && wanted));
    assert (!fire || (waits || wanted));
    assert (!fire || fireAddress == (waits ? waitAddress : physical));
    assert (!fired || jobData == firedData);
    assert (!tick || fire == ((waits || wanted) && ready));
    assert (waits == (pending == `Wait_1_store));
    assert (!waits || (jobAddress == waitAddress && jobData == waitData));
  end
endmodule
