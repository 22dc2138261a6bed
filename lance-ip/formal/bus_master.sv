// SPDX-License-Identifier: BSD-2-Clause
// The bus handshake. A request stays, with address, direction, end and the data of every lane,
// until it is answered, READY has been absent for 25.6 us, or STOP comes. One client is served at a
// time. Each access is answered once, to its client, three ticks later or more, and the word that
// it reads is stable for the last three ticks. A burst begins and ends at the requested bytes, and
// a lane that is read goes to its place. The wiring is free in when it answers and which lane it
// asks for.
module bus_master (input clk);
  wire [15:0] io_skip = 0;
  BusMaster dut (._zz_3(1'b1), .*);
  `observe(dut, state, client, toGo, over, readyOver, readyToGo, commandAddress = command_address,
    commandKind = command_kind, commandBytes = command_bytes, word, piece = pieceNow)
  localparam NOTHING = 2'd3;
  localparam [12:0] READY_TICKS = 256 * `CLOCK_TICKS_PER_US / 10; // 25.6 us

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
  reg [15:0] toWrite; // the data of a write
  reg answered = 0;
  reg asked = 0; // requested in the tick before and not answered
  reg [23:0] lastAddress;
  reg lastWrite, lastSingle;
  reg [127:0] lastPiece;
  reg [15:0] lastWord;
  reg [3:0] lastEnd;
  reg readBefore = 0; // a longword came in the tick before, for a burst
  reg [1:0] lastLane;
  reg [31:0] lastRead;
  reg got = 0; // a single word has come
  reg [15:0] gotWord;
  reg [12:0] waited = 0; // ticks of this request so far
  reg [1:0] age = 0; // ticks since the access began, three or more
  reg sameBefore; // `word` was the same in the two ticks before this one
  wire same = word == lastWord;
  always @(posedge clk) begin
    if (reset) known <= 1;
    if (|begins) begin
      owner <= begins[0] ? 2'd0 : begins[1] ? 2'd1 : 2'd2;
      {kind, address, bytes, answered} <= {kindNow, addressNow, bytesNow, 1'b0};
      toWrite <= begins[0] ? io_clients_0_cmd_payload_word :
        begins[1] ? io_clients_1_cmd_payload_word : io_clients_2_cmd_payload_word;
    end
    if (io_memory_request && io_memory_done) answered <= 1;
    if (|done || io_halt || io_memoryError || reset) owner <= NOTHING;
    asked <= io_memory_request && !io_memory_done && !io_memoryError && !io_halt && !reset;
    {lastAddress, lastWrite, lastSingle} <= {io_memory_address, io_memory_write, io_memory_single};
    {lastPiece, lastWord, lastEnd} <= {piece, word, io_memory_last};
    age <= |begins ? 2'd1 : age == 3 ? age : age + 2'd1;
    sameBefore <= same;
    readBefore <= arrives && isBurst;
    {lastLane, lastRead} <= {io_memory_lane, io_memory_readData};
    if (|begins) got <= 0;
    if (arrives && !isBurst) {got, gotWord} <= {1'b1, io_memory_readData[15:0]};
    if (reset) {got, readBefore} <= 0;
    waited <= io_memory_request && !io_memory_done ? waited + 13'd1 : 13'd0;
    if (io_halt || io_memoryError || reset) waited <= 0;
  end
  wire isWrite = kind == `BusKind_writeWord || kind == `BusKind_writeBurst;
  wire isBurst = kind == `BusKind_readBurst || kind == `BusKind_writeBurst;
  wire arrives = io_memory_request && !io_memory_write && io_memory_readValid;
  wire [15:0] answer = owner == 2'd0 ? io_clients_0_word : owner == 2'd1 ? io_clients_1_word :
    io_clients_2_word;
  genvar i;
  for (i = 0; i < 4; i = i + 1) // a longword that came is where it belongs, the others stay
    always @* if (known && !reset && (asked || readBefore) && !lastWrite && !lastSingle)
      assert (piece[32 * i +: 32] ==
              (readBefore && lastLane == i ? lastRead : lastPiece[32 * i +: 32]));
  always @* begin
    assume (known || reset);
    assume (!io_memory_done || io_memory_request);
    if (|begins) assume (addressNow[3:0] + bytesNow <= 16 && bytesNow != 0); // the rings' proofs
    if (known && !reset) begin
      assert ((begins & (begins - 3'd1)) == 0);
      assert (!(|begins) || owner == NOTHING);
      assert (done == 0 || done == (3'd1 << owner)); // owner 3: none
      assert (!(|done) || answered || io_memory_done);
      if (|done && kind == `BusKind_readWord && got) assert (answer == gotWord);
      if (|done) assert (age == 3);
      if (|done && kind == `BusKind_readWord) assert (same && sameBefore);
      if (asked) begin
        assert (io_memory_request);
        assert ({io_memory_address, io_memory_write, io_memory_single, io_memory_last} ==
                {lastAddress, lastWrite, lastSingle, lastEnd});
        if (io_memory_write) assert ({piece, word} == {lastPiece, lastWord});
      end
      if (io_memory_request) begin
        assert (owner != NOTHING && !answered);
        assert (io_memory_address == address && io_memory_write == isWrite);
        assert (io_memory_single == !isBurst);
        if (isBurst) assert (io_memory_last + 6'd1 == address[3:0] + bytes);
        if (isBurst && isWrite) assert (io_memory_writeData == piece[32 * io_memory_lane +: 32]);
        if (!isBurst && isWrite) assert (io_memory_writeData == {16'h0, toWrite});
        assert (waited + readyToGo == READY_TICKS - 1);
        assert (readyOver == (readyToGo == 0));
        assert (io_memoryError == (waited == READY_TICKS - 1 && !io_memory_done));
      end else assert (!io_memoryError);
      // Relations to the state machine
      if (state == `OwnershipState_arbitrate) assert (age != 0);
      if (state == `OwnershipState_move) assert (age >= 2 && toGo != 0);
      if (state == `OwnershipState_move && toGo == 1) assert (age == 3 && same);
      assert (over == (toGo <= 1) || state == `OwnershipState_idle);
      if (state == `OwnershipState_gap) assert (age == 3 && (isWrite || (same && sameBefore)));
      assert ((state == `OwnershipState_idle) == (owner == NOTHING));
      assert (owner == NOTHING || client == owner);
      assert (owner == NOTHING || (commandKind == kind && commandAddress == address));
      if (io_memory_request)
        assert (state == (isWrite ? `OwnershipState_gap : `OwnershipState_arbitrate));
      if (state == `OwnershipState_gap && isWrite && !io_memory_request) assert (answered);
      assert (!asked || (owner != NOTHING && !answered));
      assert (waited == 0 || asked);
      assert (state != `OwnershipState_move || answered == !isWrite);
      assert (!(state == `OwnershipState_arbitrate && isWrite) || !answered);
      assert (!(state == `OwnershipState_gap && !isWrite) || answered);
      assert (owner == NOTHING || commandBytes == bytes);
      if (owner != NOTHING && (isWrite && !isBurst)) assert (word == toWrite);
      if (owner != NOTHING && kind == `BusKind_readWord && got) assert (word == gotWord);
      assert (owner == NOTHING || (address[3:0] + bytes <= 16 && bytes != 0));
      if (state == `OwnershipState_arbitrate && isWrite) assert (waited == 0);
      if (state == `OwnershipState_arbitrate && !isWrite && !io_memory_request) assert (answered);
    end
  end
endmodule
