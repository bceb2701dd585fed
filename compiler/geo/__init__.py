"""Geography → outlines: an author's tool, run by hand, whose result is data in the module.

In: `geo/<map>.geo.json` (projection, frame, border lines, areas) and Natural Earth files. Out: `maps/<map>.outlines.json`,
the drawn areas with every shared border stored once. Nothing here is needed to check or build a module: the
libraries of the extra `geo` are imported only inside this package.
"""
