"""What needs all devices: links, who carries RoCE, classes, hops, twins. All results are Cells; rules only compare."""
