// SPDX-License-Identifier: BSD-2-Clause
// A clock without a tick makes room for late and rare results of E1 and D. In every tick, the
// registers that hold these results equal the gates that they stand for.
module second_clock (input clk);
  `include "core.svh"
  `observe(core.pipeline_1, valid = fetched_valid, word = fetched_payload_instruction,
    cold = fetched_payload_cold, settles = fetched_payload_settles,
    kind = decode_decoder_control_kind, legal = decode_decoder_control_legal,
    isBarrier = decode_isBarrier, destination = decode_decoder_control_destination,
    settledRa = decode_settledRa, e1_valid = e1Valid, e1_special, e1_checked,
    special = execute_special, result = execute_result, overflowed = execute_overflowed,
    sumOverflows = execute_alu_overflowed, flush = pal_flush, astray = execute_mispredicted,
    branching, revokes, demanding, drain = loadStore_drain)
  `observe(core.pipeline_1.pal, flushes, starting, starts)

  // The fetch unit is cut: D's instruction stays until a tick or until E1 revokes it, and its
  // decoding with it (proof foreseen).
  reg stays = 0, revoked0 = 0, cold0;
  reg [31:0] word0;
  reg [18:0] decoded0;
  wire [18:0] decoded = {kind, destination};
  always @(posedge clk)
    {stays, revoked0, cold0, word0, decoded0} <=
      {valid && !tick && !reset, revokes, cold, word, decoded};
  always @* begin
    assume (!stays || (valid ? cold == cold0 && word == word0 && decoded == decoded0 : revoked0));
    assume (!(revoked0 && tick) || reset); // proof owners
  end
  // An instruction is of one kind; MB and WMB have opcode 18 hex (proof decoder).
  always @* assume (!legal || (kind & (kind - 1)) == 0);
  always @* assume (!(kind & `Kind_barrier) || word[31:26] == 6'h18);
  `observe(core, mayDemand = fetch_mayDemand)
  always @* assume (!demanding || mayDemand);
  // Decoded before D.
  always @* assume (settles == (word[31:26] == 6'h18));

  always @* if (!reset && tick) begin
    assert (!(e1_valid && e1_special) || result == special);
    assert (overflowed == (e1_valid && e1_checked && sumOverflows));
    assert (flush == flushes && starting == starts);
    assert (!(demanding || drain) || branching == astray);
    assert (isBarrier == (valid && (kind & `Kind_barrier) != 0));
    assert (settledRa == (valid && settles && destination == `Destination_ra));
    assert (drain == (valid && (cold || (kind & `Kind_barrier) != 0)));
  end

  // ---- invariants of the induction
  `observe(core.pipeline_1, e1_issued, e1_killed, e1_turns, e1_stands = e1_needsSecondClock,
    e1_kind = e1_control_kind)
  wire [16:0] standing = `Kind_palWrite | `Kind_jump;
  wire [16:0] turning = `Kind_branch | `Kind_jump | `Kind_callPal | `Kind_palReturn;
  always @* if (!reset) begin
    assert (!e1_issued || e1_turns == ((e1_kind & turning) != 0));
    assert (!e1_issued || e1_stands == (e1_checked || (e1_kind & standing) != 0));
    assert (!e1_issued || e1_killed || !e1_special || (e1_kind & `Kind_palWrite) == 0);
  end
endmodule
