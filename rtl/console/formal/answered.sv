// SPDX-License-Identifier: BSD-2-Clause
// Each request of the host is answered in time. If the link never waits for `FAIR clocks (for a
// byte, for a byte to be taken, for RAM), the last byte of the reply goes out within
// `FAIR * (`ARGUMENTS + `STEPS + 2 * length) clocks of the request's first byte.
//
// The reply begins with the request's opcode, or with FF. A refused request has a reply too.
module answered (input clk);
  HostLink dut (.*);
  `observe(dut, state = machine_stateReg, count, left = replyBytes, refuse, arrived, served,
    argument, opcode, reply)

  wire idle = state == `machine_waiting;
  wire begins = fromHost_valid && fromHost_ready && idle;
  wire sent = toHost_valid && toHost_ready;

  // The largest number of steps that are left, and whether the other side allows a step now.
  reg [18:0] steps;
  reg given;
  wire [18:0] bytes = {2'd0, count, 1'b0}; // two steps a byte, the last three of eight among them
  always @* begin
    {steps, given} = {19'd0, 1'b1};
    case (state)
      `machine_arguments: {steps, given} = {count + 19'd2, count == 0 || fromHost_valid};
      `machine_dispatch: steps = 1;
      `machine_registerAsk: steps = 20;
      `machine_registerWait: steps = 19;
      `machine_registerAnswer: steps = 18;
      `machine_dataIn: {steps, given} = {bytes + 19'd9, count == 0 || fromHost_valid};
      `machine_store: {steps, given} = {bytes + 19'd10, backing_cmd_ready || refuse};
      `machine_crcIn: {steps, given} = {count + 19'd4, fromHost_valid};
      `machine_crcCheck: steps = 4;
      `machine_dataOut: {steps, given} = {bytes + left + 19'd7, left == 0 || toHost_ready};
      `machine_fetch: {steps, given} = {bytes + 19'd6, backing_cmd_ready};
      `machine_fetched: {steps, given} = {bytes + 19'd5, arrived};
      `machine_replying: {steps, given} = {left + 19'd1, left == 0 || toHost_ready};
    endcase
  end

  reg known = 0, ofHost = 0, replied = 0; // after a reset; in a request; in its reply
  reg [3:0] waited = 0; // clocks in which the other side did not do its part
  reg [22:0] clocks = 0; // since the request's first byte
  reg [18:0] budget = 0; // steps of the whole request
  wire [15:0] length = argument[79:64];
  always @(posedge clk) if (reset) begin
    known <= 1;
    {ofHost, replied, waited} <= 0;
  end else begin
    waited <= given || idle ? 0 : waited + 1;
    if (begins) {ofHost, replied, clocks, budget} <= {1'b1, 1'b0, 23'd1, 19'd`ARGUMENTS};
    else if (idle) ofHost <= 0;
    else begin
      clocks <= clocks + 1;
      if (sent) replied <= 1;
      if (state == `machine_dispatch) budget <= `ARGUMENTS + `STEPS + {2'd0, length, 1'b0};
    end
  end
  always @* assume (waited < `FAIR);
  always @* if (known && !reset) begin
    if (ofHost && !idle) begin
      assert (clocks + `FAIR * steps <= `FAIR * budget + waited);
      // The reply's first byte: the opcode, or FF if nothing was done.
      if (!replied && left != 0) assert (reply[7:0] == opcode || reply[7:0] == 8'hff);
      if (state == `machine_replying) assert (replied || left != 0);
    end
    if (ofHost && idle) assert (replied); // the request has been answered
    // Invariants of the induction
    assert (state <= `machine_dataOut && (state != `machine_BOOT || !ofHost));
    assert (state == `machine_dataOut || state == `machine_replying || left == 0);
    if (state == `machine_arguments) assert (count <= 14);
    if (state == `machine_dispatch && served) assert (argument[66:64] == 0);
    if (ofHost && (state == `machine_arguments || state == `machine_dispatch))
      assert (!replied && budget == `ARGUMENTS);
    if (state == `machine_dataIn || state == `machine_store || state == `machine_crcIn
      || state == `machine_crcCheck) assert (!replied && opcode == 8'h10);
    if (state == `machine_registerAsk || state == `machine_registerWait
      || state == `machine_registerAnswer) assert (!replied && opcode == 8'h21);
    if (state == `machine_dataOut || state == `machine_fetch || state == `machine_fetched)
      assert ((replied || left != 0) && count[2:0] == 0 && left <= 9);
    if (state == `machine_replying) assert (left <= 6);
    if (state == `machine_fetch || state == `machine_fetched) assert (count != 0);
    if (state == `machine_crcIn) assert (count != 0 && count <= 4);
    if (!idle && state != `machine_BOOT && !(state == `machine_replying)) assert (ofHost);
  end
endmodule
