// SPDX-License-Identifier: BSD-2-Clause
// The load-store unit's registers and their invariants (with buffer_state.svh). Each proof that
// includes them shows them by induction.
  `include "buffer_state.svh"
  `observe(core.loadStore_1, pending, sent, jobStore = job_store, jobLocked = job_locked,
    jobAddress = job_address, ripe = verdictRipe)
  `observe(core.loadStore_1.locks_1, armed, same, guarded = guarded_1, entered, compared,
    lockWaits = early_waits, exposed = early_exposed)
  `observe(core.loadStore_1.arbiter, busBusy = busy, busKind = kind_1)
  wire isNone = pending == `Wait_1_none, isFill = pending == `Wait_1_fill;
  wire isIo = pending == `Wait_1_io, isStore = pending == `Wait_1_store;
  wire isConditional = pending == `Wait_1_conditional, isVerdict = pending == `Wait_1_verdict;
  wire held = core.loadStore_1.held;
  wire loadStoreState = bufferState && pending <= `Wait_1_verdict && held == !isNone &&
    // the transactions on the buses
    (!ideal || memoryAge == 0 || idealActive) &&
    busBusy == (memoryAge != 0) && sending == (busBusy && busKind == `MemoryKind_write) &&
    (isFill && sent) == (busBusy && busKind == `MemoryKind_load) &&
    (isIo && sent) == (ioAge != 0) && (!sent || isFill || isIo) &&
    // STx_C
    (!(isConditional || isVerdict) || (jobStore && jobLocked)) && (!ripe || isVerdict) &&
    (!compared || isConditional || isVerdict || isIo) &&
    (!entered || ((armed && same) || lockWaits || stale) && (!ideal || stands || stale)) &&
    (!(lockWaits || exposed) || entered || unsent == 0) &&
    (!(isConditional && compared) || same == (jobAddress[33:5] == guarded)) &&
    (!entered || (isConditional && compared && used == 1 && !sending && jobAddress[33:32] == 0));
