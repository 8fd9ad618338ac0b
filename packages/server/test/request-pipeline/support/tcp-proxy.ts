import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { Cluster } from '@namehold/postgres/embedded/cluster';

export interface TcpProxy {
  /** `host:port`, for an address. */
  readonly host: string;
  close(): void;
}

/** The server's socket as a port, as on another machine. */
export async function openTcpProxy(cluster: Pick<Cluster, 'socketFolder'>): Promise<TcpProxy> {
  const proxy = createServer((inside) => {
    const outside = connect(join(cluster.socketFolder, '.s.PGSQL.5432'));
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  return { host: `127.0.0.1:${(proxy.address() as { port: number }).port}`, close: () => proxy.close() };
}
