"""From paths on disk to `DeviceInput` objects: walking, splitting, recognising, naming."""
