// SPDX-License-Identifier: BSD-2-Clause
// What the pipeline does, by the names that properties use: the instruction in D, what is known of
// it in E1, writes of registers at the end and late ones. The decoder is cut: control.svh holds.
// Included behind core.svh.
  `observe(core.pipeline_1, go = issue_issues, word = fetched_payload_instruction,
    kind = decode_decoder_control_kind, destination = decode_decoder_control_destination,
    locked = decode_decoder_control_locked, legal = decode_decoder_control_legal,
    readsA = decode_decoder_control_readsA, readsB = decode_decoder_control_readsB)
  `include "control.svh"
  `include "front_rules.svh"
  always @* assume (frontRules);
  // The write buffer, which is cut (proof write_buffer).
  `observe(core.loadStore_1, writeKind = buffer_1_cmd_payload_kind, plainStore = isStore,
    storeTaken = lookup_1_taken, storeReady = buffer_1_store_ready)
  always @* begin
    assume (!legal || sane);
    assume (writeKind == `MemoryKind_write);
    assume (!plainStore || storeTaken == storeReady);
  end
  wire [4:0] named = destination == `Destination_ra ? word[25:21] :
    destination == `Destination_rc ? word[4:0] : 31; // 31: it writes no register

  `observe(core.pipeline_1, e1_valid = e1Valid, met = execute_met, isLate = execute_isLate)

  `observe(core.pipeline_1, e3_writes, e3_register, late_valid = late_write_valid,
    late_register = late_write_payload_register, load_done = loadStore_lateLoad_valid,
    product_valid = multiplier_1_rsp_valid, product_taken = registers_product_ready)
  wire misplaced = core.pipeline_1.revoke_misplaced; // what has left D is revoked: it did not issue
  wire product_done = product_valid && product_taken; // else the write port is another's
