# SPDX-License-Identifier: BSD-2-Clause
"""Faults to plant in the protocols: what the fuzzer is measured by (docs/verification/fuzzing.md).

Each is a change of one file's text that must apply to it exactly once.
"""

from dataclasses import dataclass
from pathlib import Path

from host_build import FIRMWARE


@dataclass(frozen=True)
class Fault:
    name: str
    file: str  # below firmware/protocols
    old: str
    new: str
    noticed: str  # by what the fuzzer says

    @property
    def source(self) -> Path:
        return FIRMWARE / "protocols" / self.file

    def planted(self) -> str:
        text = self.source.read_text()
        assert text.count(self.old) == 1, f"{self.name}: does not apply to {self.file}"
        return text.replace(self.old, self.new)


FREED = "heap-use-after-free"
LEFT = "memory is still in use|memory that nothing points at"
TWICE = "a session is closed more often than it was opened"

FAULTS = [
    Fault(
        "tcp_cuts_a_byte_too_little",
        "tcp/tcp_input.c",
        "\tmsg_discard(m, old);\n\tg->sequence += old;\n\tg->bytes -= old;\n}",
        "\tmsg_discard(m, old - 1);\n\tg->sequence += old;\n\tg->bytes -= old;\n}",
        "TCP has handed up another byte",
    ),
    Fault(
        "tcp_steps_over_an_option_of_length_0",
        "tcp/tcp_demux.c",
        "if (bytes < 2 || option[1] < 2 || option[1] > bytes)",
        "if (bytes < 2 || option[1] > bytes)",
        "it hangs",
    ),
    Fault(
        "tcp_keeps_early_segments_of_a_closed_connection",
        "tcp/tcp_state.c",
        "\ttcp_early_free(t);\n",
        "",
        LEFT,
    ),
    Fault(
        "tcp_sends_again_without_end",
        "tcp/tcp_timer.c",
        "\tif (t->backoff >= TCP_MAX_RETRANSMITS) {",
        "\tif (0) {",
        LEFT,
    ),
    Fault(
        "blast_count_has_no_limit",
        "blast/blast_demux.c",
        "if (fragments == 0 || fragments > BLAST_MAX_FRAGMENTS) {",
        "if (fragments == 0) {",
        "shift exponent",
    ),
    Fault(
        "fragment_overlapped_moves_the_place_back",
        "fragment/assemble.c",
        "\t\tif (at < p->offset + p->bytes)\n\t\t\tat = p->offset + p->bytes;",
        "\t\tat = p->offset + p->bytes;",
        "pieces are not as long as their datagram",
    ),
    Fault(
        "fragment_last_wins_over_the_first",
        "fragment/assemble.c",
        "\t\tmsg_discard(&p->msg, from - offset);\n",
        "\t\tmsg_discard(&p->msg, 0);\n",
        "a byte of a datagram in pieces is not where it was",
    ),
    Fault(
        "udp_refused_session_stays_in_the_map",
        "udp/udp_demux.c",
        "\t\tmap_unbind(&udp->active, &((struct udp_session *)session->state)->key);\n",
        "",
        FREED,
    ),
    Fault(
        "udp_sends_checksum_0",
        "udp/udp.c",
        "\t\tif (!check)\n\t\t\tcheck = 0xffff; /* 0 on the wire says that there is none */\n",
        "",
        "UDP without checksum",
    ),
    Fault(
        "chan_buries_who_executes",
        "chan/chan_server.c",
        "\tif (!session->refs)\n\t\tchan_bury(session);\n",
        "\tchan_bury(session);\n\tchan_drop_kept(session);\n\txDestroy(session);\n",
        FREED,
    ),
    Fault(
        "chan_keeps_an_acknowledged_reply",
        "chan/chan_server.c",
        "\tchan_drop_kept(session);\n\te->state = CHAN_IDLE;",
        "\te->state = CHAN_IDLE;",
        LEFT,
    ),
    Fault(
        "mselect_frees_a_refused_session",
        "mselect/mselect_server.c",
        "\tif (xOpenDone(enable->receiver, session, self) < 0)\n\t\treturn NULL;",
        "\tif (xOpenDone(enable->receiver, session, self) < 0) {\n"
        "\t\tmselect_session_destroy(session);\n\t\treturn NULL;\n\t}",
        FREED,
    ),
    Fault(
        "vnet_leaves_itself_above_a_session",
        "vnet/vnet.c",
        "\tlower->up = session->protocol; /* its next message makes a new one of us */\n",
        "",
        FREED,
    ),
    Fault(
        "arp_keeps_what_waited_for_nobody",
        "arp/arp_session.c",
        "\tif (s->holds)\n\t\tmsg_destroy(&s->held);\n\ts->holds = 0;",
        "\ts->holds = 0;",
        LEFT,
    ),
    Fault(
        "icmp_ping_gives_its_session_back_twice",
        "icmp/icmp_ping.c",
        "\tif (session)\n\t\txClose(session);\n\tping->waited",
        "\tif (session)\n\t\txClose(session);\n\tif (result == XK_OK)\n"
        "\t\txClose(session);\n\tping->waited",
        TWICE,
    ),
    Fault(
        "eth_does_not_count_a_second_open",
        "eth/eth_open.c",
        "return session ? xDuplicate(session) : NULL;",
        "return session;",
        f"{FREED}|{TWICE}",
    ),
    Fault(
        "ip_leaves_the_padding",
        "ip/ip_demux.c",
        "\tmsg_truncate(m, total - header_bytes);\n",
        "",
        "an echo longer or shorter",
    ),
    Fault(
        "vchan_uses_a_channel_it_has_closed",
        "vchan/vchan.c",
        "\t\tv->total--;\n\t\txClose(channel);\n\t\treturn;",
        "\t\tv->total--;\n\t\txClose(channel);",
        f"{FREED}|{TWICE}",
    ),
]

