"""Counters of Pollara and other ionic cards, as `ethtool -S` and `rdma statistic` print them (ROCm, device-metrics-exporter).

`resp_rx_outouf_seq` is the driver's own spelling.
"""

NAMES = {
    r"frames_rx_pripause": "pause_received",
    r"frames_tx_pripause": "pause_sent",
    r"frames_rx_bad_fcs": "crc_errors",
    r"frames_rx_pause": "link_pause_received",
    r"rsfec_correctable_word": "fec_corrected",
    r"rsfec_uncorrectable_word": "fec_uncorrectable",
    r"rx_rdma_ecn_pkts": "marked_received",
    r"tx_rdma_cnp_pkts": "cnps_sent",
    r"rx_rdma_cnp_pkts": "cnps_handled",
    r"req_rx_pkt_seq_err": "sequence_errors",
    r"tx_rdma_ack_timeout": "ack_timeouts",
    r"resp_rx_outouf_seq": "out_of_sequence",
}
"""Pattern of a counter's name -> its path in `model.counters.Counters`. The card counts CNPs that came in, not those obeyed."""
