import pg from 'pg';
import { streamOf } from './heartbeat.ts';
import { primaryOf } from './hosts.ts';

const connectLimitMs = 10_000;
const closeTimeoutMs = 1_000;

/** A connection outside the pool, to the server that takes writes: for locks that are a session's, and for a look before there is a pool. */
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

/** A server that says nothing does not say goodbye either: then the line is cut. */
export async function endConnection(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => streamOf(client).destroy(), closeTimeoutMs);
  await client
    .end()
    .catch(() => undefined)
    .finally(() => clearTimeout(cut));
}
