// SPDX-License-Identifier: BSD-2-Clause
// The whole core with free inputs, and the rules that its surroundings keep (contracts.md 3).
// Included in the body of a property module, which has the input `clk`.
  reg started = 0;
  always @(posedge clk) started <= 1;
  wire reset = !started;
  wire run = 1;
  (* anyconst *) wire ideal; // changes only while `run` is false
  (* anyconst *) wire [2:0] drainAt; // changes only while `run` is false
  `BLOCK core (.skip(16'd0), .coldPc_valid(1'b0), .coldPc_payload(34'd0), .*); // no cold start

  // Ticks since the command that is on the bus, 1 in the tick after it; 0: no command is on the
  // bus.
  reg [1:0] memoryAge = 0, ioAge = 0;
  wire memoryMoves = tick || ideal;
  always @(posedge clk) if (reset) {memoryAge, ioAge} <= 0;
  else begin
    if (memory_rsp_valid && memoryMoves) memoryAge <= 0;
    else if (tick && memoryAge != 0 && memoryAge != 3) memoryAge <= memoryAge + 1;
    if (memory_cmd_valid && memory_cmd_ready && memoryMoves) memoryAge <= 1;
    if (io_rsp_valid && tick) ioAge <= 0;
    else if (tick && ioAge != 0 && ioAge != 3) ioAge <= ioAge + 1;
    if (io_cmd_valid && io_cmd_ready && tick) ioAge <= 1;
  end
  always @* begin
    assume (!hold || !tick); // the governor gives no tick while `hold` is high
    // One transaction at a time; its response three ticks after the command at the earliest, with
    // ideal memory in any clock that is no tick.
    assume (!memory_rsp_valid || memoryAge == 3 || (ideal && memoryAge != 0 && !tick));
    assume (!memory_cmd_ready || memoryAge == 0 || memory_rsp_valid);
    assume (!io_rsp_valid || ioAge >= 1);
  end
