// SPDX-License-Identifier: BSD-2-Clause
// A request of the host link ends once its bytes have come. `rank` falls in each clock in which the
// other side does its part, and never rises before the link looks for a new request. So the request
// ends if neither side withholds its part for ever.
module request_ends (input clk);
  HostLink dut (.*);
  `observe(dut, state = machine_stateReg, count, left = replyBytes, refuse, arrived, served, argument)

  // The work that is left: a phase, its bytes to come or to go, steps for the next byte.
  reg [2:0] phase;
  reg [4:0] steps;
  reg given; // the other side does its part in this clock
  always @* begin
    {phase, steps, given} = {3'd0, 5'd0, 1'b1};
    case (state)
      `machine_arguments: {phase, given} = {3'd7, count == 0 || fromHost_valid};
      `machine_dispatch: phase = 3'd6;
      `machine_registerAsk: {phase, steps} = {3'd5, 5'd2};
      `machine_registerWait: {phase, steps} = {3'd5, 5'd1};
      `machine_registerAnswer: phase = 3'd5;
      `machine_dataIn: {phase, given} = {3'd4, count == 0 || fromHost_valid};
      `machine_store: {phase, steps, given} = {3'd4, 5'd1, backing_cmd_ready || refuse};
      `machine_crcIn: {phase, given} = {3'd3, fromHost_valid};
      `machine_crcCheck: phase = 3'd2;
      `machine_dataOut: {phase, steps, given} = {3'd1, left + 5'd3, left == 0 || toHost_ready};
      `machine_fetch: {phase, steps, given} = {3'd1, 5'd2, backing_cmd_ready};
      `machine_fetched: {phase, steps, given} = {3'd1, 5'd1, arrived};
      `machine_replying: {steps, given} = {5'd1 + left, left == 0 || toHost_ready};
    endcase
  end
  // `count` is valid while its bytes are awaited or sent.
  wire counts = phase == 7 || phase == 4 || phase == 3 || phase == 1;
  wire [23:0] rank = {phase, counts ? count : 16'd0, steps};
  wire idle = state == `machine_waiting;
  wire sends = state == `machine_dataOut || state == `machine_replying;

  reg known = 0, running = 0, gave = 0, asked = 0; // after a reset; values of the clock before
  reg [23:0] before;
  always @(posedge clk) begin
    if (reset) known <= 1;
    running <= known && !reset && !idle && state != `machine_BOOT;
    {gave, before} <= {given, rank};
    asked <= state == `machine_fetched && backing_rsp_valid && !reset;
  end
  always @* if (known && !reset) begin
    assert (state <= `machine_dataOut);
    if (running && !idle) assert (gave ? rank < before : rank <= before);
    if (asked) assert (arrived); // an answer is heard
    // Invariants of the induction
    assert (sends || left == 0);
    if (state == `machine_dispatch && served) assert (argument[66:64] == 0); // whole words
    if (phase == 1) assert (count[2:0] == 0);
    if (state == `machine_fetch || state == `machine_fetched) assert (count != 0);
    if (state == `machine_crcIn) assert (count != 0);
  end
endmodule
