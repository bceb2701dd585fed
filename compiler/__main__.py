"""`python -m compiler` is `vmodc`."""

from compiler.cli import main

main()
