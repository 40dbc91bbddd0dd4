"""Whether a server, or a bot, keeps to protocol.md: named checks, each citing its chapter.

`nana conformance URL` plays a client of many faces to a server, `nana conformance --bot CMD`
a server of many faces to a bot. Neither knows the server of this house.
"""
