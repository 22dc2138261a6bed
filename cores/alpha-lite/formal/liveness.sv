// SPDX-License-Identifier: BSD-2-Clause
// Liveness: an instruction issues or a trap is taken, if only the world answers.
//
// From one issue (or trap) to the next, there are at most `TRANSACTIONS commands to memory and I/O,
// and at most `QUIET ticks in which neither an answer is owed by memory or I/O nor a product by the
// multiplier. So if every answer comes within N ticks, something issues within
// QUIET + TRANSACTIONS * N + the multiplier's ticks; or the processor waits or is halted.
module liveness (input clk);
  `include "core.svh"
  wire go = core.pipeline_1.issue_go;
  wire trap = core.pipeline_1.issue_trap;
  wire awake = core.pipeline_1.pal_awake;
  wire flush = core.pipeline_1.pal_flush;
  wire e1_valid = core.pipeline_1.e1_valid;
  wire [4:0] e1_kind = core.pipeline_1.e1_control_kind;
  wire running = core.pipeline_1.multiplier_1.running;
  wire first = core.pipeline_1.multiplier_1.first_valid;
  wire second = core.pipeline_1.multiplier_1.second_valid;
  wire isMultiply = core.pipeline_1.execute_isMultiply;
  wire [4:0] kind = core.pipeline_1.decode_decoder_control_kind;
  wire [1:0] destination = core.pipeline_1.decode_decoder_control_destination;
  wire locked = core.pipeline_1.decode_decoder_control_locked;
  wire legal = core.pipeline_1.decode_decoder_control_legal;
  `include "control.svh"

  // The write buffer (proof write_buffer).
  wire moves = tick;
  `include "buffer_wires.svh"
  wire [1:0] writeKind = core.loadStore_1.buffer_1_cmd_payload_kind;
  `include "buffer_rules.svh"

  // A block that was filled is there when F2 comes back for it (proof refill).
  wire arrival = core.fetch.arrival_valid;
  wire arrivalError = core.fetch.arrival_payload_error;
  wire redirect = core.fetch.redirect_valid;
  wire f2Valid = core.fetch.f2Valid;
  wire f2Hit = core.fetch.f2Hit;
  reg filled = 0;
  always @(posedge clk) if (!reset) begin
    if (arrival) filled <= !arrivalError;
    else if (f2Valid && f2Hit) filled <= 0;
    if (redirect || (tick && flush)) filled <= 0;
  end
  always @* begin
    assume (!legal || sane);
    assume (!ideal);
    assume (reset || rules);
    assume (writeKind == `MemoryKind_write);
    assume (!filled || !f2Valid || f2Hit);
    assume (!flush || (e1_valid && e1_kind == `Kind_palWrite));
    assume (drainAt <= 4); // machines/parameters.toml
  end

  wire memoryOwes = (memoryAge != 0 && !memory_rsp_valid) || (memory_cmd_valid && !memory_cmd_ready);
  wire ioOwes = (ioAge != 0 && !io_rsp_valid) || (io_cmd_valid && !io_cmd_ready);
  wire multiplies = isMultiply || running || first || second;
  wire command = (memory_cmd_valid && memory_cmd_ready) || (io_cmd_valid && io_cmd_ready);
  reg [5:0] quiet = 0;
  reg [3:0] commands = 0;
  always @(posedge clk) if (tick) begin
    if (reset || go || trap || !awake) {quiet, commands} <= 0;
    else begin
      if (!memoryOwes && !ioOwes && !multiplies && quiet != 63) quiet <= quiet + 1;
      if (command && commands != 15) commands <= commands + 1;
    end
  end
  always @* if (!reset) begin
    assert (quiet <= `QUIET);
    assert (commands <= `TRANSACTIONS);
  end
endmodule
