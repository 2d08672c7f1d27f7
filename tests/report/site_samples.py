"""A small site as reports draw it, made by hand."""

from roce_audit.report.drawing import (
    Amount,
    BufferThresholds,
    Curve,
    DrawnDevice,
    DrawnPort,
    PacketPath,
    PortDrawing,
    Share,
    SiteDrawing,
    Step,
    Term,
)
from roce_audit.report.worst import Worst
from roce_audit.views.fabricdrawing import fabric_drawings

NONE = Amount(None, "none")


def amount(value: float) -> Amount:
    return Amount(value, f"{value:,.0f} B")


def thresholds() -> BufferThresholds:
    return BufferThresholds(
        kmin=amount(150_000),
        kmax=amount(600_000),
        xon=NONE,
        xoff=amount(300_000),
        dynamic="",
        headroom=amount(100_000),
        shared_headroom=False,
        pays="pays for 170 m of cable",
        needs=(Term("cable", 120_000), Term("frames", 13_450), Term("PFC frame", 84)),
        basis="400G, 240 m of cable",
    )


def site(name: str = "leaf1") -> SiteDrawing:
    steps = (Step("packet", "DSCP 26", "known"), Step("PFC", "priority 3 off", "bad"))
    curve = Curve("yes", amount(150_000), amount(600_000), Amount(10, "10 %"))
    drawing = PortDrawing(
        (PacketPath("roce", steps, thresholds(), curve),), (Share(3, False, Amount(80.0, "80"), ("roce",)),), "weights"
    )
    device = DrawnDevice(name, "switch", "nxos", "backend", 1, "N9K", f"{name}.cfg", "end mark", 8)
    host = DrawnDevice("gpu1", "host", "linux", "backend", 0, "", "gpu1/ip.txt", "", 1)
    ports = tuple(
        DrawnPort(
            f"{name}:{port}",
            name,
            port,
            "to a host",
            "400G",
            "9216",
            "yes",
            "its configuration has PFC",
            "",
            "3 m",
            "l.cfg",
            5,
            0,
        )
        for port in (f"Ethernet1/{i}" for i in range(1, 9))
    )
    nic = DrawnPort("gpu1:ens1", "gpu1", "ens1", "", "400G", "9000", "yes", "", ports[0].id, "3 m", "ip.txt", 1, None)
    return drawn((device, host), (*ports, nic), ((ports[0].id, nic.id),), (drawing,))


def drawn(
    devices: tuple[DrawnDevice, ...],
    ports: tuple[DrawnPort, ...],
    links: tuple[tuple[str, str], ...],
    drawings: tuple[PortDrawing, ...],
) -> SiteDrawing:
    """The site of these, of which nothing fails."""
    fabrics = fabric_drawings(devices, links, {port.id: port.device for port in ports}, Worst({}, {}, {}))
    return SiteDrawing(devices, ports, drawings, tuple(fabrics))


def evil_site(words: str) -> SiteDrawing:
    """Every text of the site is `words`."""
    step = Step(words, words, "unknown")
    bad = Amount(None, words)
    path = PacketPath(
        words,
        (step,),
        BufferThresholds(amount(1), amount(2), bad, bad, words, bad, False, words, (Term(words, 5),), words),
        Curve("no", amount(1), amount(2), bad),
    )
    drawing = PortDrawing((path,), (Share(1, False, Amount(50.0, words), (words,)),), words)
    device = DrawnDevice(words, "switch", words, words, 1, words, words, words, 2)
    port = DrawnPort(words, words, words, words, words, words, "yes", words, words, words, words, 1, 0)
    other = DrawnPort(f"{words}2", words, words, words, words, words, "no", words, words, words, words, 1, 0)
    return drawn((device,), (port, other), ((port.id, other.id),), (drawing,))
