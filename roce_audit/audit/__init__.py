"""An audit: read, join, judge, place; `check` does all of it."""

from roce_audit.audit.joining import JoinedSite, join_site, read
from roce_audit.audit.request import Request, Step, hints, planned_for, rules_of
from roce_audit.audit.run import Checked, JudgedSite, check, held, judge
from roce_audit.readings.parcel import read_device

__all__ = [
    "Checked",
    "JoinedSite",
    "JudgedSite",
    "Request",
    "Step",
    "check",
    "held",
    "hints",
    "join_site",
    "judge",
    "planned_for",
    "read",
    "read_device",
    "rules_of",
]
