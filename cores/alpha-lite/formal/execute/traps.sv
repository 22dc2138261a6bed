// SPDX-License-Identifier: BSD-2-Clause
// Traps: an instruction that must not execute does not issue, and the trap taken is the right one.
//
// Causes are stated here from the encoding table and sources/ev4.md 1.3 and 1.4. After an overflow
// or a bus error nothing issues before its trap is taken; while a multiply with /V is under way,
// nothing issues or traps at all. So with proof order, every exception but a machine check for data
// is precise. An overflow outside PAL mode that meets a machine check is taken when PAL mode is
// left.
module traps (input clk);
  `include "core.svh"
  wire [31:0] word = core.pipeline_1.fetched_payload_instruction;
  `include "spec.svh"
  `observe(core.pipeline_1, kind = decode_decoder_control_kind,
    destination = decode_decoder_control_destination, locked = decode_decoder_control_locked,
    readsA = decode_decoder_control_readsA, readsB = decode_decoder_control_readsB)
  `include "front_rules.svh"
  always @* assume (frontRules);
  `observe(core.loadStore_1, writeKind = buffer_1_cmd_payload_kind, plainStore = isStore,
    storeTaken = lookup_1_taken, storeReady = buffer_1_store_ready)
  always @* begin // the write buffer, which is cut (proof write_buffer)
    assume (writeKind == `MemoryKind_write);
    assume (!plainStore || storeTaken == storeReady);
  end
  `observe(core.pipeline_1, valid = fetched_valid, fetchError = fetched_payload_error,
    pc = fetched_payload_pc, b = decode_bypassB_value, go = issue_issues, trap = issue_trap,
    vector = issue_vector, taken = execute_mispredicted, awake = pal_awake, user = pal_userMode,
    interrupt = pal_pending, busError = loadStore_error, sumOverflows = execute_alu_overflowed,
    redirectPc = redirect_payload_pc, redirects = redirect_valid, misplaced = revoke_misplaced)
  wire inPal = pc[0];
  reg sumOverflowed;
  always @(posedge clk) sumOverflowed <= sumOverflows;
  always @* assume (!stands || sumOverflows == sumOverflowed); // E1 stays until a tick

  // Stage D is in the mode of the last redirection until the next one.
  reg mode = 1;
  always @(posedge clk) if (!reset && ((tick && redirects) || d_revokes)) mode <= redirectPc[0];
  always @* assume (!valid || inPal == mode);

  // ---- faults of the instruction in D
  wire [25:0] number = word[25:0];
  wire noCall = kind_callPal &&
    !((number <= 'h3f && (!user || inPal)) || (number >= 'h80 && number <= 'hbf));
  wire opcdec = (!legal && !floating) || (palOnly_true && !inPal) || noCall;
  wire [2:0] low = b[2:0] + word[2:0];
  wire access = kind_store || (kind_load && word[25:21] != 31);
  wire unaligned = access && !unaligned_true && !palOnly_true &&
    (long_true ? low[1:0] != 0 : low != 0);

  // ---- conditions that older instructions left
  reg checks = 0, overflows = 0, palOverflows = 0, sum = 0, inV = 0, ahead = 0;
  reg sumInPal = 0, productInPal = 0;
  reg [1:0] products = 0;
  `observe(core.pipeline_1, product_valid = multiplier_1_rsp_valid,
    product_taken = registers_product_ready,
    product_overflows = multiplier_1_rsp_payload_overflowed)
  wire done = product_valid && product_taken;
  wire sumDoes = sum && sumOverflows, productDoes = done && product_overflows;
  wire overflow = palOverflows || (overflows && !inPal) || sumDoes;
  wire isTaken = trap && vector == 'h60;
  wire check = checks || fetchError;
  always @(posedge clk) if (!reset && tick) begin
    checks <= (checks || busError) && !(trap && vector == 'h20);
    overflows <= (overflows || (sumDoes && !sumInPal) || (productDoes && !productInPal)) &&
      !(isTaken && !inPal);
    palOverflows <= (palOverflows || (sumDoes && sumInPal) || (productDoes && productInPal)) &&
      !(isTaken && inPal);
    sum <= go && kind_alu && overflow_true;
    if (go) sumInPal <= inPal;
    products <= products - done + (go && kind_multiply);
    if (go && kind_multiply && overflow_true) begin
      inV <= 1;
      productInPal <= inPal;
      ahead <= products - done != 0;
    end else if (done) begin
      if (ahead) ahead <= 0; else inV <= 0;
    end
  end

  // What leaves D though its address is unaligned has not issued: E1 makes a trap of it. For that
  // trap, and for that of an illegal instruction, fetching turns before the next tick.
  reg unaligned1 = 0, owes = 0, turned = 0;
  reg [15:0] vector1;
  always @(posedge clk) if (reset) {unaligned1, owes, turned} <= 0;
  else if (tick) begin
    unaligned1 <= go && unaligned;
    owes <= (go && unaligned) || (trap && !redirects);
    vector1 <= trap ? vector : 16'h11e0;
    turned <= 0;
  end else turned <= turned || d_revokes;
  wire [13:0] revokedTo = redirectPc[13:0];

  always @* if (!reset) begin
    assert (misplaced == unaligned1);
    assert (!d_revokes || (!tick && owes && !turned && revokedTo == vector1 + 1));
    assert (!(tick && owes) || turned);
  end
  always @* if (!reset && tick) begin
    assert (!go || (valid && awake && !taken));
    assert (!trap || (valid && awake && !taken));
    assert (!go || !(check || overflow || (interrupt && !inPal)));
    assert (!go || !(floating || opcdec));
    assert (!inV || (!go && (!trap || vector == 'h20)));
    if (trap) begin
      if (check) assert (vector == 'h0020);
      else if (overflow) assert (vector == 'h0060);
      else if (interrupt && !inPal) assert (vector == 'h00e0);
      else if (floating) assert (vector == 'h17e0);
      else assert (opcdec && vector == 'h13e0);
      assert (redirects == (check || overflow || (interrupt && !inPal)));
      assert (!redirects || redirectPc[13:0] == vector + 1);
    end
  end
endmodule
