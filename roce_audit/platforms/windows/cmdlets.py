"""Names of the cmdlets that set Data Center Bridging up, of their options, and what is a slip of the pen in one of them."""

from __future__ import annotations

import re
from collections.abc import Collection

from roce_audit.text.statements.misspelling import is_near

_VERBS = ("enable", "disable", "new", "set", "get", "remove", "switch")
_NOUNS = (
    "netqosflowcontrol",
    "netqospolicy",
    "netqostrafficclass",
    "netqosdcbxsetting",
    "netadapterqos",
    "netadapterrdma",
    "netadapteradvancedproperty",
)
_OPTIONS = (
    "alg",
    "algorithm",
    "allproperties",
    "asjob",
    "apppathnamematchcondition",
    "bandwidthpercentage",
    "bandwidth",
    "cimsession",
    "cluster",
    "confirm",
    "debug",
    "default",
    "displayname",
    "displayvalue",
    "dscpaction",
    "dscpvalue",
    "errorvariable",
    "erroraction",
    "fcoe",
    "ifalias",
    "ifindex",
    "includehidden",
    "informationaction",
    "inputobject",
    "interfacealias",
    "interfacedescription",
    "interfaceindex",
    "ipdstportendmatchcondition",
    "ipdstportmatchcondition",
    "ipdstportstartmatchcondition",
    "ipdstprefixmatchcondition",
    "ipport",
    "ipportmatchcondition",
    "ipprotocolmatchcondition",
    "ipprotocol",
    "ipsrcportendmatchcondition",
    "ipsrcportmatchcondition",
    "ipsrcportstartmatchcondition",
    "ipsrcprefixmatchcondition",
    "iscsi",
    "jobname",
    "livemigration",
    "minbandwidthweightaction",
    "minbandwidthweight",
    "name",
    "netdirectportmatchcondition",
    "netdirectport",
    "networkprofile",
    "nfs",
    "norestart",
    "outbuffer",
    "outvariable",
    "passthru",
    "pipelinevariable",
    "policystore",
    "precedence",
    "priority",
    "priorityvalue8021action",
    "priorityvalue",
    "registrydatatype",
    "registrykeyword",
    "registryvalue",
    "session",
    "smb",
    "templatematchcondition",
    "template",
    "throttlelimit",
    "throttlerateactionbitspersecond",
    "throttlerate",
    "urimatchcondition",
    "urirecursivematchcondition",
    "usermatchcondition",
    "verbose",
    "warningaction",
    "warningvariable",
    "whatif",
    "willing",
)
"""Parameters of the cmdlets that are read in scripts, and those that every cmdlet has."""
_COMMAND = re.compile(r"(?:^|[;{|=(&])[ \t]{0,80}([A-Za-z]{2,20})-([A-Za-z]{6,40})(?![\w-])")
_FUNCTION = re.compile(r"^[ \t]{0,80}function[ \t]{1,20}([\w-]{3,80})", re.MULTILINE | re.IGNORECASE)


def functions(text: str) -> Collection[str]:
    """What a script defines itself, in lower case."""
    return {found.group(1).lower() for found in _FUNCTION.finditer(text)}


def slips(code: str, own: Collection[str]) -> list[str]:
    """Commands of a line that are none, and come near one that sets DCB up; `own` are the functions of the script, in lower case."""
    found: list[str] = []
    for verb, noun in (match.groups() for match in _COMMAND.finditer(code)):
        said, thing = verb.lower(), noun.lower()
        if f"{said}-{thing}" in own:
            continue
        if (thing in _NOUNS and said not in _VERBS and _near_one(said, _VERBS)) or (
            thing not in _NOUNS and said in _VERBS and _near_one(thing, _NOUNS)
        ):
            found.append(f"{verb}-{noun}")
    return found


def is_no_option(name: str) -> bool:
    """Whether an option is none of theirs, which may be written as any beginning of its name, and comes near one."""
    return not any(known.startswith(name) for known in _OPTIONS) and _near_one(name, _OPTIONS)


def is_no_switch(value: str) -> bool:
    """`$flase`."""
    return value.startswith("$") and value not in ("$true", "$false") and _near_one(value[1:], ("true", "false"))


def _near_one(word: str, wanted: Collection[str]) -> bool:
    return any(abs(len(word) - len(one)) < 2 and is_near(word, one) for one in wanted)
