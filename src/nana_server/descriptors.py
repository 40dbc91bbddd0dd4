"""How many files this process may have open: every connection is one."""

import sys
from typing import Final

if sys.platform != "win32":
    import resource

OTHERS: Final = 64  # the journal, what listens, the loop's own


def raise_limit(sockets: int) -> str | None:
    """Let the process open what so many sockets need; return a sentence where it may not."""
    if sys.platform == "win32":
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = sockets + OTHERS
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most >= wanted:
        return None
    return (
        f"this system lets the server open {most} files, which is less than the {wanted} that "
        f"its limit of connections may need: raise LimitNOFILE or ulimit -n, or lower --sockets"
    )
