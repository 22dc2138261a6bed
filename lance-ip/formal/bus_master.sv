// SPDX-License-Identifier: BSD-2-Clause
// The bus handshake: a request stays, with address, direction and data, until it is answered, or
// READY has been absent for 25.6 us, or STOP; one client at a time, each access answered once, to
// whom it belongs; bursts touch the bytes that were asked for. The wiring answers when it likes.
module bus_master (input clk);
  (* anyseq *) wire reset, io_halt, io_byteSwap, io_memory_done;
  (* anyseq *) wire [10:0] io_timing_word, io_timing_gap, io_timing_arbitration;
  (* anyseq *) wire [7:0] io_fromSilo;
  (* anyseq *) wire [127:0] io_memory_readData;
  (* anyseq *) wire io_clients_0_cmd_valid, io_clients_1_cmd_valid, io_clients_2_cmd_valid;
  (* anyseq *) wire [1:0] io_clients_0_cmd_payload_kind, io_clients_1_cmd_payload_kind;
  (* anyseq *) wire [1:0] io_clients_2_cmd_payload_kind;
  (* anyseq *) wire [23:0] io_clients_0_cmd_payload_address, io_clients_1_cmd_payload_address;
  (* anyseq *) wire [23:0] io_clients_2_cmd_payload_address;
  (* anyseq *) wire [4:0] io_clients_0_cmd_payload_bytes, io_clients_1_cmd_payload_bytes;
  (* anyseq *) wire [4:0] io_clients_2_cmd_payload_bytes;
  (* anyseq *) wire [15:0] io_clients_0_cmd_payload_word, io_clients_1_cmd_payload_word;
  (* anyseq *) wire [15:0] io_clients_2_cmd_payload_word;
  wire [15:0] io_skip = 0;
  wire io_clients_0_cmd_ready, io_clients_1_cmd_ready, io_clients_2_cmd_ready;
  wire io_clients_0_done, io_clients_1_done, io_clients_2_done;
  wire io_memory_request, io_memory_write, io_memory_single, io_memoryError, io_popSilo;
  wire io_toSilo_valid;
  wire [7:0] io_toSilo_payload;
  wire [15:0] io_nextEvent, io_clients_0_word, io_clients_1_word, io_clients_2_word;
  wire [23:0] io_memory_address;
  wire [127:0] io_memory_writeData;
  wire [15:0] io_memory_mask;
  BusMaster dut (._zz_3(1'b1), .*);
  wire [1:0] state = dut.state;
  wire [1:0] client = dut.client;
  wire [12:0] readyToGo = dut.readyToGo;
  wire memoryDone = dut.memoryDone;
  wire [23:0] commandAddress = dut.command_address;
  wire [1:0] commandKind = dut.command_kind;
  wire [15:0] mask = dut.mask;
  localparam NOTHING = 2'd3;

  wire [2:0] begins = {io_clients_2_cmd_valid && io_clients_2_cmd_ready,
    io_clients_1_cmd_valid && io_clients_1_cmd_ready,
    io_clients_0_cmd_valid && io_clients_0_cmd_ready};
  wire [2:0] done = {io_clients_2_done, io_clients_1_done, io_clients_0_done};
  wire [1:0] kindNow = begins[0] ? io_clients_0_cmd_payload_kind :
    begins[1] ? io_clients_1_cmd_payload_kind : io_clients_2_cmd_payload_kind;
  wire [23:0] addressNow = begins[0] ? io_clients_0_cmd_payload_address :
    begins[1] ? io_clients_1_cmd_payload_address : io_clients_2_cmd_payload_address;
  wire [4:0] bytesNow = begins[0] ? io_clients_0_cmd_payload_bytes :
    begins[1] ? io_clients_1_cmd_payload_bytes : io_clients_2_cmd_payload_bytes;

  reg known = 0;
  reg [1:0] owner = NOTHING;
  reg [1:0] kind;
  reg [23:0] address;
  reg [4:0] bytes;
  reg answered = 0;
  reg asked = 0; // requested in the tick before, and nobody answered
  reg [23:0] lastAddress;
  reg lastWrite, lastSingle;
  reg [127:0] lastData;
  reg [15:0] lastMask;
  reg [12:0] waited = 0; // ticks of this request so far
  always @(posedge clk) begin
    if (reset) known <= 1;
    if (|begins) begin
      owner <= begins[0] ? 2'd0 : begins[1] ? 2'd1 : 2'd2;
      {kind, address, bytes, answered} <= {kindNow, addressNow, bytesNow, 1'b0};
    end
    if (io_memory_request && io_memory_done) answered <= 1;
    if (|done || io_halt || io_memoryError || reset) owner <= NOTHING;
    asked <= io_memory_request && !io_memory_done && !io_memoryError && !io_halt && !reset;
    {lastAddress, lastWrite, lastSingle} <= {io_memory_address, io_memory_write, io_memory_single};
    {lastData, lastMask} <= {io_memory_writeData, io_memory_mask};
    waited <= io_memory_request && !io_memory_done ? waited + 13'd1 : 13'd0;
    if (io_halt || io_memoryError || reset) waited <= 0;
  end
  wire isWrite = kind == `BusKind_writeWord || kind == `BusKind_writeBurst;
  wire isBurst = kind == `BusKind_readBurst || kind == `BusKind_writeBurst;
  genvar i;
  for (i = 0; i < 16; i = i + 1) // byte i of the piece is asked for, or it is not
    always @* if (known && !reset && io_memory_request && isBurst)
      assert (io_memory_mask[i] == (i >= address[3:0] && i < address[3:0] + bytes));
  always @* begin
    assume (known || reset);
    assume (!io_memory_done || io_memory_request);
    if (|begins) assume (addressNow[3:0] + bytesNow <= 16 && bytesNow != 0); // the rings' proofs
    if (known && !reset) begin
      assert ((begins & (begins - 3'd1)) == 0);
      assert (!(|begins) || owner == NOTHING);
      assert (done == 0 || done == (3'd1 << owner)); // owner 3: none
      assert (!(|done) || answered || io_memory_done);
      if (asked) begin
        assert (io_memory_request);
        assert ({io_memory_address, io_memory_write, io_memory_single} ==
                {lastAddress, lastWrite, lastSingle});
        assert ({io_memory_writeData, io_memory_mask} == {lastData, lastMask});
      end
      if (io_memory_request) begin
        assert (owner != NOTHING && !answered);
        assert (io_memory_address == address && io_memory_write == isWrite);
        assert (io_memory_single == !isBurst);
        assert (waited + readyToGo == `READY_TICKS - 1);
        assert (io_memoryError == (waited == `READY_TICKS - 1 && !io_memory_done));
      end else assert (!io_memoryError);
      // What links the machine to all this
      assert ((state == `OwnershipState_idle) == (owner == NOTHING));
      assert (owner == NOTHING || client == owner);
      assert (owner == NOTHING || (commandKind == kind && commandAddress == address));
      assert (owner == NOTHING || memoryDone == answered);
      assert (!asked || (owner != NOTHING && !answered));
      assert (waited == 0 || asked);
      assert (state != `OwnershipState_move || answered == !isWrite);
      assert (!(state == `OwnershipState_arbitrate && isWrite) || !answered);
      assert (!(state == `OwnershipState_gap && !isWrite) || answered);
      assert (owner == NOTHING || mask == (((17'd1 << bytes) - 17'd1) << address[3:0]) % 65536);
      assert (owner == NOTHING || address[3:0] + bytes <= 16);
      if (state == `OwnershipState_arbitrate && isWrite) assert (waited == 0);
      if (state == `OwnershipState_arbitrate && !isWrite && !io_memory_request) assert (answered);
    end
  end
endmodule
