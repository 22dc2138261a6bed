// SPDX-License-Identifier: BSD-2-Clause
// The part as an option of a TURBOchannel. An access gets one `rdy`, within ten cycles, and none
// comes without an access. What the option shows stands from one end of a cycle to the next. A read
// of a register shows what the chip shows, a read of memory the longword; a write of a register
// reaches the chip once, with the host's data, a write of memory the bytes that the host names. No
// other access, and no other byte of the chip's requests, changes memory; a request of the chip has
// its longwords in order, one after the other. The host keeps the protocol (turbochannel.md): its
// outputs stand in a cycle, `sel` and data until `rdy`, and a cycle lies between two accesses; a reset
// takes `sel` back, and leaves direction and data for a cycle. In the cycle after it an answer may
// still be there, which no host reads; no write of a register outlives it.
module pmad_slot (input clk);
  wire [15:0] io_skip = 0; // OptionPart
  wire [10:0] io_csrTicks = 0;
  Pmad dut (.*);
  `observe(dut, access_state, access_address, access_mask, registers_posted, registers_csr_over)
  `observe(dut, served, fetched, held)
  `observe(dut, waited, left, started, lane, arrivingLane, chipNow, coreNow, word = data)
  `observe(dut, place, kept)

  // ---- the host
  localparam IDLE = 0, DATA = 1, OVER = 2;
  reg known = 0, cycled = 0, wasReset = 0, rdyStood = 0;
  reg [1:0] phase = IDLE;
  reg [31:5] address;
  reg [3:0] mask, age = 0; // cycles until the answer
  reg isWrite, first = 0;
  reg [35:0] hostBefore;
  wire [35:0] host = {io_slot_sel, io_slot_write, io_slot_reset, 1'b0, io_slot_adHost};
  wire [21:0] offset = {address[24:5], 2'b00};
  wire inMemory = offset < 22'h20000;
  wire isRegister = offset == 22'h100000 || offset == 22'h100004; // RDP, RAP
  always @(posedge clk) begin
    if (reset) known <= 1;
    cycled <= io_slot_cycle;
    hostBefore <= host;
    rdyStood <= io_slot_rdy && !io_slot_cycle && !reset;
    if (io_slot_cycle) wasReset <= 0;
    if (io_slot_reset || reset) wasReset <= 1;
    if (reset || io_slot_reset) phase <= IDLE;
    else if (io_slot_cycle) begin
      if (phase == IDLE && io_slot_sel) begin
        phase <= DATA;
        {address, mask, isWrite, first} <= {io_slot_adHost[31:5], io_slot_adHost[3:0], io_slot_write, 1'b1};
        age <= 0;
      end
      if (phase == DATA) {phase, first} <= {io_slot_rdy ? 2'd2 : 2'd1, 1'b0};
      if (phase == DATA && !io_slot_rdy) age <= age + 4'd1;
      if (phase == OVER) phase <= IDLE;
    end
  end
  always @* begin
    assume (known || reset);
    if (known && !cycled) assume (host == hostBefore);
    if (phase == DATA) assume (io_slot_write == isWrite && (io_slot_sel || io_slot_reset));
    if (phase == DATA && !first) assume (io_slot_adHost == hostBefore[31:0]);
    if (phase == OVER || io_slot_reset) assume (!io_slot_sel);
  end

  // ---- the chip
  reg asked = 0;
  reg [29:0] asksBefore;
  reg [2:0] moved = 0;
  wire [29:0] asks = {io_memory_write, io_memory_swapped, io_memory_address, io_memory_last};
  wire [1:0] from = io_memory_address[3:2];
  wire [1:0] many = io_memory_last[3:2] - from; // longwords, less one
  reg singleBefore;
  always @(posedge clk) begin
    asked <= io_memory_request && !reset;
    asksBefore <= asks;
    singleBefore <= io_memory_single;
    moved <= reset || !io_memory_request ? 3'd0 : moved + {2'd0, chipNow};
  end
  always @* begin
    assume (io_memory_address[3:0] <= io_memory_last);
    if (asked && io_memory_request) assume (asks == asksBefore && io_memory_single == singleBefore);
  end

  // ---- a longword of memory, any
  wire [3:0] asksBytes;
  genvar i;
  for (i = 0; i < 4; i = i + 1) begin
    wire [3:0] at = {lane, 2'(i ^ io_memory_swapped)};
    assign asksBytes[i] = at >= io_memory_address[3:0] && at <= io_memory_last;
  end
  wire [31:0] fromChip =
    io_memory_single ? {2{io_memory_writeData[15:0]}} : io_memory_writeData;
  wire mine = inMemory && offset[16:2] == place;
  wire hostHere = coreNow && mine;
  wire chipHere = chipNow && {io_memory_address[16:4], lane} == place;
  reg [31:0] should, shown, toChip, registerBefore;
  reg rapBefore, chipRead = 0;
  integer j;
  always @(posedge clk) begin
    for (j = 0; j < 4; j = j + 1)
      should[8 * j +: 8] <= hostHere && isWrite && mask[j] ? io_slot_adHost[8 * j +: 8]
        : chipHere && io_memory_write && asksBytes[j] ? fromChip[8 * j +: 8] : kept[8 * j +: 8];
    if (hostHere) shown <= kept;
    chipRead <= chipHere && !io_memory_write && !reset;
    toChip <= kept;
    registerBefore <= {16'd0, io_registers_readData};
    rapBefore <= io_registers_rap;
  end
  wire begins = io_slot_rdy && !rdyStood; // the answer's first clock
  wire toRegister = isWrite && isRegister && mask[1:0] != 0;
  wire waits = phase == DATA && !io_slot_rdy;
  reg stepped = 0, waited1 = 0, core1 = 0;
  reg [32:0] outBefore;
  always @(posedge clk) begin
    stepped <= known && !reset;
    outBefore <= {io_slot_rdy, io_slot_adOption};
    waited1 <= waits;
    core1 <= coreNow && !reset;
  end
  always @* if (known && !reset) begin
    // the handshake
    assert (io_chipReset == io_slot_reset && registers_csr_over);
    if (stepped && !cycled) assert ({io_slot_rdy, io_slot_adOption} == outBefore);
    assert (!io_slot_rdy || phase == DATA && !first || wasReset);
    assert (access_state == (phase == IDLE ? 0 : waits ? 1 : 2) && phase <= OVER);
    if (phase != IDLE) assert (access_address == {address, 2'b00} && access_mask == mask);
    if (waits) begin
      assert (waited == age && first == (age == 0) && age <= 10);
      if (!waited1) assert (age == 0 && !served);
      if (inMemory && !served) assert (age + left <= 4);
      if (inMemory && served) assert (age <= 7 && (!fetched || age <= 5));
      if (isRegister) assert (age == 0);
      if (served && mine && !isWrite) assert ((fetched ? word : held) == shown);
    end else if (!waited1 && stepped) assert (!served && waited == 0);
    assert (fetched == core1);
    // registers and memory
    assert (!registers_posted || !waits && begins && toRegister && !wasReset);
    assert (io_registers_valid == (begins && toRegister && !wasReset));
    if (io_registers_valid) assert (io_registers_write && io_registers_rap == offset[2]);
    if (io_registers_valid) assert (io_registers_writeData == io_slot_adHost[15:0]);
    if (begins && isRegister && !isWrite && !wasReset)
      assert (io_slot_adOption == registerBefore && rapBefore == offset[2]);
    if (phase == DATA && io_slot_rdy && mine && !isWrite) assert (io_slot_adOption == shown);
    if (coreNow) assert (waits && inMemory && !served);
    if (stepped) assert (kept == should);
    // the chip
    assert (started || left == 0 && moved == 0);
    assert (left <= 4);
    if (started && io_memory_request)
      assert (moved <= many + 3'd1 && left == many + 3'd1 - moved && lane == from + moved[1:0]);
    assert (!io_memory_done || moved == many + 3'd1);
    if (io_memory_request && io_memory_readValid) assert (arrivingLane == from + moved[1:0] - 2'd1);
    if (chipRead)
      assert (io_memory_readValid && io_memory_readData ==
        (io_memory_single && io_memory_address[1] ? {toChip[15:0], toChip[31:16]} : toChip));
  end
endmodule
