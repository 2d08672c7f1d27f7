"""Slips in what a job gives a library, lists of RDMA devices above all, which the value and its job show by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from roce_audit.patterns import lazy
from roce_audit.text.statements.misspelling import meant


def slips_of_list(name: str, value: str, others: Mapping[str, str]) -> Iterator[str]:
    """What is to be said of NCCL_IB_HCA, UCX_NET_DEVICES or NVSHMEM_HCA_LIST; `others` are the job's variables that were seen so far."""
    if twice := _named_twice(value):
        yield f"it names {twice} twice; one of the two was meant to be another device"
    if odd := _odd_one(value):
        yield f"{odd} is no device beside the others of this list: its name is misspelt"
    elif odd := _of_no_driver(value):
        yield f"no driver calls its devices like {odd}: its name is misspelt, and the library passes over it"
    if name == "UCX_NET_DEVICES" and (bare := _without_port(value)):
        yield (
            f"UCX names an RDMA device with its port, {bare}:1; {bare} is the name of none, so UCX passes over it and sends "
            "by other devices or not at all"
        )
    if other := _odd_port(value):
        yield other
    if short := _one_short(value):
        yield short
    elif name in _SAME and (apart := _apart(name, value, others)):
        yield apart


_SAME = {"NCCL_IB_HCA": "NVSHMEM_HCA_LIST", "NVSHMEM_HCA_LIST": "NCCL_IB_HCA"}
"""Both name the NICs that the ranks of a job send their data by."""
_INTERFACE = lazy(r"(?:en[opsxP]\w{1,20}|eth\d{1,3}|bond\d{1,3})(?:\.\d{1,4})?")
"""As systemd and the kernel name network interfaces, and no RDMA device is called (rdma-core, rdma_rename: rocep, ibp, mlx5_0)."""


def device_as_interface(name: str, value: str) -> str:
    """What is to be said of a list of network interfaces that names an RDMA device; "" of others."""
    if _INTERFACES.fullmatch(name) is None:
        return ""
    names = [one.strip().partition(":")[0] for one in value.lstrip("^=").split(",")]
    found = next((one for one in names if _RDMA_DEVICE.fullmatch(one) is not None), "")
    return found and (
        f"{found} is the name of an RDMA device; the list takes network interfaces (rdma link), and the library finds none "
        "to connect its ranks by"
    )


_INTERFACES = lazy(r"(?:NCCL|RCCL|GLOO|TP|HCCL)_SOCKET_IFNAME|NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME")


ROCE_VERSION = "NCCL_IB_ROCE_VERSION_NUM"


def first_version(name: str, value: str, others: Mapping[str, str]) -> str:
    """What is to be said of a job that lets its library look for an address of RoCEv1; "" where it names the entry itself."""
    if (name, value) != (ROCE_VERSION, "1") or "NCCL_IB_GID_INDEX" in others:
        return ""
    return "the library looks for an entry of RoCEv1, whose packets have no IP header: no DSCP, and no router forwards them (2 is RoCEv2)"


def interface_in_list(name: str, value: str, others: Mapping[str, str]) -> str:
    """What is to be said of a list of RDMA devices that names a network interface, by all of its job's variables; "" of others.

    A job that sets nothing else of RDMA may keep the library from it on purpose, with a name that no RDMA device bears.
    """
    if name == "UCX_NET_DEVICES" or value.startswith("^"):
        return ""
    names = [one.strip().partition(":")[0] for one in value.lstrip("=").split(",")]
    found = [one for one in names if _INTERFACE.fullmatch(one) is not None]
    is_meant = any(_OF_RDMA.fullmatch(one) is not None for one in others if one != name)
    is_meant = is_meant or others.get("NCCL_IB_DISABLE") == "0"
    if not found or (len(found) == len(names) and not is_meant):
        return ""
    return (
        f"{found[0]} is the name of a network interface; the list takes RDMA devices (rdma link), and the library passes "
        "over what is none, down to TCP sockets"
    )


_OF_RDMA = lazy(r"(?:NCCL|UCX|NVSHMEM|MC)_(?:IB_(?!DISABLE|HCA)|GID_)[A-Z0-9_]{1,60}")


def _apart(name: str, value: str, others: Mapping[str, str]) -> str:
    """What is to be said of two lists of one job that differ in a device or two; "" of lists that are meant to differ."""
    other = others.get(_SAME[name], "")
    if any(not text or text.startswith("^") or "$" in text for text in (value, other)):
        return ""
    mine, theirs = (frozenset(one.removesuffix(":1") for one in text.lstrip("=").split(",")) for text in (value, other))
    apart = mine ^ theirs
    if not apart or len(apart) > _SLIP or min(len(mine), len(theirs)) < _FEW:
        return ""
    told = (
        [f"{', '.join(sorted(mine - theirs))}, which {_SAME[name]} of the same job leaves out"] if mine - theirs else []
    )
    if theirs - mine:
        told.append(f"not {', '.join(sorted(theirs - mine))}, which {_SAME[name]} of the same job names")
    return f"it names {', and '.join(told)}"


