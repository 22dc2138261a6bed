// SPDX-License-Identifier: BSD-2-Clause
// Liveness, second half: the instruction in D issues or traps.
//
// While it stands there, at most `QUIET ticks pass in which neither memory, I/O nor the multiplier
// owes an answer (nor a product its write), and at most `COMMANDS commands go out; then it issues
// or is trapped, unless the processor waits or is halted. So with answers within N ticks every wait
// ends.
module back_progress (input clk);
  `include "core.svh"
  wire go = core.pipeline_1.issue_go;
  wire trap = core.pipeline_1.issue_trap;
  wire taken = core.pipeline_1.execute_astray;
  wire awake = core.pipeline_1.pal_awake;
  wire valid = core.pipeline_1.fetched_valid;
  wire cold = core.pipeline_1.fetched_payload_cold;
  wire [31:0] word = core.pipeline_1.fetched_payload_instruction;
  wire [16:0] kind = core.pipeline_1.decode_decoder_control_kind;
  wire [1:0] destination = core.pipeline_1.decode_decoder_control_destination;
  wire locked = core.pipeline_1.decode_decoder_control_locked;
  wire legal = core.pipeline_1.decode_decoder_control_legal;
  `include "control.svh"
  wire fetchAhead = core.loadStore_1.fetch_prefetch_valid;
  wire fetchAheadReady = core.loadStore_1.fetch_prefetch_ready;
  `include "loadstore_state.svh"
  `include "access_rules.svh"

  // The instruction stays; the front end may prefetch once meanwhile (proof front_progress).
  wire redirects = core.pipeline_1.redirect_valid;
  reg turned = 0; // fetching was redirected in the last tick
  always @(posedge clk) if (reset) turned <= 0; else if (tick) turned <= redirects;
  reg stays, onceAhead;
  reg [31:0] word0;
  reg [16:0] kind0;
  wire remains = valid && !go && !trap && !taken;
  always @(posedge clk) if (reset) {stays, onceAhead} <= 0;
  else if (tick) begin
    stays <= remains;
    onceAhead <= remains && (onceAhead || (fetchAhead && fetchAheadReady));
    {word0, kind0} <= {word, kind};
  end
  always @* begin
    assume (!ideal && tick); // without a tick nothing moves
    assume (!legal || sane);
    assume (drainAt <= 4); // machines/parameters.toml
    assume (!cold); // no cold start
    assume (!stays || (valid && word == word0 && kind == kind0));
    assume (fetchRules && cacheRules);
    assume (!turned || !valid); // proof owners
    assume (!valid || !demandDue);
    assume (!(onceAhead && fetchAhead));
  end

  // ---- E1, and what answers late
  wire e1_valid = core.pipeline_1.e1Valid;
  wire e1_issued = core.pipeline_1.e1_issued;
  wire e1_killed = core.pipeline_1.e1_killed;
  wire e1_memory = core.pipeline_1.e1_memory;
  wire e1_trap = core.pipeline_1.e1_trap;
  wire e1_writes = core.pipeline_1.e1_writes;
  wire e2_writes = core.pipeline_1.e2_writes;
  wire e2_valid = core.pipeline_1.e2_valid;
  wire [16:0] e1_kind = core.pipeline_1.e1_control_kind;
  wire e1_locked = core.pipeline_1.e1_control_locked;
  wire isMultiply = core.pipeline_1.execute_isMultiply;
  wire late_load = core.pipeline_1.late_load;
  wire [31:0] late_multiplies = core.pipeline_1.late_multiplies;
  wire lost = core.loadStore_1.locks_1.lost;
  wire toIo = jobAddress[33:32] != 0;

  // ---- the multiplier: it owes a product, or the register file's one port is wanted for two
  wire isBusy = core.pipeline_1.multiplier_1_busy;
  wire trapping = core.pipeline_1.multiplier_1_trapping;
  wire product = core.pipeline_1.multiplier_1_rsp_valid;
  wire crowded = core.pipeline_1.registers_crowded;
  wire multiplies = isMultiply || late_multiplies != 0 || isBusy || trapping || product || crowded;

  wire memoryOwes = (memoryAge != 0 && !memory_rsp_valid) ||
    (memory_cmd_valid && !memory_cmd_ready);
  wire ioOwes = (ioAge != 0 && !io_rsp_valid) || (io_cmd_valid && !io_cmd_ready);
  wire command = (memory_cmd_valid && memory_cmd_ready) || (io_cmd_valid && io_cmd_ready);
  reg [5:0] quiet;
  reg [3:0] commands;
  always @(posedge clk) if (reset) {quiet, commands} <= 0;
  else if (tick) begin
    if (!remains || !awake) {quiet, commands} <= 0;
    else begin
      if (!memoryOwes && !ioOwes && !multiplies) quiet <= quiet + 1;
      if (command) commands <= commands + 1;
    end
  end

  // What is left at most, of such ticks and of commands: it only ever gets less. A command costs
  // the tick it goes out and the tick of its answer; E1 may still open an access or a store.
  wire access = e1_valid && e1_memory;
  wire [5:0] ticksConditional = !compared ? 9 : !(armed && same) ? 3 :
    entered || toIo ? 5 - lost : 8;
  wire [5:0] ticksE1 = access ? 11 : e1_valid || e1_trap ? 2 : e2_valid;
  wire [5:0] ticksPending = isNone ? 0 : isStore ? 3 : isVerdict ? 2 - ripe : isConditional ?
    ticksConditional : !sent ? 2 : isIo;
  wire [5:0] ticksLeft = ticksE1 + 2 * unsent + (memoryAge != 0) + ticksPending +
    (onceAhead ? 0 : 2);
  wire [3:0] commandsLeft = access + unsent + (isStore || (isConditional && !entered) ||
    ((isFill || isIo) && !sent)) + !onceAhead;
  always @* if (!reset) begin
    assert (loadStoreState);
    assert (alone);
    assert (accessRules);
    assert (!(e1_issued && e1_killed) || turned); // what was killed is redirected away from
    assert (!e1_writes || e1_issued);
    assert (quiet + (valid ? ticksLeft : 0) <= `QUIET);
    assert (commands + (valid ? commandsLeft : 0) <= `COMMANDS);
    assert (!e2_writes || e2_valid);
    assert (!(access && !isNone));
    assert (!e1_valid || isNone || isFill);
    assert (!(e1_valid && e1_trap));
    assert (!access || e1_kind == `Kind_load || e1_kind == `Kind_store);
    assert (!(access && e1_kind == `Kind_store && e1_writes) || e1_locked);
    // A register that waits for a load has one under way.
    assert (!late_load || isFill || (isIo && (!jobStore || jobLocked)) ||
      isConditional || isVerdict);
  end
endmodule
