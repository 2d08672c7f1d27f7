"""Storage that goes over RDMA: what its clients and targets are told."""
