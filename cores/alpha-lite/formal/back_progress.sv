// SPDX-License-Identifier: BSD-2-Clause
// Liveness, second half: the instruction in D issues or traps.
//
// While it stands there, at most `QUIET ticks pass in which neither memory, I/O nor the multiplier
// owes an answer, and at most `COMMANDS commands go out; then it issues or is trapped, unless the
// processor waits or is halted. So with answers within N ticks every wait ends.
module back_progress (input clk);
  `include "core.svh"
  wire go = core.pipeline_1.issue_go;
  wire trap = core.pipeline_1.issue_trap;
  wire taken = core.pipeline_1.execute_taken;
  wire awake = core.pipeline_1.pal_awake;
  wire valid = core.pipeline_1.fetched_valid;
  wire [31:0] word = core.pipeline_1.fetched_payload_instruction;
  wire running = core.pipeline_1.multiplier_1.running;
  wire first = core.pipeline_1.multiplier_1.first_valid;
  wire second = core.pipeline_1.multiplier_1.second_valid;
  wire isMultiply = core.pipeline_1.execute_isMultiply;
  wire [4:0] kind = core.pipeline_1.decode_decoder_control_kind;
  wire [1:0] destination = core.pipeline_1.decode_decoder_control_destination;
  wire locked = core.pipeline_1.decode_decoder_control_locked;
  wire legal = core.pipeline_1.decode_decoder_control_legal;
  `include "control.svh"
  wire multiplies = isMultiply || running || first || second;
  wire trapping = core.pipeline_1.multiplier_1.trapping;
  wire [31:0] late_loads = core.pipeline_1.late_loads;
  wire [31:0] late_multiplies = core.pipeline_1.late_multiplies;
  wire [1:0] pending = core.loadStore_1.pending;
  wire sent = core.loadStore_1.sent;
  wire busBusy = core.loadStore_1.arbiter.busy;
  wire [1:0] busKind = core.loadStore_1.arbiter.kind_1;
  wire e1_valid = core.pipeline_1.e1_valid;
  wire e1_memory = core.pipeline_1.e1_memory;
  wire e1_trap = core.pipeline_1.e1_trap;
  wire e2_writes = core.pipeline_1.e2_writes;
  wire e2_valid = core.pipeline_1.e2_valid;
  wire demand = core.fetch_port_demand_valid;
  wire fetchAhead = core.fetch_port_prefetch_valid;
  wire fetchAheadReady = core.loadStore_1.fetch_prefetch_ready;
  wire moves = tick;
  wire [1:0] writeKind = core.loadStore_1.buffer_1_cmd_payload_kind;
  `include "buffer_wires.svh"
  `include "buffer_rules.svh"

  // The instruction stays; the front end may prefetch once meanwhile (proof front_progress).
  reg stays, onceAhead;
  reg [31:0] word0;
  reg [4:0] kind0;
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
    assume (writeKind == `MemoryKind_write);
    assume (reset || rules); // proof write_buffer
    assume (drainAt <= 4); // machines/parameters.toml
    assume (!stays || (valid && word == word0 && kind == kind0));
    assume (!valid || !demand);
    assume (!(onceAhead && fetchAhead));
  end

  wire [6:0] left = core.pipeline_1.multiplier_1.left;
  wire [4:0] workRegister = core.pipeline_1.multiplier_1.work_register;
  wire [4:0] firstRegister = core.pipeline_1.multiplier_1.first_payload_register;
  wire [4:0] secondRegister = core.pipeline_1.multiplier_1.second_payload_register;
  wire workTraps = core.pipeline_1.multiplier_1.work_overflow;
  wire firstTraps = core.pipeline_1.multiplier_1.first_payload_watched;
  wire secondTraps = core.pipeline_1.multiplier_1.second_payload_watched;
  wire taking = core.pipeline_1.multiplier_1_taken;
  wire [4:0] jobRegister = core.loadStore_1.job_register;
  wire jobStore = core.loadStore_1.job_store;
  wire e1_writes = core.pipeline_1.e1_writes;
  wire [4:0] e1_register = core.pipeline_1.e1_register;
  reg waited; // the product waits for the register port
  always @(posedge clk) waited <= !reset && second && !taking;
  function [31:0] bitOf(input valid, input [4:0] register);
    bitOf = valid && register != 31 ? 32'd1 << register : 0;
  endfunction

  wire memoryOwes = (memoryAge != 0 && !memory_rsp_valid) || (memory_cmd_valid && !memory_cmd_ready);
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
  wire [5:0] ticksLeft = (access ? 6 : e1_valid || e1_trap ? 2 : e2_valid) + 2 * unsent + (memoryAge != 0) +
    (pending == `Wait_1_none ? 0 : pending == `Wait_1_store ? 3 : !sent ? 2 :
      pending == `Wait_1_io) + (onceAhead ? 0 : 2);
  wire [3:0] commandsLeft = access + unsent +
    (pending == `Wait_1_store || (pending != `Wait_1_none && !sent)) + !onceAhead;
  always @* if (!reset) begin
    assert (quiet + (valid ? ticksLeft : 0) <= `QUIET);
    assert (commands + (valid ? commandsLeft : 0) <= `COMMANDS);
    assert (!e2_writes || e2_valid);
    assert (busBusy == (memoryAge != 0));
    assert (sending == (busBusy && busKind == `MemoryKind_write));
    assert ((pending == `Wait_1_fill && sent) == (busBusy && busKind == `MemoryKind_load));
    assert ((pending == `Wait_1_io && sent) == (ioAge != 0));
    assert (!sent || pending == `Wait_1_fill || pending == `Wait_1_io);
    assert (!(access && pending != `Wait_1_none));
    // A register that waits for a load has one under way.
    assert (late_loads == 0 || ((pending == `Wait_1_fill || (pending == `Wait_1_io && !jobStore)) &&
      late_loads == 32'd1 << jobRegister));
    // So for multiplies: one runs; the one before it may be on its last two ticks, or wait one more
    // because a load has the register port.
    assert (late_multiplies ==
      (bitOf(running, workRegister) | bitOf(first, firstRegister) | bitOf(second, secondRegister)));
    assert (!(isMultiply && e1_writes && late_multiplies[e1_register]));
    assert (!isMultiply || (!running && e1_writes == (e1_register != 31)));
    assert (!first || (!running && !second));
    assert (!running || left >= 2);
    assert (!(second && running) || (left >= (waited ? 16 : 17) &&
      (workRegister != secondRegister || workRegister == 31)));
    assert (!waited || pending == `Wait_1_none);
    assert (!trapping || (running && workTraps) || (first && firstTraps) || (second && secondTraps));
  end
endmodule
