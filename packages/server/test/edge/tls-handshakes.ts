import { type AddressInfo, connect, createServer } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { allTenants, sql } from '@namehold/postgres';
import type { TestService } from '../../../../test/support/service.ts';

/** A ClientHello for a host name of this length, and the offset of the name. */
async function helloBytes(host: string): Promise<{ bytes: Buffer; at: number }> {
  const bytes = await new Promise<Buffer>((resolve) => {
    const catcher = createServer((socket) =>
      socket.once('data', (piece) => {
        resolve(Buffer.from(piece));
        socket.destroy();
        catcher.close();
      }),
    );
    catcher.listen(0, '127.0.0.1', () => {
      const client = tlsConnect({ port: (catcher.address() as AddressInfo).port, host: '127.0.0.1', servername: host });
      client.on('error', () => undefined);
    });
  });
  return { bytes, at: bytes.indexOf(host) };
}

/** This number of handshakes for unknown names, ten at a time. Any reply but an alert is an error. */
export async function sendHellos(port: number, count: number): Promise<void> {
  const { bytes, at } = await helloBytes('aaaaaaaaaaaa.nobody.com');
  let left = count;
  const one = (which: number) =>
    new Promise<void>((resolve, reject) => {
      const hello = Buffer.from(bytes);
      hello.write(which.toString(36).padStart(12, 'x'), at, 'latin1');
      const socket = connect(port, '127.0.0.1', () => socket.write(hello));
      socket.on('data', (piece) => {
        if (piece[0] !== 0x15) reject(new Error(`answered ${piece.toString('hex', 0, 10)}`));
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (left > 0) await one(left--);
    }),
  );
}

/** Everything that a handshake could have changed. */
export function certificateRows(t: TestService): Promise<unknown> {
  return t.ctx.db
    .as(allTenants)
    .one(
      sql`select (select count(*) from certificate_order) as orders, (select count(*) from certificate) as certificates, (select max(look_at) from certificate) as look`,
    );
}
