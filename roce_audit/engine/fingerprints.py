"""Fingerprints: by which a fault is known again in another run."""

from __future__ import annotations

import hashlib

from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.subjects import Subject


def identity(rule: Rule, subject: Subject) -> str:
    """The fingerprint of one check; that of a link does not depend on which end is named first."""
    class_name = subject.cls.name if subject.cls else ""
    if rule.scope == "link":
        return fingerprint(rule.id, "", subject.id, class_name)
    return fingerprint(rule.id, device_name(subject), subject.name, class_name)


def fingerprint(rule: str, device: str, subject: str, class_name: str) -> str:
    """The identity of a fault: survives moved lines, growing groups, and the way from repository to device."""
    return digest(rule, device, subject, class_name)


def digest(*parts: str) -> str:
    """A short digest of some words."""
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:16]


def device_name(subject: Subject) -> str:
    """The device that a subject is of; "" for a whole fabric."""
    if subject.device is not None:
        return subject.device.name
    return subject.seen.device if subject.seen is not None else ""
