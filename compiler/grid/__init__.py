"""Hex geometry, numbering, sheets and terrain.

`hexes` is the bare lattice, `pixels` lays it on a picture, `numbering` prints and reads ids, `sheets` joins printed
sheets into one map, `terrain` reads a map file into a `HexMap`, `vassal` says the same grid in VASSAL's terms, and
`model` hands everything to the typed model. All lattice arithmetic is exact.
"""
