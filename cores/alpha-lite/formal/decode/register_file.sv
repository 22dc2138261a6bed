// SPDX-License-Identifier: BSD-2-Clause
// The register file: in every tick register R reads as the value written last. A late value counts
// from its tick on: a load's from the tick in which it comes, a product from the tick in which the
// product is there, though it may wait for the port. R is any register but r31, with all 64 bits.
module register_file (input clk);
  `include "core.svh"
  `include "loadstore_state.svh"
  `include "access_rules.svh"
  `include "lookup_state.svh"
  always @* assume (reset || (accessRules && fetchRules));
  (* anyconst *) wire [4:0] R;
  `observe(core.pipeline_1, e3_writes, e3_register, e3_value = e3Result,
    load = loadStore_lateLoad_valid, loadRegister = loadStore_lateLoad_payload_register,
    loadValue = loadStore_lateLoad_payload_value, product_valid = multiplier_1_rsp_valid,
    product_comes = multiplier_1_comes,
    productRegister = multiplier_1_rsp_payload_register,
    productValue = multiplier_1_rsp_payload_value,
    portA = decode_ra, portB = decode_rb, valueA = registers_readA_value,
    valueB = registers_readB_value)
  wire loads = load && loadRegister == R, products = product_valid && productRegister == R;
  wire ends = e3_writes && e3_register == R;
  reg [63:0] value;
  reg known = 0; // R was written since reset
  always @(posedge clk) begin
    if (reset) known <= 0;
    else if (tick && (loads || products || ends)) begin
      known <= 1;
      value <= loads ? loadValue : products ? productValue : e3_value;
    end
  end
  // The multiplier is cut: what it has changes with a tick, in which it says whether a product is
  // there afterwards. An answer's data stay with the answer.
  reg [69:0] product0;
  reg comes0; // in the last tick, and after reset
  reg [319:0] data0;
  wire [69:0] product = {product_valid, productRegister, productValue};
  wire [319:0] data = {memory_rsp_payload_data, io_rsp_payload_data};
  always @(posedge clk) begin
    {product0, data0} <= {product, data};
    if (reset || tick) comes0 <= !reset && product_comes;
  end
  always @* begin
    assume (R != 31);
    assume (!stands || product == product0);
    assume (reset || product_valid == comes0);
    assume (!stands || !answer0[0] || data[319:64] == data0[319:64]);
    assume (!stands || data[63:0] == data0[63:0]);
    assume (portA == R && portB == R); // reading changes nothing: the ports read R in every clock
    // No two writes of one register are under way (proof completion).
    assume (!(loads && products) && !(tick && ends && (loads || products)));
    if (!reset && tick) begin
      if (loads) assert (valueA == loadValue && valueB == loadValue);
      else if (products) assert (valueA == productValue && valueB == productValue);
      else if (known) assert (valueA == value && valueB == value);
    end
  end

  // ---- invariants of the induction
  wire owes = core.pipeline_1.registers.early_owes;
  wire written = product_valid && !owes;
  always @* if (!reset) begin
    assert (valueA == valueB && loadStoreState && alone && lookupState);
    assert (!load || (stands && coming && (!loads || valueA == loadValue)));
    assert (!owes || product_valid);
    assert (!written || (stands && (!products || valueA == productValue)));
    if (known) assert (valueA == value || (loads && valueA == loadValue) ||
      (products && valueA == productValue));
  end
endmodule
