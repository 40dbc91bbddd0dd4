"""The durable journal: one SQLite file, one connection, one thread that writes.

`journal` is what the server holds; behind it `writer` (the thread and what it does
when the disk fails), `store` (the file), `batch` (what a group of orders comes to,
without I/O), `opening` (whether the file may be used at all), `chain` and `receipt`
(what tells damage from history).
"""
