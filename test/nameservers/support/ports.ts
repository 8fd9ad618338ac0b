import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const given = new Set<number>();

/** A port of 127.0.0.1 that is free for UDP and TCP now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as { port: number };
    const isFree = await new Promise<boolean>((resolve) => {
      const socket = createSocket('udp4');
      socket.once('error', () => resolve(false));
      socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
    });
    await new Promise((closed) => server.close(closed));
    if (isFree && !given.has(port)) {
      given.add(port);
      return port;
    }
  }
}
