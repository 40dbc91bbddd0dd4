"""The wire, version 1: every message as a type. `protocol.md` is its normative text.

`inbound` is what clients send and is strict; `outbound` is what servers send and
is read leniently; `codec` turns both into bytes and back.
"""
