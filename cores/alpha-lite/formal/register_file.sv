// SPDX-License-Identifier: BSD-2-Clause
// The register file: register R reads as what was written there last; of two writes in one tick,
// as the late load's. Any R but r31, all 64 bits. That no load comes while one is held and the port
// in use is proof completion's.
module register_file (input clk);
  `include "core.svh"
  (* anyconst *) wire [4:0] R;
  wire e3_writes = core.pipeline_1.e3_writes;
  wire [4:0] e3_register = core.pipeline_1.e3_register;
  wire [63:0] e3_value = core.pipeline_1.e3Result;
  wire load = core.pipeline_1.loadStore_lateLoad_valid;
  wire product_valid = core.pipeline_1.multiplier_1_rsp_valid;
  wire product_taken = core.pipeline_1.registers_product_ready;
  wire held_valid = core.pipeline_1.registers_holds;
  wire [4:0] late_register = core.pipeline_1.late_write_payload_register;
  wire [63:0] late_value = core.pipeline_1.late_write_payload_value;
  wire [4:0] portA = core.pipeline_1.decode_ra;
  wire [4:0] portB = core.pipeline_1.decode_rb;
  wire [63:0] valueA = core.pipeline_1.registers_readA_value;
  wire [63:0] valueB = core.pipeline_1.registers_readB_value;
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
