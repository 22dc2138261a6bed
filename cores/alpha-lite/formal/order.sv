// SPDX-License-Identifier: BSD-2-Clause
// Program order: what issues is the next instruction of the architectural path, always.
//
// `next` is where the path goes on: four further after an issue, the target after a taken branch,
// the PAL entry after a trap. Nothing issues from anywhere else, so nothing after a taken branch or
// a trap does; and the address a trap leaves is `next`, so everything before it has issued.
module order (input clk);
  `include "core.svh"
  `observe(core.pipeline_1, go = issue_go, trap = issue_trap, vector = issue_vector,
    pc = fetched_payload_pc)
  wire taken = core.pipeline_1.execute_astray; // not as fetched
  `observe(core.pipeline_1, isCall = execute_isCall, target = execute_target, palBase = pal_palBase,
    left = pal_trap_valid, leaves = pal_trap_payload_exceptionAddress, e1_valid = e1Valid, e1_trap,
    e1_next, predicted = prediction_taken, e1_predicted = e1_prediction_taken)
  always @* assume (!ev4 && !predicted); // paper mode
  wire [34:0] e1_pc = core.pipeline_1.e1_pc;

  reg [34:0] next, before; // before the trap that has just been taken
  reg went = 0, trapped = 0;
  always @(posedge clk) begin
    if (reset) {next, went, trapped} <= {`RESET_PC, 2'd0};
    else if (tick) begin
      {went, trapped, before} <= {go, trap, next};
      if (taken) next <= target;
      else if (trap) next <= {1'b0, palBase, vector[13:1], 1'b1};
      else if (go) next <= next + 4;
    end
  end
  always @* if (!reset && tick) begin
    assert (!go || pc == next);
    assert (!go || !trap);
    assert (!taken || (!go && !trap));
    assert (left == (trapped || (taken && isCall)));
    assert (!left || leaves == (trapped ? before : next)); // a tick later, from E1
  end

  // What keeps it so: the front end holds the path in order, none of it twice.
  `observe(core.fetch, dValid, cold = fetched_payload_cold, spareValid, sparePc = spare_pc,
    spareCold = spare_cold, f2Valid, f2Pc, turning)
  wire redirects = core.pipeline_1.redirect_valid;
  `observe(core.fetch, turnPc = turn_pc, starting, missing, start, f1Wait)
  wire quietBefore = core.pipeline_1.issue_quietBefore;
  wire [34:0] second = dValid ? next + 4 : next;
  wire [34:0] third = spareValid ? second + 4 : second;
  always @* if (!reset) begin
    assert (!turning || (turnPc == next && !e1_valid));
    assert (!turning || !redirects);
    assert ((!dValid || !cold) && (!spareValid || !spareCold) && !quietBefore);
    if (!turning) begin
      assert (!dValid || pc == next);
      assert (!spareValid || (dValid && sparePc == second));
      assert (f2Valid + missing + starting == 1); // F2 has it, or misses it, or will read it
      assert (!f2Valid || f2Pc == third);
      assert (f2Valid || start == third);
      assert (!missing || !spareValid);
      assert (f1Wait == 0 || starting);
    end
    assert (!e1_valid || went);
    assert (!e1_trap || (trapped && e1_pc == before));
    assert (e1_trap == trapped);
    assert (!e1_valid || (e1_pc + 4 == next && e1_next == next[34:2] && !e1_predicted));
  end
endmodule
