"""One file that holds several documents: bundles, session logs, answers of many hosts, configurations one behind the other."""
