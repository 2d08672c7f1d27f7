"""Counters of E810 and E830: the names in Linux, drivers ice (ice_ethtool.c) and irdma (verbs.c)."""

NAMES = {
    r"rx_priority_(?P<n>[0-7])_xoff\.nic": "priorities.{n}.pause_received",
    r"tx_priority_(?P<n>[0-7])_xoff\.nic": "priorities.{n}.pause_sent",
    r"rx_crc_errors\.nic": "crc_errors",
    r"link_xoff_rx\.nic": "link_pause_received",
    r"RxECNMrkd": "marked_received",
    r"cnpSent": "cnps_sent",
    r"cnpHandled": "cnps_handled",
    r"cnpIgnored": "cnps_ignored",
}
"""Pattern of a counter's name -> its path in `model.counters.Counters`. Of pause frames only those that stop are counted."""
