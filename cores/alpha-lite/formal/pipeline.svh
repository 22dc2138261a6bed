// SPDX-License-Identifier: BSD-2-Clause
// What the pipeline does, by the names that properties use: the instruction in D, what is known of
// it in E1, writes of registers at the end and late ones. The decoder is cut: control.svh holds.
// Included behind core.svh.
  wire go = core.pipeline_1.issue_go;
  wire [31:0] word = core.pipeline_1.fetched_payload_instruction;
  wire [16:0] kind = core.pipeline_1.decode_decoder_control_kind;
  wire [1:0] destination = core.pipeline_1.decode_decoder_control_destination;
  wire locked = core.pipeline_1.decode_decoder_control_locked;
  wire legal = core.pipeline_1.decode_decoder_control_legal;
  `include "control.svh"
  `include "cache_rules.svh"
  always @* assume (cacheRules);
  wire [1:0] writeKind = core.loadStore_1.buffer_1_cmd_payload_kind;
  always @* begin
    assume (!legal || sane);
    assume (writeKind == `MemoryKind_write);
  end
  wire [4:0] named = destination == `Destination_ra ? word[25:21] :
    destination == `Destination_rc ? word[4:0] : 31; // 31: it writes no register

  wire e1_valid = core.pipeline_1.e1Valid;
  wire met = core.pipeline_1.execute_met;
  wire isLate = core.pipeline_1.execute_isLate;

  wire e3_writes = core.pipeline_1.e3_writes;
  wire [4:0] e3_register = core.pipeline_1.e3_register;
  wire late_valid = core.pipeline_1.late_write_valid;
  wire [4:0] late_register = core.pipeline_1.late_write_payload_register;
  wire load_done = core.pipeline_1.loadStore_lateLoad_valid;
  wire product_valid = core.pipeline_1.multiplier_1_rsp_valid;
  wire product_taken = core.pipeline_1.registers_product_ready;
  wire product_done = product_valid && product_taken; // else the write port is another's
