"""What is one host's own in its answers, and is only passed on: its MAC and IP addresses."""

from __future__ import annotations

_MOST = 65_536


class Own:
    """The addresses of a host by what stands for them in answers that are alike: numbers, in the order in which they come."""

    def __init__(self) -> None:
        self._macs: dict[str, str] = {}
        self._addresses: dict[str, str] = {}

    def mac(self, address: str) -> str:
        """What stands for a MAC address, a group address that no NIC has; one of zeros says that there is none, and stays."""
        found = self._macs.get(address)
        number = len(self._macs)
        if found is None and address.strip("0:") and number < _MOST:
            found = self._macs[address] = f"ff:ee:dd:cc:{number >> 8:02x}:{number & 255:02x}"
        return found or address

    def address(self, address: str) -> str:
        """What stands for an IP address."""
        return self._addresses.setdefault(address, f"address {len(self._addresses)}")

    @property
    def macs(self) -> dict[str, str]:
        """What stands for a MAC address -> the address, both as twelve digits."""
        return {stands.replace(":", ""): address.replace(":", "") for address, stands in self._macs.items()}

    @property
    def addresses(self) -> dict[str, str]:
        """What stands for an IP address -> the address."""
        return {stands: address for address, stands in self._addresses.items()}
