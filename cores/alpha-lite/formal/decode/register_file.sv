// SPDX-License-Identifier: BSD-2-Clause
// The register file: register R reads as the value written last; of two writes in one tick, the
// late load's value counts. R is any register but r31, with all 64 bits. Proof `completion` shows
// that no load comes while another is held and the port is in use.
module register_file (input clk);
  `include "core.svh"
  (* anyconst *) wire [4:0] R;
  `observe(core.pipeline_1, e3_writes, e3_register, e3_value = e3Result,
    load = loadStore_lateLoad_valid, product_valid = multiplier_1_rsp_valid,
    product_taken = registers_product_ready, held_valid = registers_holds,
    late_register = late_write_payload_register, late_value = late_write_payload_value,
    portA = decode_ra, portB = decode_rb, valueA = registers_readA_value,
    valueB = registers_readB_value)
  reg [63:0] held;
  reg known = 0; // R was written since reset
  wire late = (load || (product_valid && product_taken)) && late_register == R;
  wire end_ = e3_writes && e3_register == R;
  always @(posedge clk) begin
    if (reset) known <= 0;
    else if (tick && (late || end_)) begin
      known <= 1;
      held <= late ? late_value : e3_value;
    end
  end
  always @* begin
    assume (R != 31 && !(load && held_valid && e3_writes));
    assume (portA == R && portB == R); // reading changes nothing: the ports read R in every clock
    if (known && !reset) assert (valueA == held && valueB == held);
  end
endmodule
