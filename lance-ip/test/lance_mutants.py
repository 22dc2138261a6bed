# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes put into the LANCE's Verilog (``mcpi.infect``).

Random histories are asked first; ``tests`` are coroutines of this folder to ask then, each
``file.coroutine``. Two that change nothing were taken out: a TDMD lost in the tick in which one is
taken (the look that takes it comes after), and a BUFF that leaves TXON (UFLO comes with it).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    title: str
    module: str
    right: str
    wrong: str
    tests: tuple[str, ...] = ()


RETRY = "test_half_duplex.test_short_chain_is_kept_for_a_retry"
MUTANTS = [
    Mutant("INEA is taken while stopped", "Registers",
           "= ((((! stop) || io_port_writeData[0]) || io_port_writeData[1]) || 1'b0)", "= 1'b1",
           ("test_registers.test_s11_inea_while_stopped",)),
    Mutant("TDMD is taken while stopped", "Registers",
           "= (io_port_writeData[3] && (strt || io_port_writeData[1]))", "= io_port_writeData[3]",
           ("test_bits.test_csr0_every_bit_written",)),
    Mutant("START wins over STOP", "Registers", "stops = (writesCsr0 && io_port_writeData[2])",
           "stops = (writesCsr0 && io_port_writeData[2] && (! io_port_writeData[1]))",
           ("test_registers.test_s09_stop_wins",)),
    Mutant("CSR1 to CSR3 can be written while running", "Registers",
           "= ((writes && (! io_port_rap)) && stop)", "= (writes && (! io_port_rap))",
           ("test_registers.test_s04_csr1_to_3_closed_while_running",)),
    Mutant("an interrupt without INEA", "Registers", "io_interrupt = (intr && inea)",
           "io_interrupt = intr", ("test_registers.test_s13_acknowledge_without_inea",)),
    Mutant("CERR interrupts", "Registers",
           "intr = (((((babl || miss) || merr) || rint) || tint) || idon)",
           "intr = ((((((babl || miss) || merr) || rint) || tint) || idon) || cerr)",
           ("test_transmit.test_s27_no_heartbeat",)),
    Mutant("a burst beyond the buffer's end", "TransmitRing",
           "io_bus_cmd_payload_bytes = bytes", "io_bus_cmd_payload_bytes = 5'h10"),
    Mutant("a retry without its first buffer", "TransmitRing",
           "io_mayRetry = ((! chained) && (! ((state == TxState_chain) && "
           "(bus_waiting || io_bus_cmd_fire))))",
           "io_mayRetry = 1'b1",
           ("test_half_duplex.test_first_buffer_too_short_for_a_retry",)),
    Mutant("the first buffer is not kept for a retry", "TransmitRing",
           "keeps = ((started && (! io_committed)) && (6'h10 <= io_occupancy))", "keeps = 1'b0",
           (RETRY,)),
    Mutant("a ring of one chains into itself", "TransmitRing",
           "= (own && (! (io_ring_lengthLog2 == 3'b000)))", "= own"),
    Mutant("DTCR is not heard", "TransmitRing", "io_appendFcs = ((! io_noFcs) || addFcs)",
           "io_appendFcs = 1'b1", ("test_transmit.test_s17_software_fcs",)),
    Mutant("ERR without lost carrier", "TransmitRing",
           "error = (((fatal || result_late) || result_lostCarrier) || result_failed)",
           "error = ((fatal || result_late) || result_failed)",
           ("test_half_duplex.test_s26_carrier_lost",)),
    Mutant("a demand waits for the poll", "TransmitRing",
           "demanded = ((io_demand && demandBefore) && demandTimer_over)", "demanded = 1'b0",
           ("test_transmit.test_s44_hand_over_to_tint",)),
    Mutant("MISS without a frame", "ReceiveRing", "= ((! own) && forFrame)", "= (! own)"),
    Mutant("a buffer that a frame fills is chained", "ReceiveRing",
           "= ((! room) && some);", "= (! room);",
           ("test_bits.test_receive_buffers_of_every_length",)),
    Mutant("babble a byte late", "TransmitWire", "(bytes == 11'h5ee)", "(bytes == 11'h5ef)",
           ("test_transmit.test_babble_starts_at_1519_bytes",)),
    Mutant("half a slot time", "TransmitWire", "slotOver = position[7]", "slotOver = position[6]",
           ("test_half_duplex.test_s25_late_collision",)),
    Mutant("MORE after one retry", "TransmitWire",
           "= (retried && (4'b0001 < backoff_1_io_collisions))",
           "= (retried && (4'b0000 < backoff_1_io_collisions))",
           ("test_half_duplex.test_s23_one_collision",)),
    Mutant("fifteen attempts", "TransmitWire", "(backoff_1_io_collisions != 4'b1111)",
           "(backoff_1_io_collisions != 4'b1110)",
           ("test_half_duplex.test_s23_fifteen_collisions",)),
    Mutant("a late collision is RTRY too", "TransmitWire",
           "io_result_failed = (collided && (! late))", "io_result_failed = collided",
           ("test_half_duplex.test_s25_late_collision",)),
    Mutant("no deferral", "TransmitWire",
           "carrier = ((shared_1 && io_carrier) && (! sending))", "carrier = 1'b0",
           ("test_half_duplex.test_deferral",)),
    Mutant("internal loopback listens to the wire", "TransmitWire",
           "shared_1 = (io_halfDuplex && (! (io_mode_loopback && io_mode_internal)))",
           "shared_1 = io_halfDuplex", ("test_loopback.test_internal_overlooks_the_wire",)),
    Mutant("a frame of 63 bytes is none too short", "ReceiveWire",
           "= ((length < 12'h040) && (! io_mode_loopback))",
           "= ((length < 12'h03f) && (! io_mode_loopback))",
           ("test_receive.test_s33_runt",)),
    Mutant("FRAM without a CRC error", "ReceiveWire",
           "io_end_payload_framing = (bad && odd)", "io_end_payload_framing = odd",
           ("test_receive.test_s34_fcs_and_dribble",)),
    Mutant("the filter takes the CRC's low bits", "ReceiveWire", "filter_chosen[crc[27 : 26]]",
           "filter_chosen[crc[1 : 0]]", ("test_receive.test_s31_logical_filter",)),
    Mutant("broadcasts stay out", "ReceiveWire", "(io_mode_promiscuous || filter_broadcast)",
           "(io_mode_promiscuous || 1'b0)"),
    Mutant("the address's first byte counts for nothing", "ReceiveWire",
           "(filter_six == io_physical)", "(filter_six[47 : 8] == io_physical[47 : 8])",
           ("test_bits.test_physical_address_every_bit",)),
    Mutant("RX_ER counts for nothing", "ReceiveWire",
           "bad = (ownCrc && (spoilt || (wholeCrc != 32'hdebb20e3)))",
           "bad = (ownCrc && (wholeCrc != 32'hdebb20e3))",
           ("test_receive.test_receive_error_of_the_phy",)),
    Mutant("the chip hears its own frame", "Lance",
           "own = ((io_halfDuplex && transmitWire_1_io_enable) && (! init_io_mode_loopback))",
           "own = 1'b0", ("test_half_duplex.test_own_frame_is_not_received",)),
    Mutant("no heartbeat is asked for after a loopback", "Lance",
           "= (! (init_io_mode_loopback && init_io_mode_internal))", "= 1'b0",
           ("test_transmit.test_s27_no_heartbeat",)),
    Mutant("a carrier is never overlooked in the spacing", "Deferral",
           "again = (io_carrier && (! overlooks))", "again = io_carrier",
           ("test_half_duplex.test_deferral_starts_again",)),
    Mutant("the silo takes a byte more", "Silo", "full <= (used == 7'h2f)",
           "full <= (used == 7'h30)", ("test_receive.test_s38_overflow",)),
    Mutant("READY is waited for without end", "BusMaster",
           "= ((requesting && readyOver) && (! io_memory_done))", "= 1'b0",
           ("test_wiring.test_s39_no_ready",)),
    Mutant("SIMR is not asked", "Ioasic", "io_slot_int = (|(sir & simr))",
           "io_slot_int = (|sir)", ("test_wiring.test_simr_masks_the_interrupt",)),
    Mutant("PROM does nothing", "InitBlock", "io_mode_promiscuous = words_0[15]",
           "io_mode_promiscuous = 1'b0"),
    Mutant("a ring's base has 23 bits", "InitBlock",
           "io_receive_base = {{words_9[7 : 0],words_8[15 : 3]},3'b000}",
           "io_receive_base = {{1'b0,words_9[6 : 0],words_8[15 : 3]},3'b000}",
           ("test_bits.test_ring_addresses_every_bit",)),
    Mutant("a frame that ends while stopped leaves the receiver deaf", "ReceiveWire",
           "ends = (io_strobe && (! io_dataValid))", "ends = 1'b0"),
    Mutant("a burst's words count as posted when it is over", "TcDma",
           "io_posted = ((((state == DmaState_writing) || (posted_io_occupancy != 6'h0)) || "
           "(waiting && writesOut)) || writeFailed)",
           "io_posted = (((posted_io_occupancy != 6'h0) || (waiting && writesOut)) || "
           "writeFailed)"),
]  # fmt: skip
