// SPDX-License-Identifier: BSD-2-Clause
// The prediction of an instruction stays the same as long as the instruction is in D. Fetching goes
// to the predicted target in the first tick, and E1 compares with the prediction of the last tick.
module foreseen (input clk);
  `include "core.svh"
  always @(posedge clk) if (!reset) assume (ev4 == $past(ev4)); // constant in a run
  `observe(core, consume = pipeline_1_consume, predicted = fetch_prediction_taken,
    predictedTo = fetch_prediction_target)
  `observe(core.fetch, valid = fetched_valid, turning, killed)
  always @* begin
    assume (tick || !consume);
    assume (!killed || turning); // a kill redirects fetching, and D is void (proof owners)
  end
  reg stays = 0, predicted0;
  reg [32:0] predictedTo0;
  always @(posedge clk)
    {stays, predicted0, predictedTo0} <= {valid && !consume && !reset, predicted, predictedTo};
  always @* if (!reset && stays && valid)
    assert (predicted == predicted0 && (!predicted || predictedTo == predictedTo0));
endmodule
