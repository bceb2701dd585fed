"""Sheets for printers: counters, stickers, maps and charts as PDF, with the boxes and marks that a printer wants.

In: a typed module and its settings (`sheets` in module.json). Out: PDF pages and a PNG of each sheet. The same module
gives the same bytes. Lengths are millimetres from the top left corner of the paper.
"""
