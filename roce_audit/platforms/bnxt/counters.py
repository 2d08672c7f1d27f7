"""Counters of BCM57xxx: the names in Linux, drivers bnxt_en (bnxt_ethtool.c) and bnxt_re (hw_counters.c)."""

NAMES = {
    r"rx_pfc_ena_frames_pri(?P<n>[0-7])": "priorities.{n}.pause_received",
    r"tx_pfc_ena_frames_pri(?P<n>[0-7])": "priorities.{n}.pause_sent",
    r"pfc_pri(?P<n>[0-7])_rx_duration_us": "priorities.{n}.paused_us",
    r"pfc_pri(?P<n>[0-7])_tx_duration_us": "priorities.{n}.pausing_us",
    r"rx_pcs_symbol_err": "uncorrected_errors",
    r"rx_corrected_bits": "fec_corrected",
    r"rx_fcs_err_frames": "crc_errors",
    r"rx_pause_frames": "link_pause_received",
    r"rx_ecn_marked_pkts": "marked_received",
    r"tx_cnp_pkts": "cnps_sent",
    r"rx_cnp_pkts": "cnps_handled",
    r"link_down_events": "link_downs",
    r"seq_err_naks_rcvd": "sequence_errors",
    r"oos_drop_count": "sequence_errors",
    r"to_retransmits": "ack_timeouts",
    r"rx_roce_discards": "roce_discards",
}
"""Pattern of a counter's name -> its path in `model.counters.Counters`. The card counts CNPs that came in, not those obeyed."""
