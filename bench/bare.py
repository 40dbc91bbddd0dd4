"""A server without a game: `websockets` as its documentation shows it, replaying recorded frames.

    python bench/bare.py RECORDING

Every message of a room gets the recorded answers: an ack to who sent it, and a
snapshot to each of the four seats. Nothing is read, decided or hidden here.
"""

import asyncio
import pickle
import sys
from pathlib import Path

from websockets.asyncio.server import ServerConnection, serve


class Room:
    def __init__(self) -> None:
        self.sockets: dict[int, ServerConnection] = {}
        self.action = 0


async def main(recording: bytes) -> None:
    actions = [
        (ack.decode(), [frame.decode() for frame in frames])
        for _, _, ack, frames in pickle.loads(recording)  # noqa: S301 - our own file
    ]
    rooms: dict[str, Room] = {}

    async def play(socket: ServerConnection) -> None:
        _, name, seat = socket.request.path.split("/") if socket.request else ("", "", "0")
        room = rooms.setdefault(name, Room())
        room.sockets[int(seat)] = socket
        async for _ in socket:
            ack, frames = actions[room.action]
            room.action += 1
            await socket.send(ack)
            for number, frame in enumerate(frames):
                await room.sockets[number].send(frame)

    async with serve(play, "127.0.0.1", 0, compression=None) as server:
        print(f"listening on ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]).read_bytes()))
