"""The Wi-Fi between tables and broker: a small TCP proxy whose link can be cut or made slow."""

from __future__ import annotations

import asyncio
import threading


class Link:
    def __init__(self, target: int) -> None:
        self._target = target
        self._pairs: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._listening = threading.Event()
        self.port = 0
        self.delay_s = 0.0
        self.is_cut = False
        self._thread = threading.Thread(target=self._run, name="link", daemon=True)
        self._thread.start()
        self._listening.wait(10)

    def close(self) -> None:
        self.cut()
        self._loop.call_soon_threadsafe(self._server.close)
        self._thread.join(10)

    def cut(self) -> None:
        """Whoever is connected is cut off, and nobody gets through."""
        self.is_cut = True
        self._loop.call_soon_threadsafe(self._cut_all)

    def mend(self) -> None:
        self.is_cut, self.delay_s = False, 0.0

    def _cut_all(self) -> None:
        for writer in self._pairs:
            writer.transport.abort()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._server = await asyncio.start_server(self._through, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self._listening.set()
        try:
            await self._server.serve_forever()
        except asyncio.CancelledError:
            await asyncio.sleep(0.1)  # the last connections end

    async def _through(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        pair = {writer, far_writer}
        self._pairs |= pair
        await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
        self._pairs -= pair

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()
