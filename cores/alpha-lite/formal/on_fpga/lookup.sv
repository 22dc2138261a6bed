// SPDX-License-Identifier: BSD-2-Clause
// The core on an FPGA has a clock without a tick for the lookup of E1's access: in every tick, the
// registers that hold the lookup say what the gates say that the simulated core uses. Nothing else
// differs between the two but when events are told, so what is proven of one holds for the other.
//
// Not with ideal memory, whose fills move in clocks, and not of a load that has missed and waits
// for the bus: there the RTL's own assertion says the same, in simulation.
module lookup (input clk);
  `include "core.svh"
  always @* assume (!ideal);
  wire legal = core.pipeline_1.decode_decoder_control_legal; // the decoder is cut
  wire [16:0] kind = core.pipeline_1.decode_decoder_control_kind;
  always @* assume (!legal || (kind & (kind - 1)) == 0); // proof decoder
  wire access = core.loadStore_1.access_valid;
  wire store = core.loadStore_1.access_payload_store;
  wire uncached = core.loadStore_1.uncached;
  wire cacheHit = core.loadStore_1.cache_hit;
  wire missed = core.loadStore_1.missed;
  wire miss = core.loadStore_1.missEvent;
  wire storeE1 = core.loadStore_1.isStore;
  wire refused = core.loadStore_1.refused;
  wire storeReady = core.loadStore_1.buffer_1_store_ready;
  wire lookupHit = core.loadStore_1.buffer_1_lookupHit;
  wire loadBuffered = core.loadStore_1.arbiter.loadBuffered;
  wire misses = access && !store && !uncached && !cacheHit;
  always @* if (!reset && tick) begin
    assert (miss == misses && missed == misses);
    assert (refused == (storeE1 && !storeReady));
    assert (loadBuffered == lookupHit || !(access && !store));
  end

  // ---- what keeps it so
  wire done = core.loadStore_1.lookup_1.done;
  wire missesBefore = core.loadStore_1.lookup_1.missesBefore;
  wire isBuffered = core.loadStore_1.lookup_1.isBuffered;
  wire [3:0] entries = core.loadStore_1.lookup_1.entries;
  wire [3:0] matched = core.loadStore_1.buffer_1_matched;
  // E1's access has just become a trap: one clock more is held.
  wire revoked = core.pipeline_1.revoke_done;
  wire ripe_ = core.pipeline_1.revoke_ripe;
  wire misplaced = core.pipeline_1.revoke_misplaced;
  wire revoking = revoked && !ripe_;
  wire e1_issued = core.pipeline_1.e1_issued;
  wire e1_memory = core.pipeline_1.e1_memory;
  wire e1_load = core.pipeline_1.e1_load;
  wire e1_store = core.pipeline_1.e1_store;
  wire [16:0] e1_kind = core.pipeline_1.e1_control_kind;
  always @* if (!reset) begin
    assert (!done || (isBuffered == lookupHit && entries == matched));
    assert ((!revoked || misplaced) && (!ripe_ || revoked));
    assert (!done || revoking || missesBefore == misses);
    assert (!e1_issued || (e1_memory == (e1_load || e1_store)));
    assert (!e1_issued || (e1_store == ((e1_kind & `Kind_store) != 0)));
    assert (!e1_issued || !(e1_load && e1_store));
  end
endmodule
