"""The game of Nana, pure: rules, deals, views, records and the wire's types.

Standard library and msgspec only. Nothing here reads a clock, opens a file or
draws a random number: time and randomness are handed in by whoever has them.
"""

__version__ = "0.1.0"