_SLIP = 2
"""Devices by which two lists of one job differ that were meant to be one."""
_FEW = 4
"""Devices of a list by which its usual name is known."""


def _odd_one(value: str) -> str:
    """The device of a list whose name begins nearly as those of all others do; nothing where there is none."""
    names = [name.partition(":")[0] for name in value.lstrip("^=").split(",")]
    begins = [name.partition("_")[0] for name in names if "_" in name]
    usual = max(set(begins), key=begins.count, default="")
    odd = [name for name in names if "_" in name and name.partition("_")[0] != usual]
    if len(odd) != 1 or len(begins) < _FEW or begins.count(usual) != len(begins) - 1:
        return ""
    begin = odd[0].partition("_")[0]
    is_slip = len(begin) == len(usual) and meant(begin, (usual,)) is not None
    return (
        odd[0] if is_slip and begin.rstrip("0123456789") != usual.rstrip("0123456789") else ""
    )  # mlx4 beside mlx5 is none


_DRIVERS = tuple(name.partition("_")[0] for name in ("mlx5_0", "mlx4_0", "bnxt_re0", "ionic_0"))
"""What drivers let the names of their RDMA devices begin with."""


def _of_no_driver(value: str) -> str:
    """The first device of a list whose name begins nearly as those of a driver do; "" where there is none."""
    for name in value.lstrip("^=").split(","):
        begin, _, rest = name.partition(":")[0].partition("_")
        is_device = rest[-1:].isdigit() and rest.replace("_", "").isalnum()
        if is_device and not begin.startswith(_DRIVERS) and meant(begin, _DRIVERS) is not None:
            return name
    return ""


_NUMBERED = lazy(r"([A-Za-z][A-Za-z_]{0,20}\d?_?(?:bond_|re)?)(\d{1,2})(?::1)?")
_ONE_SHORT = (7, 15)
"""Devices of a list that was to name 8 or 16: hosts have as many rails as GPUs, and none has such a number of them."""


def _one_short(value: str) -> str:
    """What is to be said of a list of devices that counts through all of a host's and leaves one out; "" of any other."""
    found = [_NUMBERED.fullmatch(name) for name in value.lstrip("=").split(",")]
    if len(found) not in _ONE_SHORT or any(one is None for one in found):
        return ""
    begins = {one[1] for one in found if one is not None}
    numbers = sorted(int(one[2]) for one in found if one is not None)
    if len(begins) != 1 or len(set(numbers)) != len(numbers) or numbers[-1] - numbers[0] > len(numbers):
        return ""
    gap = next((n for n in range(numbers[0], numbers[-1]) if n not in numbers), None)
    named = f"{begins.pop()}{gap} is left out" if gap is not None else "one is left out"
    return f"it names {len(numbers)} devices, one fewer than a host with {len(numbers) + 1} has: {named}"


_WITH_PORT = lazy(r"((?:mlx5_(?:bond_)?|bnxt_re|ionic_)\d{1,3}|roce[A-Za-z]\w{1,30}):(\d{1,2})")
"""NICs each port of which is an RDMA device of its own, with port 1: as drivers name them, or by their place (rdma-core, rdma_rename)."""
_FEW_PORTS = 3


def _odd_port(value: str) -> str:
    """What is to be said of a list that names one device by another port than all others; "" of any other."""
    found = [_WITH_PORT.fullmatch(name) for name in value.lstrip("^=").split(",")]
    ports = [one[2] for one in found if one is not None]
    odd = [one for one in found if one is not None and one[2] != "1"]
    if len(odd) != 1 or ports.count("1") != len(found) - 1 or len(found) < _FEW_PORTS:
        return ""
    return f"it names port {odd[0][2]} of {odd[0][1]}, and port 1 of all others: each port of such a NIC is a device with port 1 alone"


_RDMA_DEVICE = lazy(r"(?:mlx[45]_(?:bond_)?|bnxt_re|ionic_)\d{1,3}")
"""As drivers name their RDMA devices, and no network device is called."""


def _without_port(value: str) -> str:
    """The first RDMA device of a list for UCX that stands there without its port; "" where each has one (UCX, ucp_context.c: a name
    of the list is compared with the whole of `mlx5_0:1`)."""
    names = value.lstrip("^").split(",")
    return next((name for name in names if _RDMA_DEVICE.fullmatch(name) is not None), "")


def _named_twice(listed: str) -> str:
    """The first device that a list names twice; "" where it names none so."""
    names = listed.lstrip("^=").split(",")
    return next((name for name in names if name and "$" not in name and names.count(name) > 1), "")
