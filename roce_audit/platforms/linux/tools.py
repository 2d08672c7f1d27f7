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
    optics,
    pcie,
    playbooks,
    rdma,
    setups,
    storageclients,
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
    ethtool.SOME_SETTINGS,
    ethtool.ADDRESS,
    modules.MODINFO,
    optics.MODULE,
    *dcb.TOOLS,
    *rdma.TOOLS,
    *lldp.TOOLS,
    *devlink.TOOLS,
    *launch.TOOLS,  # a script that starts a job is one, whatever assignments its head has
    *env.TOOLS,
    *bootfiles.TOOLS,
    *pcie.TOOLS,
    *playbooks.TOOLS,
    *setups.TOOLS,
    *networkfiles.TOOLS,
    *ansible.TOOLS,
    storageclients.STORAGE,
    storageclients.NVME,
    *sysfs.TOOLS,
)
