// SPDX-License-Identifier: BSD-2-Clause
// The register file: register R reads as what was written there last; of two writes in one tick,
// as the late load's. Any R but r31, all 64 bits. That no load comes while one is held and the port
// in use is proof completion's.
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
  reg known = 0; // it was written since reset
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
    assume (portA == R && portB == R); // reading changes nothing, so we may look all the time
    if (known && !reset) assert (valueA == held && valueB == held);
  end
endmodule
