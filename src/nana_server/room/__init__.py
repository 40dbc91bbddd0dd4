"""A room, without I/O: who is in it, what they may do, and what each of them is shown.

`state` is data, `events` is what can happen to it, `evolve` applies an event,
`decide` turns a message into events or a refusal, `timers` turns time into events,
`show` selects what a viewer gets, and `room` ties them to peers and a journal.
"""
