import pg from 'pg';
import { destroySocket } from '../driver/driver.ts';
import { primaryOf } from './hosts.ts';

const connectLimitMs = 10_000;
const closeTimeoutMs = 1_000;

/** A connection to the primary outside the pool: for session locks and for checks before a pool exists. */
export async function connectUnpooled(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: await primaryOf(url),
    application_name: name,
    connectionTimeoutMillis: connectLimitMs,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** An unresponsive server does not close the connection either; then the socket is destroyed. */
export async function endConnection(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => destroySocket(client), closeTimeoutMs);
  await client
    .end()
    .catch(() => undefined)
    .finally(() => clearTimeout(cut));
}
