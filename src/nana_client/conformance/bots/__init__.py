"""Whether a bot keeps to protocol.md: a scripted table that it plays at, and what it did wrong.

The table is made of the protocol's own types and the rules; no server of this house is in it.
"""
