// SPDX-License-Identifier: BSD-2-Clause
// The load-store unit's registers, and what they keep to (with buffer_state.svh): proven wherever
// it stands, by induction.
  `include "buffer_state.svh"
  wire [2:0] pending = core.loadStore_1.pending;
  wire sent = core.loadStore_1.sent;
  wire jobStore = core.loadStore_1.job_store;
  wire jobLocked = core.loadStore_1.job_locked;
  wire [33:0] jobAddress = core.loadStore_1.job_address;
  wire ripe = core.loadStore_1.verdictRipe;
  wire armed = core.loadStore_1.locks_1.armed;
  wire same = core.loadStore_1.locks_1.same;
  wire [28:0] guarded = core.loadStore_1.locks_1.guarded_1;
  wire entered = core.loadStore_1.locks_1.entered;
  wire compared = core.loadStore_1.locks_1.compared;
  wire busBusy = core.loadStore_1.arbiter.busy;
  wire [1:0] busKind = core.loadStore_1.arbiter.kind_1;
  wire isNone = pending == `Wait_1_none, isFill = pending == `Wait_1_fill;
  wire isIo = pending == `Wait_1_io, isStore = pending == `Wait_1_store;
  wire isConditional = pending == `Wait_1_conditional, isVerdict = pending == `Wait_1_verdict;
  wire loadStoreState = bufferState && pending <= `Wait_1_verdict &&
    // what is on the buses
    busBusy == (memoryAge != 0) && sending == (busBusy && busKind == `MemoryKind_write) &&
    (isFill && sent) == (busBusy && busKind == `MemoryKind_load) &&
    (isIo && sent) == (ioAge != 0) && (!sent || isFill || isIo) &&
    // STx_C
    (!(isConditional || isVerdict) || (jobStore && jobLocked)) && (!ripe || isVerdict) &&
    (!compared || isConditional || isVerdict || isIo) &&
    (!(isConditional && compared) || same == (jobAddress[33:5] == guarded)) &&
    (!entered || (isConditional && compared && used == 1 && !sending && jobAddress[33:32] == 0));
