"""What gives texts of Cumulus Linux away: the patterns by which a text is recognised, and its form told."""

from __future__ import annotations

TREE = r"""^[-\s{\["']{0,8}(?:header|set|unset)["']?[ \t]*:"""
TREE_SURE = r"nvue-api-version[\"']?[ \t]*:"
BRANCH = r"""^[ \t]+["']?(?:interface|qos|system|router|bridge|evpn|vrf|nve|platform)["']?[ \t]*:"""
BARE_QOS = (
    r"""["']qos["'][ \t]*:\s{0,200}\{\s{0,200}["'](?:roce|mapping|remark|pfc|pfc-watchdog|congestion-control|traffic-pool"""
    r"""|egress-queue-mapping|egress-scheduler|egress-shaper|advance-buffer-config)["'][ \t]*:"""
)
"""QoS in the tree of a revision, as the API gives it: JSON without `header` and `set`."""
BARE_PORT = r"""["'](?:swp\d[\w,-]{0,200}|bond\d{1,4}|peerlink)["'][ \t]*:\s{0,200}\{"""
"""A port in it."""
NV = (
    r"^[ \t]*(?:[\w.-]{1,64}@[^\s#$]{1,100}[#$] ?|\$ )?(?:sudo )?nv (?:set|unset)"
    r" (?:interface|qos|system|bridge|router|vrf|evpn|nve|mlag|service|acl)\b"
)
NET = (
    r"^[ \t]*(?:sudo )?net (?:add|del) (?:interface|bond|bridge|hostname|bgp|loopback"
    r"|vlan|vxlan|roce|vrf|ospf|clag|time|dns|snmp-server|routing)\b"
)
SETTING = (
    r"^[ \t]*(?:traffic\.(?:packet_priority_\w+|remark_packet_priority|port_default_priority|priority_group_list"
    r"|cos_\d\.(?:priority_\w+|packet_priorities)\.\w+)"
    r"|(?:pfc|ecn|ecn_red|link_pause|egress_sched|shaping|source|remark|pfc_watchdog)\.(?:port_group_list|[\w-]+\.\w[\w.]*)"
    r"|default_(?:ecn_red_conf|egress_sched)\.[\w.]+|cos_egr_queue\.cos_\d\.\w+|pfc_wd\.\w+"
    r"|priority_group\.\w+\.(?:cos_list|weight|id|service_pool|ingress_buffer)[\w.]*|flow_control\.\w[\w.]*"
    r"|(?:in|e)gress_service_pool\.\d\.\w+)[ \t]*="
)
STANZA = (
    r"^[ \t]*(?:auto|iface) (?:swp\d|peerlink\b"
    r"|bond\d{1,4}[^\n]{0,100}\n(?:[ \t][^\n]{0,300}\n){0,12}?[ \t]{1,20}bond-slaves[ \t][^\n]{0,300}?swp)"
)
"""Hosts have bonds as well, and other ports in them."""
ANSWER = r"^RoCE (?:PCP/DSCP->SP mapping|SP->TC mapping and ETS) configurations *$"
"""A title of `nv show qos roce`."""
