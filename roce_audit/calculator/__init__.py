"""The formulas for people: quantities as they are written, sums term by term, each with its source."""
