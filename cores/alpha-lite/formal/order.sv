// SPDX-License-Identifier: BSD-2-Clause
// Program order: what issues is the next instruction of the architectural path, always.
//
// `next` is where the path goes on: four further after an issue, the target after a taken branch,
// the PAL entry after a trap. Nothing issues from anywhere else, so nothing after a taken branch or
// a trap does; and the address a trap leaves is `next`, so everything before it has issued.
module order (input clk);
  `include "core.svh"
  wire go = core.pipeline_1.issue_go;
  wire trap = core.pipeline_1.issue_trap;
  wire [15:0] vector = core.pipeline_1.issue_vector;
  wire [63:0] pc = core.pipeline_1.fetched_payload_pc;
  wire taken = core.pipeline_1.execute_astray; // not as fetched
  wire isCall = core.pipeline_1.execute_isCall;
  wire [63:0] target = core.pipeline_1.execute_target;
  wire [63:0] palBase = core.pipeline_1.pal_palBase;
  wire left = core.pipeline_1.pal_trap_valid;
  wire [63:0] leaves = core.pipeline_1.pal_trap_payload_exceptionAddress;
  wire e1_valid = core.pipeline_1.e1_valid;
  wire [61:0] e1_next = core.pipeline_1.e1_next;
  wire predicted = core.pipeline_1.prediction_taken;
  wire e1_predicted = core.pipeline_1.e1_prediction_taken;
  wire [61:0] following = core.pipeline_1.fetched_payload_next;
  always @* assume (!ev4 && !predicted); // paper mode
  wire [63:0] e1_pc = core.pipeline_1.e1_pc;

  reg [63:0] next;
  reg went = 0;
  always @(posedge clk) begin
    if (reset) next <= `RESET_PC;
    else if (tick) begin
      went <= go;
      if (taken) next <= target;
      else if (trap) next <= {palBase[63:14], vector[13:1], 1'b1};
      else if (go) next <= next + 4;
    end
  end
  always @* if (!reset && tick) begin
    assert (!go || pc == next);
    assert (!go || !trap);
    assert (!taken || (!go && !trap));
    assert (left == (trap || (taken && isCall)));
    assert (!left || leaves == next);
  end

  // What keeps it so: the front end holds the path in order, none of it twice.
  wire dValid = core.fetch.dValid;
  wire cold = core.fetch.fetched_payload_cold;
  wire f2Valid = core.fetch.f2Valid;
  wire [63:0] f2Pc = core.fetch.f2Pc;
  wire [63:0] f1Pc = core.fetch.f1Pc;
  wire f2Hit = core.fetch.f2Hit;
  wire failed = core.fetch.failed;
  wire due = core.fetch.due;
  wire missing = core.fetch.missing;
  wire [63:0] second = dValid ? next + 4 : next;
  always @* if (!reset) begin
    assert (!dValid || (pc == next && !cold));
    assert (!f2Valid || f2Pc == second);
    assert (f1Pc == (f2Valid ? second + 4 : second));
    assert (!e1_valid || went);
    assert (!e1_valid || (e1_pc + 4 == next && e1_next == next[63:2] && !e1_predicted));
    // F2 waits while its miss is served.
    assert (!(f2Valid && !failed && (due || missing)) || !f2Hit);
    assert (!dValid || following == pc[63:2] + 62'd1);
  end
endmodule
