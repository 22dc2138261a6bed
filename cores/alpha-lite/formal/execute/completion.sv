// SPDX-License-Identifier: BSD-2-Clause
// Completion: an instruction that issues writes its register once, with its number and its slot;
// nothing else writes a register.
//
// One instruction that issues is chosen and followed to stage W, or to its late result. Writes at
// the end of the pipeline and late ones are also counted against what issued.
module completion (input clk, input pick);
  `include "core.svh"
  `include "pipeline.svh"
  wire [9:0] slotNow = core.pipeline_1.issue_slot;

  `observe(core.pipeline_1, w_valid, w_slot, late_slot, held = registers_holds)
  wire last = core.pipeline_1.multiplier_1.last;

  // Instructions that issued one to four ticks ago and will write in stage W.
  reg e1 = 0, e1Move, e1Late, e1Multiply, e2 = 0, e3 = 0;
  reg loads = 0; // late loads under way
  reg [1:0] products = 0; // multiplies under way
  wire e1Writes = e1 && !misplaced && !e1Multiply && !(e1Move && !met) && !isLate;
  wire [1:0] productsLeft = products - product_done;
  // The chosen instruction.
  reg chosen = 0, inE1 = 0, inE2 = 0, inE3 = 0, inW = 0, inLoad = 0, inMultiply = 0, will = 0;
  reg [1:0] ahead = 0;
  reg [4:0] register = 0;
  reg [9:0] slot = 0;
  wire now = go && pick && !chosen;
  always @(posedge clk) if (tick && !reset) begin
    e1 <= go && named != 31;
    e1Move <= kind == `Kind_cmov;
    e1Multiply <= kind == `Kind_multiply;
    {e2, e3} <= {e1Writes, e2};
    loads <= isLate || (loads && !load_done);
    products <= productsLeft + (go && kind == `Kind_multiply);
    if (now) begin
      chosen <= 1;
      {register, slot} <= {named, slotNow};
    end
    inE1 <= now;
    inE2 <= inE1 && !isLate && !e1Multiply;
    {inE3, inW} <= {inE2, inE3};
    if (inE1) will <= e1Writes;
    inLoad <= (inE1 && isLate) || (inLoad && !load_done);
    if (inE1 && e1Multiply) {inMultiply, ahead} <= {1'b1, productsLeft - 2'd1};
    else if (inMultiply && product_done) {inMultiply, ahead} <= {ahead != 0, ahead - 2'd1};
  end

  always @* assume (!(inE1 && misplaced)); // the chosen instruction issues
  // No two values of one register are under way.
  `observe(core.pipeline_1, loadRegister = loadStore_lateLoad_payload_register,
    productRegister = multiplier_1_rsp_payload_register)
  wire loadMeets = load_done && e3_writes && e3_register == loadRegister;
  wire productMeets = product_valid && e3_writes && e3_register == productRegister;
  wire bothMeet = load_done && product_valid && loadRegister == productRegister;
  always @* if (!reset) assert (!bothMeet || loadRegister == 31);
  always @* if (!reset && tick) begin
    assert (!loadMeets && !productMeets);
    assert (e3_writes == e3);
    assert (!inW || (w_valid && w_slot == slot));
    assert (!inE3 || (e3_writes == will && (!will || e3_register == register)));
    assert (!load_done || loads);
    assert (!isLate || !loads || load_done);
    assert (!product_done || products != 0);
    assert (late_valid == (load_done || product_done));
    // The write port: a late load finds nothing held, a product its place empty.
    assert (!(load_done && held && e3_writes));
    assert (!(last && product_valid && !product_taken));
    assert (!load_done || !product_done);
    assert (!(inLoad && load_done) || (late_register == register && late_slot == slot));
    assert (!(inMultiply && product_done && ahead == 0) ||
      (late_register == register && late_slot == slot));
  end
endmodule
