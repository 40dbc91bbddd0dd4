"""Players that see what a seat sees, and nothing else.

A bot is handed the snapshots that a person in its seat would get. It has no socket and
no way to a Game: server, client and arena carry its moves. Only what looks ahead reads a
clock, its thread's own, to stop in time.
"""
