import { Agent, request } from 'node:http';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { person } from '../../../../test/support/parties.ts';
import { demoOf, newFolder, type RunningService, removeFolder, startProcess, until } from '../support/process.ts';
import { basic, rawRequest, sendRaw } from './support/raw.ts';

const env = {
  NAMEHOLD_LOG_LEVEL: 'error',
  NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
  NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '1000000',
};

type Outcome = { status: number; id?: string } | { error: string; isReused: boolean };

/** One client over a kept-alive connection, like a panel. */
function makeCustomer(service: RunningService, agent: Agent, email: string): Promise<Outcome> {
  const body = new URLSearchParams(person({ email, password: 'a long enough one' })).toString();
  return new Promise((resolve) => {
    const sent = request(
      `${service.url}/v1/customers`,
      {
        method: 'POST',
        agent,
        headers: {
          Authorization: basic(demoOf(service)),
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (answer) => {
        let text = '';
        answer.on('data', (piece: Buffer) => {
          text += piece;
        });
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, id: (JSON.parse(text) as { customer_id: string }).customer_id }),
        );
        answer.on('error', (error) => resolve({ error: error.message, isReused: true }));
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ error: error.code ?? error.message, isReused: sent.reusedSocket }),
    );
    sent.end(body);
  });
}

test('answers every accepted request when it receives SIGTERM under load', async () => {
  const database = await migratedDatabase();
  const folder = newFolder();
  const service = await startProcess({ folder, env: { ...env, DATABASE_URL: database.url } });
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const outcomes: Outcome[] = [];
  let isOver = false;
  // Also after a failure: the clients would continue to the end of the run.
  onTestFinished(() => {
    isOver = true;
  });
  let made = 0;
  const clients = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      made += 1;
      const outcome = await makeCustomer(service, agent, `down${made}@made.example`);
      outcomes.push(outcome);
      if ('error' in outcome) return;
    }
  });
  await until(() => outcomes.length >= 60);
  const exit = await service.end('SIGTERM');
  isOver = true;
  await Promise.all(clients);
  agent.destroy();
  expect(exit.code).toBe(0);

  const answered = outcomes.filter((o) => 'status' in o);
  const failed = outcomes.filter((o) => 'error' in o);
  expect(new Set(answered.map((o) => o.status))).toEqual(new Set([200]));
  // A refused connection, or one that the kernel accepted but the process never read.
  for (const outcome of failed) expect(['ECONNREFUSED', 'ECONNRESET']).toContain(outcome.error);
  expect(failed.filter((outcome) => outcome.isReused)).toEqual([]);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`select id from customer where email like 'down%'`);
  await client.end();
  // The recorded effects and the responses agree exactly.
  expect(new Set(rows.map((row) => row.id))).toEqual(new Set(answered.map((o) => o.id)));
  await database.drop();
  removeFolder(folder);
});

test('reads and answers a request whose body is arriving when the service stops', async () => {
  const database = await migratedDatabase();
  const folder = newFolder();
  const service = await startProcess({ folder, env: { ...env, DATABASE_URL: database.url } });
  const { connect } = await import('node:net');
  const body = new URLSearchParams(person({ email: 'slow@made.example', password: 'a long enough one' })).toString();
  const whole = rawRequest(
    demoOf(service),
    'POST',
    '/v1/customers',
    // So that the test knows when the server has begun to read.
    ['Content-Type: application/x-www-form-urlencoded', 'Expect: 100-continue'],
    body,
  );
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const idle = connect({ host: hostname, port: Number(port) });
  idle.on('error', () => undefined);
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  socket.write(whole.slice(0, -20));
  await until(() => text.includes('100 Continue'));
  const ended = service.end('SIGTERM');
  // New connections are refused soon.
  const profile = rawRequest(demoOf(service), 'GET', '/v1/account/profile');
  await until(async () => (await sendRaw(service.url, profile)).status === 0);
  socket.write(whole.slice(-20));
  expect((await ended).code).toBe(0);
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  expect(text.toLowerCase()).toContain('connection: close');
  idle.destroy();
  await database.drop();
  removeFolder(folder);
});

test('reports the stop to new connections and serves for a while, then accepts none', async () => {
  const database = await migratedDatabase();
  const folder = newFolder();
  const leaving = { DATABASE_URL: database.url, NAMEHOLD_SHUTDOWN_DELAY_MS: '5000' };
  const service = await startProcess({ folder, env: { ...env, ...leaving } });
  const ask = (path: string) => sendRaw(service.url, rawRequest(demoOf(service), 'GET', path));
  expect((await ask('/readyz')).status).toBe(200);
  const ended = service.end('SIGTERM');
  await until(async () => (await ask('/readyz')).status !== 200);
  const readiness = await ask('/readyz');
  expect([readiness.status, readiness.text]).toEqual([503, expect.stringContaining('draining')]);
  // The load balancer has not noticed it yet.
  expect((await ask('/v1/account/profile')).status).toBe(200);
  expect((await ended).code).toBe(0);
  expect((await ask('/readyz')).status).toBe(0);
  await database.drop();
  removeFolder(folder);
});
