"""What needs all devices: links, who carries RoCE, classes, hops, similar ports. All results are Cells; rules only compare."""
