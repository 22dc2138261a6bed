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
  wire demand = core.fetch_port_demand_valid;
  wire fetchAhead = core.fetch_port_prefetch_valid;
  wire fetchAheadReady = core.loadStore_1.fetch_prefetch_ready;
  wire moves = tick;
  wire [1:0] writeKind = core.loadStore_1.buffer_1_cmd_payload_kind;
  `include "buffer_wires.svh"
  `include "buffer_rules.svh"

  // The instruction stays; the front end may prefetch once meanwhile (proof front_progress).
  reg stays = 0, onceAhead = 0;
  reg [31:0] word0;
  reg [4:0] kind0;
  always @(posedge clk) if (tick) begin
    stays <= valid && !go && !trap && !taken && !reset;
    onceAhead <= valid && !go && !trap && !taken && (onceAhead || (fetchAhead && fetchAheadReady));
    {word0, kind0} <= {word, kind};
  end
  always @* begin
    assume (!ideal);
    assume (!legal || sane);
    assume (writeKind == `MemoryKind_write);
    assume (reset || rules); // proof write_buffer
    assume (drainAt <= 4); // machines/parameters.toml
    assume (!stays || (valid && word == word0 && kind == kind0));
    assume (!valid || !demand);
    assume (!(onceAhead && fetchAhead));
  end

  wire memoryOwes = (memoryAge != 0 && !memory_rsp_valid) || (memory_cmd_valid && !memory_cmd_ready);
  wire ioOwes = (ioAge != 0 && !io_rsp_valid) || (io_cmd_valid && !io_cmd_ready);
  wire multiplies = isMultiply || running || first || second;
  wire command = (memory_cmd_valid && memory_cmd_ready) || (io_cmd_valid && io_cmd_ready);
  reg [4:0] quiet = 0;
  reg [3:0] commands = 0;
  always @(posedge clk) if (tick) begin
    if (reset || !valid || go || trap || taken || !awake) {quiet, commands} <= 0;
    else begin
      if (!memoryOwes && !ioOwes && !multiplies && quiet != 31) quiet <= quiet + 1;
      if (command && commands != 15) commands <= commands + 1;
    end
  end
  always @* if (!reset) begin
    assert (quiet <= `QUIET);
    assert (commands <= `COMMANDS);
  end
endmodule