# Noticed by the machine that lives through all inputs.
GIVEN_BACK = "hears of a session that it has given back"
LIVING = [
    Fault(
        "tcp_falls_silent_when_the_window_closes",
        "tcp/tcp_ack.c",
        "\t\ttcp_window_shut(t);\n",
        "\t\tt->timer[TCP_RETRANSMIT] = 0;\n",
        "unacknowledged data and neither RETRANSMIT nor PERSIST",
    ),
    Fault(
        "tcp_does_not_probe_over_data_under_way",
        "tcp/tcp_ack.c",
        "\t\ttcp_window_shut(t);\n",
        "\t\t;\n",
        "sent again into a closed window",
    ),
    Fault(
        "tcp_delivers_early_data_after_a_close",
        "tcp/tcp_data.c",
        "\t\tif (old < e->bytes && user_has_gone(s)) {",
        "\t\tif (0) {",
        GIVEN_BACK,
    ),
    Fault(
        "tcp_tells_of_a_fin_after_a_close",
        "tcp/tcp_data.c",
        "\tif (!user_has_gone(s))\n\t\txCloseDone(s, XK_CLOSE_PEER);",
        "\tif (!t->user_closed)\n\t\txCloseDone(s, XK_CLOSE_PEER);",
        GIVEN_BACK,
    ),
    Fault(
        "tcp_half_open_outlives_its_listener",
        "tcp/tcp_open.c",
        "\tmap_for_each(&p->active, reset_half_open, &key);\n",
        "\t(void)reset_half_open;\n",
        "a connection to a port that it has closed",
    ),
    Fault(
        "tcp_keeps_a_fin_within_early_data",
        "tcp/tcp_data.c",
        "if (before->fin || old > g->bytes || (old == g->bytes && !fin))",
        "if (old >= g->bytes && (before->fin || !fin))",
        "an early segment's bytes|early segments overlap",
    ),
]
