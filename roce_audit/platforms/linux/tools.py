"""The readers of what every Linux has."""

from __future__ import annotations

from roce_audit.platforms.linux import (
    ansible,
    bootfiles,
    dcb,
    devlink,
    env,
    ethtool,
    ip,
    launch,
    lldp,
    modules,
    networkfiles,
    pcie,
    playbooks,
    rdma,
    setups,
    sysfs,
)

TOOLS = (
    ip.LINK,
    ip.ADDRESS,
    ip.ROUTE,
    ethtool.DRIVER,
    ethtool.PAUSE,
    ethtool.FEC,
    ethtool.EEE,
    ethtool.SETTINGS,
    ethtool.ADDRESS,
    modules.MODINFO,
    *dcb.TOOLS,
    *rdma.TOOLS,
    *lldp.TOOLS,
    *devlink.TOOLS,
    *env.TOOLS,
    *bootfiles.TOOLS,
    *pcie.TOOLS,
    *launch.TOOLS,
    *playbooks.TOOLS,
    *setups.TOOLS,
    *networkfiles.TOOLS,
    *ansible.TOOLS,
    *sysfs.TOOLS,
)
