// SPDX-License-Identifier: BSD-2-Clause
// The DMA as a master of AXI4: what is offered stands until it is taken; a burst is the longwords
// that the part asks for and stays inside 16 bytes; its data are as many, the last marked. The part
// is answered in its order with what came, and with an error where the bus had one: a write with
// the bus's answer. After the part gave up, or an error, nothing more is written, and no request is
// answered by what is left of the burst. The part keeps the rules of PartMemory (`part_dma`), the
// slave those of AXI: it answers what it has taken whole.
module axi4_memory (input clk);
  Axi4Memory dut (.*);
  `observe(dut, busy, follows, asks, write, address, length, left)

  reg known = 0, open = 0, isWrite = 0, asked = 0, deserted = 0;
  reg [29:0] base;
  reg [1:0] len;
  reg [2:0] sent = 0, got = 0; // longwords that went, that came
  wire aw = axi_awvalid && axi_awready, ar = axi_arvalid && axi_arready;
  wire w = axi_wvalid && axi_wready, b = axi_bvalid && axi_bready, r = axi_rvalid && axi_rready;
  wire [2:0] all = {1'd0, len} + 3'd1;

  // ---- the clock before
  reg aStood = 0, wStood = 0, stood = 0, goesOn = 0, over = 0, gone = 0;
  reg [40:0] aBefore;
  reg [36:0] wBefore;
  reg [68:0] before;
  wire [40:0] a = {isWrite ? axi_awaddr : axi_araddr, isWrite ? axi_awlen : axi_arlen, isWrite};
  wire [68:0] now = {memory_write, memory_address, memory_more, memory_mask, memory_writeData};
  wire [29:0] addressBefore = before[67:38];
  wire [1:0] moreBefore = before[37:36];
  always @(posedge clk) begin
    if (reset) known <= 1;
    aStood <= (axi_awvalid || axi_arvalid) && !aw && !ar && !reset;
    wStood <= axi_wvalid && !w && !reset;
    aBefore <= a;
    wBefore <= {axi_wdata, axi_wstrb, axi_wlast};
    stood <= memory_valid && !memory_ready && !reset;
    goesOn <= memory_ready && !memory_error && memory_more != 0 && !reset;
    over <= memory_ready && (memory_error || memory_more == 0) && !reset;
    gone <= deserted || !memory_valid;
    before <= now;

    if (reset) {open, deserted, asked, sent, got} <= 0;
    else if (!open) begin
      open <= memory_valid;
      {isWrite, base, len} <= {memory_write, memory_address, memory_more};
      {deserted, asked, sent, got} <= 0;
    end else begin
      open <= !(b || r && got == {1'd0, len});
      asked <= asked || aw || ar;
      deserted <= deserted || !memory_valid || memory_ready && memory_error;
      sent <= sent + {2'd0, w};
      got <= got + {2'd0, r};
    end
  end

  always @* begin
    assume (known || reset);
    assume ({1'd0, memory_address[1:0]} + {1'd0, memory_more} < 4);
    if (stood && memory_valid) assume (now == before);
    if (goesOn && memory_valid) begin
      assume (memory_write == before[68] && memory_address == addressBefore + 30'd1);
      assume (memory_more == moreBefore - 2'd1);
    end
    if (over) assume (!memory_valid);
    if (axi_bvalid) assume (open && isWrite && asked && sent == all);
    if (axi_rvalid) assume (open && !isWrite && asked);

    if (known && !reset) begin
      // ---- rules of AXI4
      assert (!(axi_awvalid && axi_arvalid) && (axi_awvalid || axi_arvalid) == (open && !asked));
      if (aStood) assert ((isWrite ? axi_awvalid : axi_arvalid) && a == aBefore);
      if (wStood) assert (axi_wvalid && {axi_wdata, axi_wstrb, axi_wlast} == wBefore);
      if (axi_awvalid || axi_arvalid) assert (a == {base, 2'd0, 6'd0, len, isWrite});
      assert (axi_awsize == 2 && axi_arsize == 2 && axi_awburst == 1 && axi_arburst == 1);
      assert ({1'd0, base[1:0]} + {1'd0, len} < 4 || !open);
      if (axi_wvalid) assert (open && isWrite && sent < all && axi_wlast == (sent == {1'd0, len}));
      assert (sent <= all && got <= {1'd0, len} || !open);
      assert (!axi_bready || sent == all);
      // ---- what is written is what the part said, as long as it is there
      if (axi_wvalid && !wStood) begin
        if (gone) assert (axi_wstrb == 0);
        else assert ({axi_wdata, axi_wstrb} == {before[31:0], before[35:32]} && before[68]);
        if (!gone) assert (addressBefore == base + {27'd0, sent});
      end
      if (goesOn && before[68]) assert (axi_wvalid && !wStood);
      // ---- answers
      assert (!memory_ready || memory_valid && open && !deserted);
      if (memory_ready && !isWrite) begin
        assert (r && memory_readData == axi_rdata && memory_error == axi_rresp[1]);
        assert (memory_address == base + {27'd0, got} && !memory_write);
      end
      if (memory_ready && isWrite && memory_more == 0) assert (b && memory_error == axi_bresp[1]);
      if (memory_ready && isWrite && memory_more != 0) assert (!memory_error);
      assert (memory_busy == open);
      // ---- inside
      assert (busy == open && (asks == !asked || !open) && (asks || !asks && !aStood || open));
      if (open) begin
        assert (follows == !deserted && write == isWrite && address == base && length == len);
        assert (left == all - (isWrite ? sent + {2'd0, axi_wvalid} : got));
        if (memory_valid && !deserted) begin
          assert (memory_write == isWrite);
          assert ({1'd0, memory_more} == (left == 0 ? 3'd0 : left - 3'd1));
          assert (memory_address == base + {28'd0, len} - {28'd0, memory_more});
        end
      end else assert (!axi_wvalid && !asks);
    end
  end
endmodule
