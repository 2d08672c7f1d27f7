"""From paths on disk to `DeviceInput` objects: walking, recognising, naming. What has a theme of its own has its package here."""
