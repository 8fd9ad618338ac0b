import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

/** The baseline: a Fastify route that runs the given statements on a pool of the same size, and nothing else. */
interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}
const { databaseUrl, tenant, connections, routes } = JSON.parse(process.argv[2]!) as {
  databaseUrl: string;
  tenant: string;
  connections: number;
  routes: Record<string, Statement[]>;
};
const owner = new pg.Client({ connectionString: databaseUrl });
await owner.connect();
const { secret } = (await owner.query<{ secret: Buffer }>('select secret from tenant_key')).rows[0]!;
await owner.end();
const hash = (part: string | Buffer) => createHash('sha256').update(secret).update(part).digest();

const pool = new pg.Pool({
  connectionString: databaseUrl,
  max: connections,
  // The same role under the same row-level security, so that the server plans and does the same work.
  options: '-c role=namehold_app',
});
// Signed for each connection as in the service: without it there are no rows.
pool.on('connect', (client) => {
  const { processID } = client as unknown as { processID: number };
  const mark = `${tenant}.${hash(hash(`${tenant}.${processID}`)).toString('hex')}`;
  client.query(`select set_config('namehold.tenant', $1, false)`, [mark]).catch((error: unknown) => {
    throw error;
  });
});
const fastify = Fastify();
for (const [path, statements] of Object.entries(routes)) {
  fastify.get(path, async () => {
    const results = await Promise.all(statements.map((statement) => pool.query(statement)));
    return results.flatMap((result) => result.rows as object[]);
  });
}
await fastify.listen({ host: '127.0.0.1', port: 0 });
const { port } = fastify.server.address() as { port: number };
process.send?.({ url: `http://127.0.0.1:${port}` });
// The bench has ended.
process.once('disconnect', () => process.exit());
