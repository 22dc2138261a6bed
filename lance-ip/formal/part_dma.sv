// SPDX-License-Identifier: BSD-2-Clause
// The part's side of a bus, as Wishbone's classic cycles want it: a transfer stands, with address,
// direction, bytes and data, until its answer, and at most 25.6 us. It lies in the 16 bytes of the
// chip's request, and a write's bytes are inside the request. The chip is answered once, with the
// last longword, and never after an error. Longwords of a request follow each other at once. Bus
// and chip do what they like, but a request stays as it is (proof bus_master), and has a clock
// between it and the next.
module part_dma (input clk);
  (* anyconst *) wire [7:0] base;
  PartDma dut (.*);
  `observe(dut, valid, forgotten, unanswered, waited)
  localparam [12:0] LIMIT = 13'd1280; // 25.6 us at 50 MHz

  reg known = 0, stood = 0, asked = 0, followed = 0, over = 0;
  reg [68:0] before;
  reg [29:0] request; // of the chip, as it was when the transfer's piece began
  reg [29:0] asksBefore;
  reg singleBefore;
  reg [12:0] age = 0; // clocks of this transfer
  wire [68:0] now = {memory_write, memory_address, memory_more, memory_mask, memory_writeData};
  wire [29:0] asks = {chip_write, chip_swapped, chip_address, chip_last};
  wire [1:0] lane = memory_address[1:0];
  wire [1:0] first = request[7:6];
  wire [1:0] end_ = request[3:2];
  always @(posedge clk) begin
    if (reset) known <= 1;
    stood <= memory_valid && !memory_ready && !silent && !reset;
    before <= now;
    if (!valid) request <= asks;
    asked <= chip_request && !chip_done && !reset;
    followed <= memory_ready && !memory_error && memory_more != 0 && valid && !reset;
    over <= memory_ready && (memory_error || memory_more == 0) && valid && !reset;
    if (chip_request) asksBefore <= asks;
    singleBefore <= chip_single;
    age <= memory_valid && !memory_ready && !reset ? age + 13'd1 : 13'd0;
  end
  genvar i;
  for (i = 0; i < 4; i = i + 1) // a byte that is written is one of the request's
    always @* if (known && !reset && valid && memory_write && memory_mask[i]) begin
      assert ({lane, 2'(i ^ request[28])} >= request[7:4]);
      assert ({lane, 2'(i ^ request[28])} <= request[3:0]);
    end
  always @* begin
    assume (known || reset);
    assume (chip_address[3:0] <= chip_last);
    if (chip_single) assume (!chip_address[0] && chip_last == chip_address[3:0] + 4'd1);
    if (chip_single) assume (!chip_swapped);
    if (chip_swapped) assume (!chip_address[0] && chip_last[0]);
    if (asked && chip_request) assume (asks == asksBefore && chip_single == singleBefore);
    if (known && !reset) begin
      assert (active == (memory_valid || memory_busy) && memory_valid == valid);
      if (stood) assert (memory_valid && now == before);
      if (followed && valid) begin // the next longword, at once
        assert (memory_address == before[67:38] + 30'd1 && memory_more == before[37:36] - 2'd1);
        assert (memory_write == before[68]);
      end
      if (over) assert (!valid);
      assert (age == waited && (age < LIMIT || !valid));
      assert (!chip_done || chip_request && !memory_error && memory_ready && valid);
      assert (!chip_readValid || chip_request && chip_lane == lane);
      if (valid) begin
        assert (memory_address[29:22] == base && memory_address[21:2] == request[27:8]);
        assert (memory_write == request[29] && memory_mask != 0);
        assert (first <= lane && lane <= end_ && memory_more == end_ - lane);
        if (chip_request && !forgotten) assert (asked && asks == request);
      end
      if (chip_done) assert (lane == chip_last[3:2]);
    end
  end
endmodule
