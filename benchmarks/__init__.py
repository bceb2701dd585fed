"""Speed, measured against a floor in the same run, so that the numbers mean the same on every machine."""
