"""Server CPU per action: the whole product against a bare `websockets` server.

Both serve 50 rooms of four seats over real sockets. The product plays the game:
limits, ids, rules, redaction, journal in memory. The bare server (`bare.py`)
knows nothing: it is `websockets` used plainly, without compression, and answers
each message with the very bytes that the product sent in a recorded game. The
load generator checks every frame of both. Rounds alternate, so that a noisy
machine disturbs both alike; the figure is a ratio.

    python bench/gateway.py [--rooms 50] [--actions 1000] [--rounds 5]
"""

import argparse
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import uvloop

from load import Recording, Table, run_tables

HERE: Final = Path(__file__).parent
TICK: Final = os.sysconf("SC_CLK_TCK")
TARGET: Final = 0.6


class Server:
    """A server process, and the CPU time that it has used."""

    def __init__(self, command: list[str]) -> None:
        cores = sorted(os.sched_getaffinity(0))
        self._process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cores[:1]),  # noqa: PLW1509
        )
        if self._process.stdout is None:
            raise AssertionError
        line = self._process.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1].strip().rstrip("/"))

    def cpu(self) -> float:
        """Seconds of CPU, user and system."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)


async def measure(server: Server, tables: list[Table], warm_up: int, actions: int) -> float:
    """Play, and return the server's CPU per action in microseconds."""
    for table in tables:
        await table.sit_down(server.port)
    await run_tables(tables, warm_up)
    before = server.cpu()
    await run_tables(tables, actions)
    used = server.cpu() - before
    for table in tables:
        table.leave()
    return used / (actions * len(tables)) * 1e6


def product_round(args: argparse.Namespace, recording: Recording | None) -> float:
    server = Server(
        [
            sys.executable,
            "-m",
            "nana_server",
            "--port",
            "0",
            "--log-level",
            "warning",
            "--create-burst",
            "1000",
        ]
    )
    tables = [Table.of_product(seed=at) for at in range(args.rooms)]
    if recording is not None:
        tables[0].record(recording)
    try:
        return uvloop.run(measure(server, tables, args.warm_up, args.actions))
    finally:
        server.stop()


def bare_round(args: argparse.Namespace, recording: Recording, path: Path) -> float:
    server = Server([sys.executable, str(HERE / "bare.py"), str(path)])
    tables = [Table.of_recording(at, recording) for at in range(args.rooms)]
    try:
        return uvloop.run(measure(server, tables, args.warm_up, args.actions))
    finally:
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rooms", type=int, default=50)
    parser.add_argument("--actions", type=int, default=600, help="per room and round")
    parser.add_argument("--warm-up", type=int, default=60, help="per room, not counted")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, cores[1:])
    recording = Recording()
    product_round(args, recording)
    product: list[float] = []
    bare: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recording"
        path.write_bytes(pickle.dumps(recording.actions))
        for turn in range(1, args.rounds + 1):
            product.append(product_round(args, None))
            bare.append(bare_round(args, recording, path))
            ratio = product[-1] / bare[-1]
            print(f"round {turn}: nana {product[-1]:6.1f} µs  bare {bare[-1]:6.1f} µs  {ratio:.2f}")
    ratio = statistics.median(ours / plain for ours, plain in zip(product, bare, strict=True))
    print(
        f"server CPU per action, {args.rooms} rooms of four seats, median of {args.rounds} rounds:"
    )
    print(f"  nana, the whole product      {statistics.median(product):6.1f} µs")
    print(f"  websockets, bare and plain   {statistics.median(bare):6.1f} µs")
    print(f"  ratio                        {ratio:6.2f}   (to be at most {TARGET})")
    print(f"  bytes per action             {recording.bytes_per_action():6.0f}")


if __name__ == "__main__":
    main()
