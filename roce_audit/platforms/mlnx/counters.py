"""Counters of ConnectX and BlueField: Linux, Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst;
RDMA counters: NVIDIA, Understanding mlx5 Linux Counters and Status Parameters.
"""

NAMES = {
    r"rx_prio(?P<n>[0-7])_pause": "priorities.{n}.pause_received",
    r"tx_prio(?P<n>[0-7])_pause": "priorities.{n}.pause_sent",
    r"rx_prio(?P<n>[0-7])_(?:discards|buf_discard|cong_discard)": "priorities.{n}.discards",
    r"rx_prio(?P<n>[0-7])_pause_duration": "priorities.{n}.paused_us",
    r"tx_prio(?P<n>[0-7])_pause_duration": "priorities.{n}.pausing_us",
    r"rx_prio(?P<n>[0-7])_packets": "priorities.{n}.packets",
    r"tx_prio(?P<n>[0-7])_packets": "priorities.{n}.packets",
    r"rx_vport_rdma_unicast_packets": "rdma_packets",
    r"tx_vport_rdma_unicast_packets": "rdma_packets",
    r"rx_pcs_symbol_err_phy|Effective Physical Errors": "uncorrected_errors",
    r"outbound_pci_stalled_wr_events": "pcie_stalled_s",
    r"rx_corrected_bits_phy": "fec_corrected",
    r"rx_discards_phy": "discards",
    r"rx_crc_errors_phy": "crc_errors",
    r"port_rcv_errors": "receive_errors",
    r"rx_global_pause": "link_pause_received",
    r"tx_pause_storm_(?:warning|error)_events": "storms",
    r"out_of_sequence": "out_of_sequence",
    r"packet_seq_err": "sequence_errors",
    r"local_ack_timeout_err": "ack_timeouts",
    r"rx_icrc_encapsulated": "corrupt_packets",
    r"np_ecn_marked_roce_packets": "marked_received",
    r"np_cnp_sent": "cnps_sent",
    r"rp_cnp_handled": "cnps_handled",
    r"link_down_events_phy|Link Down Counter|link_downed": "link_downs",
    r"rp_cnp_ignored": "cnps_ignored",
}
"""Pattern of a counter's name -> its path in `model.counters.Counters`."""
