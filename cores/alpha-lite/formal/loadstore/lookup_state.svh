// SPDX-License-Identifier: BSD-2-Clause
// Invariants of the registers that have what comes late of an access (`Lookup`, `SortedAccess`,
// `LateValue`), behind access_rules.svh and loadstore_state.svh.
  `observe(core.loadStore_1.lookup_1, lookDone = done, lookMissing = isMissing, matched,
    left)
  `observe(core.loadStore_1, sorted_valid, sorted_load, sorted_store, sorted_conditional,
    valueReady, coming, ioReady, ioAnswers, ioHeard, lookupHit = buffer_1_lookupHit)
  `observe(core.loadStore_1.buffer_1, takers, taker, mayTake)
  wire taken = core.loadStore_1.lookup_1.taken;
  wire sought = isFill && !sent; // a load waits for the bus
  wire a_uncached = a_address[33:32] != 0;
  wire [3:0] kinds = {!a_uncached && !a_store, !a_uncached && a_store && !a_locked,
    a_store && a_locked, 1'b1};
  wire [3:0] sorted = {sorted_load, sorted_store, sorted_conditional, sorted_valid};
`ifdef WRITE_BACK
  wire mayMiss = access_valid && !(a_store && a_locked) && !a_uncached;
`else
  wire mayMiss = access_valid && !a_store && !a_uncached;
`endif
  wire lookupState = (!lookDone || (stands && matched == lookupHit &&
      (turns || a_revoked || a_voided || (taker == takers && taken == mayTake)))) &&
    (!ideal || (a_holding == (isFill || !isEmpty) && !(isFill && (matched || !isEmpty)))) &&
    (!sought || (left ? matched || !lookupHit : matched == lookupHit)) &&
    (!lookMissing || (!idealActive && (a_revoking || mayMiss))) &&
    (sorted == 0 || (stands && (a_revoking || access_valid) && sorted == kinds)) &&
    (!(tick && access_valid) || sorted == kinds) && ioReady == (ioHeard && ioAnswers) &&
    (!ioHeard || (stands && isIo && sent)) &&
    (!valueReady || (stands && coming));
