"""VASSAL output: build file, pieces, saves and archives; and the reading of any module or save."""
