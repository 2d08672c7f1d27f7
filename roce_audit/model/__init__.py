"""The neutral model: what the hardware is, whatever syntax described it.

A port's facts are a tree of frozen dataclasses whose leaves, and whose steps to other objects, are Cells.
"""

from roce_audit.model.base import doc, documentation, fact_types, model
from roce_audit.model.counters import ClassCounters, Counters, FabricCounters
from roce_audit.model.device import Device, Host, HostVariable, JobNumber, NicSetup, Observation
from roce_audit.model.flowcontrol import Dcbx, Pfc, Watchdog
from roce_audit.model.forwarding import Forwarding
from roce_audit.model.joined import Application, Class, ClassPath, Fabric, Hop, Joined, Link, OddSetting, Position
from roce_audit.model.nic import Dcqcn, Gid
from roce_audit.model.port import Nic, Port
from roce_audit.model.queueing import Ecn, Pool, Priority, PriorityGroup, Queue, TrafficClass

__all__ = [
    "Application",
    "Class",
    "ClassCounters",
    "ClassPath",
    "Counters",
    "Dcbx",
    "Dcqcn",
    "Device",
    "Ecn",
    "Fabric",
    "FabricCounters",
    "Forwarding",
    "Gid",
    "Hop",
    "Host",
    "HostVariable",
    "JobNumber",
    "Joined",
    "Link",
    "Nic",
    "NicSetup",
    "Observation",
    "OddSetting",
    "Pfc",
    "Pool",
    "Port",
    "Position",
    "Priority",
    "PriorityGroup",
    "Queue",
    "TrafficClass",
    "Watchdog",
    "doc",
    "documentation",
    "fact_types",
    "model",
]
