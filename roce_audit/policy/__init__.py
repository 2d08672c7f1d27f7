"""The site's policy file: what is meant to be, said by people, each value with its line.

Reading a policy needs pydantic and ruamel; a run without a policy file imports neither.
"""

from roce_audit.policy.find import FILE_NAME, find
from roce_audit.policy.load import PolicyError, Problem, load, load_text
from roce_audit.policy.values import (
    CablePolicy,
    ClassPolicy,
    Entry,
    FabricPolicy,
    GivenPath,
    Ignore,
    PathPolicy,
    Policy,
    PortPolicy,
    RulePolicy,
)

__all__ = [
    "FILE_NAME",
    "CablePolicy",
    "ClassPolicy",
    "Entry",
    "FabricPolicy",
    "GivenPath",
    "Ignore",
    "PathPolicy",
    "Policy",
    "PolicyError",
    "PortPolicy",
    "Problem",
    "RulePolicy",
    "find",
    "load",
    "load_text",
]
