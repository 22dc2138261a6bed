// SPDX-License-Identifier: BSD-2-Clause
// The core on an FPGA has a clock without a tick for what E1 and D know late and rarely: in every
// tick, what then comes from registers is what the gates say that the simulated core uses.
module second_clock (input clk);
  `include "core.svh"
  wire valid = core.pipeline_1.fetched_valid;
  wire [31:0] word = core.pipeline_1.fetched_payload_instruction;
  wire [16:0] kind = core.pipeline_1.decode_decoder_control_kind;
  wire isBarrier = core.pipeline_1.decode_isBarrier;
  wire e1_valid = core.pipeline_1.e1Valid;
  wire e1_special = core.pipeline_1.e1_special;
  wire e1_checked = core.pipeline_1.e1_checked;
  wire [63:0] special = core.pipeline_1.execute_special;
  wire [63:0] result = core.pipeline_1.execute_result;
  wire overflowed = core.pipeline_1.execute_overflowed;
  wire sumOverflows = core.pipeline_1.execute_alu_overflowed;
  wire flush = core.pipeline_1.pal_flush;
  wire flushes = core.pipeline_1.pal.flushes;
  wire starting = core.pipeline_1.pal.starting;
  wire starts = core.pipeline_1.pal.starts;
  wire astray = core.pipeline_1.execute_astray;
  wire branching = core.pipeline_1.branching;
  wire demanding = core.pipeline_1.demanding;
  wire drain = core.pipeline_1.loadStore_drain;

  // The fetch unit is cut: D's instruction stays until a tick, and its decoding with it.
  reg stays = 0;
  reg [31:0] word0;
  reg [16:0] kind0;
  always @(posedge clk) {stays, word0, kind0} <= {valid && !tick && !reset, word, kind};
  always @* assume (!stays || (valid && word == word0 && kind == kind0));
  // So is the multiplier, which moves in ticks.
  wire product = core.pipeline_1.multiplier_1_rsp_valid;
  wire [4:0] productRegister = core.pipeline_1.multiplier_1_rsp_payload_register;
  wire productA = core.pipeline_1.decode_bypassA.product_valid;
  wire productB = core.pipeline_1.decode_bypassB.product_valid;
  reg still = 0, product0;
  reg [4:0] register0;
  always @(posedge clk) {still, product0, register0} <= {!tick && !reset, product, productRegister};
  always @* assume (!still || (product == product0 && productRegister == register0));
  function isProduct(input [4:0] register);
    isProduct = valid && product && productRegister == register && register != 31;
  endfunction

  // MB and WMB have opcode 18 hex (proof decoder).
  always @* assume (!(kind & `Kind_barrier) || word[31:26] == 6'h18);

  always @* if (!reset && tick) begin
    assert (!(e1_valid && e1_special) || result == special);
    assert (overflowed == (e1_valid && e1_checked && sumOverflows));
    assert (flush == flushes && starting == starts);
    assert (!(demanding || drain) || branching == astray);
    assert (productA == isProduct(word[25:21]) && productB == isProduct(word[20:16]));
    assert (isBarrier == (valid && (kind & `Kind_barrier) != 0));
  end

  // ---- what keeps it so
  wire e1_issued = core.pipeline_1.e1_issued;
  wire e1_turns = core.pipeline_1.e1_turns;
  wire [16:0] e1_kind = core.pipeline_1.e1_control_kind;
  wire [16:0] turning = `Kind_branch | `Kind_jump | `Kind_callPal | `Kind_palReturn;
  always @* if (!reset) assert (!e1_issued || e1_turns == ((e1_kind & turning) != 0));
endmodule
