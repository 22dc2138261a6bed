// SPDX-License-Identifier: BSD-2-Clause
// The registers as a slave of AXI4-Lite: an address of a write is taken with its data, and each is
// answered once, with OKAY, by what stands until it is taken. The registers see each access once, in
// the clock in which it is taken. Nothing waits longer than three clocks for its handshake, but for
// the answer before. The master keeps its own rule: what it offers stands until it is taken.
module axi4_access (input clk);
  Axi4LiteAccess dut (.*);
  `observe(dut, writes, reads, wrote, hasRead, value)

  reg known = 0, awStood = 0, wStood = 0, arStood = 0, owesWrite = 0, owesRead = 0;
  reg [4:0] awBefore, arBefore;
  reg [35:0] wBefore;
  reg [31:0] shown;
  reg [2:0] writeWaits = 0, readWaits = 0;
  wire aw = axi_awvalid && axi_awready, w = axi_wvalid && axi_wready;
  wire ar = axi_arvalid && axi_arready;
  wire b = axi_bvalid && axi_bready, r = axi_rvalid && axi_rready;
  always @(posedge clk) begin
    if (reset) known <= 1;
    awStood <= axi_awvalid && !aw && !reset;
    wStood <= axi_wvalid && !w && !reset;
    arStood <= axi_arvalid && !ar && !reset;
    awBefore <= axi_awaddr;
    wBefore <= {axi_wdata, axi_wstrb};
    arBefore <= axi_araddr;
    owesWrite <= !reset && (aw || owesWrite && !b);
    owesRead <= !reset && (ar || owesRead && !r);
    if (ar) shown <= access_readData;
    writeWaits <= axi_awvalid && axi_wvalid && !aw && !axi_bvalid && !reset ? writeWaits + 3'd1 : 3'd0;
    readWaits <= axi_arvalid && !ar && !axi_rvalid && !reset ? readWaits + 3'd1 : 3'd0;
  end
  always @* begin
    assume (known || reset);
    if (awStood) assume (axi_awvalid && axi_awaddr == awBefore);
    if (wStood) assume (axi_wvalid && {axi_wdata, axi_wstrb} == wBefore);
    if (arStood) assume (axi_arvalid && axi_araddr == arBefore);
    if (known && !reset) begin
      assert (aw == w && !(aw && ar) && aw == axi_awready && ar == axi_arready);
      assert (!(aw && owesWrite) && !(ar && owesRead));
      assert (axi_bvalid == owesWrite && wrote == owesWrite && axi_bresp == 0);
      assert (axi_rvalid == owesRead && hasRead == owesRead && axi_rresp == 0);
      assert (!axi_rvalid || axi_rdata == shown && value == shown);
      assert (access_valid == (aw || ar));
      if (aw) assert (access_write && access_address == axi_awaddr[4:2]);
      if (aw) assert ({access_writeData, access_mask} == {axi_wdata, axi_wstrb});
      if (ar) assert (!access_write && access_address == axi_araddr[4:2]);
      assert (writeWaits < 3 && readWaits <= 3);
      assert (!writes || awStood && wStood);
      assert (!reads || arStood);
    end
  end
endmodule
