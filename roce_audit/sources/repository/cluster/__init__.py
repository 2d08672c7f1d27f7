"""The manifests of a cluster: networks, devices and variables that pods ask for."""
