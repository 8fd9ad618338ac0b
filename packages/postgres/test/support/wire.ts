import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy between client and PostgreSQL that counts round trips and can be cut. */
export interface Wire {
  readonly url: string;
  /** How often the client sent data after the server had. */
  turns(): number;
  cut(): void;
  close(): Promise<void>;
}

/** Answers are delayed until everything that the client sends without waiting for them has passed. */
const holdMs = 30;

export async function openWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host');
  const port = Number(target.port || 5432);
  const upstreamAt = folder?.startsWith('/')
    ? { path: `${folder}/.s.PGSQL.${port}` }
    : { host: folder ?? target.hostname, port };
  target.searchParams.delete('host');
  const sockets = new Set<Socket>();
  let turns = 0;
  const server: Server = createServer((client) => {
    const upstream = connect(upstreamAt);
    let serverSpoke = true;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk) => {
      if (serverSpoke) turns += 1;
      serverSpoke = false;
      upstream.write(chunk);
    });
    upstream.on('data', async (chunk) => {
      await sleep(holdMs);
      serverSpoke = true;
      client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  target.host = `127.0.0.1:${address.port}`;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: target.href,
    turns: () => turns,
    cut,
    close: () =>
      new Promise((resolve) => {
        cut();
        server.close(() => resolve());
      }),
  };
}
