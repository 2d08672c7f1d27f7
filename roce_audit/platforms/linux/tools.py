"""The readers of what every Linux has."""

from __future__ import annotations

from roce_audit.platforms.linux import env
from roce_audit.platforms.linux.boot import files as bootfiles
from roce_audit.platforms.linux.boot import typedsettings
from roce_audit.platforms.linux.commands import (
    ansible,
    dcb,
    devlink,
    esxi,
    ethtool,
    ip,
    lldp,
    modules,
    optics,
    pcie,
    rdma,
    sysfs,
)
from roce_audit.platforms.linux.jobs import launch
from roce_audit.platforms.linux.jobs import logs as joblogs
from roce_audit.platforms.linux.jobs import manifests as jobmanifests
from roce_audit.platforms.linux.setups import files as setups
from roce_audit.platforms.linux.setups import networkfiles, playbooks
from roce_audit.platforms.linux.storage import clients as storageclients
from roce_audit.platforms.linux.storage import spdk

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
    *esxi.TOOLS,
    *rdma.TOOLS,
    *lldp.TOOLS,
    *devlink.TOOLS,
    *launch.TOOLS,  # a script that starts a job is one, whatever assignments its head has
    jobmanifests.MANIFEST,
    joblogs.LOG,
    *env.TOOLS,
    *bootfiles.TOOLS,
    *pcie.TOOLS,
    *playbooks.TOOLS,
    *setups.TOOLS,
    *networkfiles.TOOLS,
    *ansible.TOOLS,
    storageclients.STORAGE,
    storageclients.NVME,
    typedsettings.TYPED,
    spdk.SPDK,
    *sysfs.TOOLS,
)
