"""What a cluster's manifests set up for its nodes and pods."""
