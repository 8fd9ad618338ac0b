import type { TLSSocket } from 'node:tls';
import type { WallClock } from '../clock.ts';
import type { WireFault } from './types.ts';

const WRITE_STALL_MS = 30_000;

type WriteEnd = 'written' | 'silent' | 'closed';

/** Writes one frame, correctly or with a fault. `silent`: nothing more is written to this stream. */
export async function writeFrame(
  socket: TLSSocket,
  frame: Buffer,
  fault: WireFault | undefined,
  clock: WallClock,
): Promise<WriteEnd> {
  if (socket.destroyed || socket.writableEnded) return 'closed';
  switch (fault?.do) {
    case undefined:
    case 'answer':
      await writeAll(socket, frame, clock);
      return 'written';
    case 'delay':
      await pause(clock, fault.ms);
      await writeAll(socket, frame, clock);
      return 'written';
    case 'pieces':
      await writePieces(socket, frame, Math.max(1, fault.bytes), fault.gapMs, clock);
      return 'written';
    case 'drop':
      return 'written';
    case 'close':
      socket.destroy();
      return 'closed';
    case 'cut':
      await writeAll(socket, frame.subarray(0, fault.afterBytes), clock);
      socket.end();
      return 'closed';
    case 'half-frame':
      await writeAll(socket, frame.subarray(0, Math.floor(frame.length / 2)), clock);
      return 'silent';
  }
}

async function writePieces(
  socket: TLSSocket,
  frame: Buffer,
  bytes: number,
  gapMs: number,
  clock: WallClock,
): Promise<void> {
  for (let at = 0; at < frame.length; at += bytes) {
    await writeAll(socket, frame.subarray(at, at + bytes), clock);
    if (gapMs > 0) await pause(clock, gapMs);
    if (socket.destroyed) return;
  }
}

/** Resolves when the bytes are passed to the socket. The loss of the socket meanwhile is not an error of the writer. */
function writeAll(socket: TLSSocket, bytes: Uint8Array, clock: WallClock): Promise<void> {
  if (bytes.length === 0 || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    // A client that does not read would block its answer, and with it the connection, for ever.
    const stopTimer = clock.after(WRITE_STALL_MS, () => socket.destroy());
    socket.write(bytes, () => {
      stopTimer();
      resolve();
    });
  });
}

export function pause(clock: WallClock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
