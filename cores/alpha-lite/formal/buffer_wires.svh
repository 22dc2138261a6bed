// SPDX-License-Identifier: BSD-2-Clause
// What goes in and out of the core's write buffer.
  wire store_valid = core.loadStore_1.buffer_1_store_valid;
  wire store_ready = core.loadStore_1.buffer_1_store_ready;
  wire merged = core.loadStore_1.buffer_1_merged;
  wire full = core.loadStore_1.buffer_1_full;
  wire empty = core.loadStore_1.buffer_1_empty;
  wire crowded = core.loadStore_1.buffer_1_crowded;
  wire drain = core.loadStore_1.buffer_1_drain;
  wire lookupHit = core.loadStore_1.buffer_1_lookupHit;
  wire cmd_valid = core.loadStore_1.buffer_1_cmd_valid;
  wire cmd_ready = core.loadStore_1.arbiter_write_ready;
  wire done = core.loadStore_1.arbiter_writeDone;
