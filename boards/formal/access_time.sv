// SPDX-License-Identifier: BSD-2-Clause
// An access of a client of the bus lasts as long as the page of exact time counts on: from its
// grant to its end, the tick of the end included, arbitration + word + gap ticks or more, of which
// the least are 1, 2 and 1.
module access_time (input clk);
  wire [15:0] io_skip = 0;
  (* anyconst *) wire [10:0] arbitration;
  (* anyconst *) wire [10:0] word;
  (* anyconst *) wire [10:0] gap;
  wire [10:0] io_timing_arbitration = arbitration, io_timing_word = word, io_timing_gap = gap;
  BusMaster dut (._zz_3(1'b1), .*);
  `observe(dut, state, toGo, over, client)
  wire [15:0] a = arbitration == 0 ? 16'd1 : {5'd0, arbitration};
  wire [15:0] w = word < 2 ? 16'd2 : {5'd0, word};
  wire [15:0] g = gap == 0 ? 16'd1 : {5'd0, gap};
  wire grant = |{io_clients_0_cmd_valid && io_clients_0_cmd_ready,
    io_clients_1_cmd_valid && io_clients_1_cmd_ready,
    io_clients_2_cmd_valid && io_clients_2_cmd_ready};
  wire done = io_clients_0_done || io_clients_1_done || io_clients_2_done;
  wire [15:0] ticks = toGo == 0 ? 16'd1 : {5'd0, toGo};
  // Ticks to the end at least, this one not counted.
  wire [15:0] rest = state == `OwnershipState_arbitrate ? ticks + w + g - 16'd1 :
    state == `OwnershipState_move ? ticks + g - 16'd1 : ticks - 16'd1;
  reg known = 0;
  reg [15:0] since = 0;
  always @(posedge clk) begin
    if (reset) known <= 1;
    since <= reset ? 16'd0 : grant ? 16'd1 : since == 16'h3fff ? since : since + 16'd1;
  end
  always @* begin
    assume (known || reset);
    assert (since <= 16'h3fff);
    if (known && !reset) begin
      if (done) assert (since >= a + w + g);
      if (state != `OwnershipState_idle) assert (since + rest >= a + w + g);
      assert (over == (toGo < 2));
    end
  end
endmodule
