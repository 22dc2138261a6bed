// SPDX-License-Identifier: BSD-2-Clause
// No stale operand is ever read.
//
// One instruction that writes register R is chosen, any one; V is the value it reports to the
// retire queue, whenever that may be. Until a younger instruction writes R, whoever reads R must
// have got V. Values themselves are free: ALU, shifter, multiplier, caches and memory may say what
// they like, instructions come in any order, responses in any later tick.
module operands (input clk, input pick);
  `include "core.svh"
  `include "pipeline.svh"

  // A product takes any time: the multiplier's count is free. None comes while the last one waits
  // (proof completion).
  `observe(core.pipeline_1.multiplier_1, multiplies = running, left, last, far)
  always @* begin
    assume (far == (left > 2)); // asserted in the RTL
    assume (!multiplies || left >= 2);
    assume (!(last && product_valid && !product_taken));
  end

  wire [4:0] R = `REGISTER;
  (* anyconst *) wire V;

  // ---- what the instruction in D reads and writes (the control word is proof decoder's)
  wire [4:0] ra = word[25:21], rb = word[20:16], rc = word[4:0];
  wire literal = word[31:28] == 4 && word[12];
  wire toNothing = kind == `Kind_load && ra == 31; // a load to r31 does nothing
  reg readA, readB, isStore, isMove, namesR; // of the instruction in E1
  always @(posedge clk) if (tick) begin
    readA <= readsA && ra == R;
    readB <= readsB && !literal && !toNothing && rb == R;
    isStore <= kind == `Kind_store;
    isMove <= kind == `Kind_cmov;
    namesR <= destination == `Destination_ra && ra == R ||
      destination == `Destination_rc && rc == R;
  end

  // ---- E1
  `observe(core.pipeline_1, e1_a, e1_b, storeData = execute_storeData,
    isMultiply = execute_isMultiply)
  wire addresses = e1_valid || misplaced; // an unaligned access reports its address
  wire [63:0] a = isStore ? storeData : e1_a;
  wire wrong = (e1_valid && readA && a[`BIT] != V) || (addresses && readB && e1_b[`BIT] != V);
  wire writes = e1_valid && namesR && !(isMove && !met);

  // ---- the register file, as far as register R goes (proof register_file)
  `observe(core.pipeline_1, w_value, e3_value = e3Result, late_value = late_write_payload_value,
    portA = decode_ra, portB = decode_rb, valueA = registers_readA_value,
    valueB = registers_readB_value, loadRegister = loadStore_lateLoad_payload_register,
    loadValue = loadStore_lateLoad_payload_value,
    productRegister = multiplier_1_rsp_payload_register,
    productValue = multiplier_1_rsp_payload_value)
  wire loads = load_done && loadRegister == R, products_ = product_valid && productRegister == R;
  reg [63:0] held;
  wire [63:0] read = loads ? loadValue : products_ ? productValue : held;
  always @(posedge clk) if (tick) held <=
    !loads && !products_ && e3_writes && e3_register == R ? e3_value : read;
  always @* begin
    assume (!tick || portA != R || valueA == read);
    assume (!tick || portB != R || valueB == read);
  end

  // ---- the chosen instruction in E2, E3, W, or its load or product that is to come
  reg chosen = 0, latest = 0, inE2 = 0, inE3 = 0, inW = 0, inLoad = 0, inMultiply = 0;
  reg done = 0, bad = 0;
  reg [1:0] products = 0, ahead = 0; // multiplies under way; those before the chosen one
  wire [1:0] productsLeft = products - product_done;
  wire now = writes && pick && !chosen;
  wire finish = inW || (inLoad && load_done) || (inMultiply && product_done && ahead == 0);
  always @(posedge clk) if (tick && !reset) begin
    products <= productsLeft + isMultiply;
    if (writes) latest <= now;
    if (now) begin
      chosen <= 1;
      inE2 <= !isLate && !isMultiply;
      inLoad <= isLate;
      inMultiply <= isMultiply;
      ahead <= productsLeft;
    end else begin
      inE2 <= 0;
      if (load_done) inLoad <= 0;
      if (product_done && ahead == 0) inMultiply <= 0;
      if (product_done && ahead != 0) ahead <= ahead - 1;
    end
    inE3 <= inE2;
    inW <= inE3;
    if (finish) done <= 1;
    if (latest && wrong) bad <= 1;
  end
  always @* begin
    assume (!(tick && finish) || (inW ? w_value[`BIT] : late_value[`BIT]) == V);
    assert (!(bad && done));
  end
endmodule
