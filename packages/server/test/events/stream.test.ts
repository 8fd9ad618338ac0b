import { connect } from 'node:net';
import { allTenants, openDatabase, type Sql, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import { appendedEvents } from '../../src/core/commit/appended-events.sql.ts';
import { EventFeed } from '../../src/http/streams/event-feed.ts';
import { EventStreams } from '../../src/http/streams/event-streams.ts';
import { basic } from '../request-pipeline/support/raw.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ streams: { quietMs: 300, stallMs: 1_500, pollMs: 50, authoriseMs: 200 } });
});
afterAll(() => t.stop());

interface EventBody {
  readonly event_id: string;
  readonly payload: { readonly operation_id: string };
}

/** One event of an account, as a transaction of its own. */
async function emitEvent(resellerId: string, note: string, wanted: object = {}): Promise<void> {
  const payload = {
    operation_id: note,
    domain_id: null,
    domain_name: null,
    change: 'security',
    wanted,
    key_id: 'key_x',
    asked_by: 'key_x',
    until: '2030-01-01T00:00:00Z',
  };
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(
      appendedEvents([
        {
          resellerId,
          at: t.ctx.clock.now(),
          type: 'approval.requested',
          objectType: 'operation',
          objectId: note,
          requestId: null,
          payload: JSON.stringify(payload),
        },
      ]),
    ),
  );
}

const idOf = (credentials: string) => credentials.split(':')[0]!;
const headersOf = (by: { as?: string; session?: string }): Record<string, string> =>
  by.session === undefined
    ? { Authorization: basic(by.as ?? t.demo) }
    : { Cookie: by.session, 'Namehold-Console': '1', Origin: t.url };

/** A client of the stream: what it received, its position, and whether it is still connected. */
async function listen(by: { as?: string; session?: string; after?: string; lastId?: string; type?: string } = {}) {
  const abort = new AbortController();
  const query = new URLSearchParams({ ...(by.after && { after: by.after }), ...(by.type && { type: by.type }) });
  const response = await fetch(`${t.url}/v1/events/stream?${query}`, {
    headers: { ...headersOf(by), ...(by.lastId ? { 'Last-Event-ID': by.lastId } : {}) },
    signal: abort.signal,
  });
  const received = { events: [] as EventBody[], lastId: '', beats: 0, isOver: false };
  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of response.body!) {
      text += decoder.decode(piece, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        received.lastId = /^id: (.*)$/m.exec(block)?.[1] ?? received.lastId;
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data) received.events.push(JSON.parse(data) as EventBody);
        else received.beats += 1;
      }
    }
  };
  const over = (response.ok ? read() : response.text())
    .catch(() => undefined)
    .finally(() => {
      received.isOver = true;
    });
  return { response, received, close: () => abort.abort(), over };
}

const notes = (received: { events: readonly EventBody[] }) =>
  received.events.map(({ payload }) => payload.operation_id);
const expectReceived = (received: { events: readonly EventBody[] }, expected: string[]) =>
  vi.waitFor(() => expect(notes(received)).toEqual(expected), 300_000);
const change = (statement: Sql) => t.ctx.db.transaction(allTenants, (tx) => tx.run(statement));

test('sends new events in order to keys and users, equal to the log', async () => {
  const own = await makeReseller(t);
  await emitEvent(idOf(own), 'before');
  const byKey = await listen({ as: own });
  const byUser = await listen({ session: await openSession(t, idOf(own)) });
  expect(byKey.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(byKey.response.headers.get('cache-control')).toBe('no-store');
  await Promise.all(['one', 'two', 'three'].map((note) => emitEvent(idOf(own), note)));
  await vi.waitFor(() => expect(byKey.received.events).toHaveLength(3), 300_000);
  await vi.waitFor(() => expect(byUser.received.events).toEqual(byKey.received.events), 300_000);
  const { events } = (await t.call('GET', '/v1/events', { as: own })).body as { events: EventBody[] };
  expect(byKey.received.events).toEqual(events.slice(-3));
  expect(byKey.received.lastId).toBe(events.at(-1)!.event_id);
  byKey.close();
  byUser.close();
});

test('continues from the log after Last-Event-ID or else after the query, and sends heartbeats', async () => {
  const own = await makeReseller(t);
  const first = await listen({ as: own });
  await emitEvent(idOf(own), 'delivered');
  await expectReceived(first.received, ['delivered']);
  first.close();
  await first.over;
  for (let each = 0; each < 250; each += 1) await emitEvent(idOf(own), `missed ${each}`);
  const missed = Array.from({ length: 250 }, (_, each) => `missed ${each}`);
  const again = await listen({ as: own, lastId: first.received.lastId, after: '0' });
  await expectReceived(again.received, missed);
  await emitEvent(idOf(own), 'and on');
  await expectReceived(again.received, [...missed, 'and on']);
  const whole = await listen({ as: own, after: '0' });
  await expectReceived(whole.received, ['delivered', ...missed, 'and on']);
  // Of another type: nothing is sent, but the position moves on.
  const other = await listen({ as: own, after: '0', type: 'domain.*' });
  await vi.waitFor(() => expect(other.received.lastId).toBe(again.received.lastId), 300_000);
  await vi.waitFor(() => expect(other.received.beats).toBeGreaterThan(3), 300_000);
  expect(other.received.events).toEqual([]);
  for (const each of [again, whole, other]) each.close();
});

test('refuses an invalid position and names its header or parameter', async () => {
  const refusal = async (by: Parameters<typeof listen>[0]) => {
    const { response } = await listen(by);
    return response.status;
  };
  expect(await refusal({ lastId: 'yesterday' })).toBe(400);
  expect(await refusal({ after: 'evt_9999999999999999' })).toBe(400);
  const beyond = await t.call('GET', '/v1/events/stream', { headers: { 'Last-Event-ID': '9999' } });
  expect(beyond.body.errors).toMatchObject([{ field: 'Last-Event-ID' }]);
  expect((await t.call('GET', '/v1/events/stream', { query: { type: 'nosuch' } })).body.errors[0].field).toBe('type');
  expect((await t.call('GET', '/v1/events/stream', { as: null })).status).toBe(401);
  const head = await fetch(`${t.url}/v1/events/stream`, { method: 'HEAD', headers: headersOf({}) });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('sends no events of another account, a parent or a child', async () => {
  const own = await makeReseller(t);
  const child = await makeReseller(t, own);
  const stranger = await makeReseller(t);
  const [parents, childs, strangers] = await Promise.all([own, child, stranger].map((as) => listen({ as })));
  await emitEvent(idOf(child), 'of the child');
  await emitEvent(idOf(own), 'of the parent');
  await emitEvent(idOf(stranger), 'of the stranger');
  await expectReceived(parents!.received, ['of the parent']);
  await expectReceived(childs!.received, ['of the child']);
  await expectReceived(strangers!.received, ['of the stranger']);
  for (const each of [parents, childs, strangers]) each!.close();
});

test('ends when its key, scope, account or session ends, and other streams of the account continue', async () => {
  const own = await makeReseller(t);
  const id = idOf(own);
  const revoked = await keyFor(t, id);
  const narrowed = await keyFor(t, id);
  const session = await openSession(t, id);
  const kept = await listen({ as: own });
  const [byRevoked, byNarrowed, byUser] = [
    await listen({ as: revoked }),
    await listen({ as: narrowed }),
    await listen({ session }),
  ];
  const fingerprint = (key: string) => t.ctx.vault.fingerprint(key.split(':')[1]!);
  await change(sql`update api_key set revoked_at = now() where fingerprint = ${fingerprint(revoked)}`);
  await change(sql`update api_key set scopes = '{dns:read}' where fingerprint = ${fingerprint(narrowed)}`);
  expect((await t.call('DELETE', '/v1/session', { session })).status).toBe(200);
  await Promise.all([byRevoked.over, byNarrowed.over, byUser.over]);
  await emitEvent(id, 'after their end');
  await expectReceived(kept.received, ['after their end']);
  for (const each of [byRevoked, byNarrowed, byUser]) expect(each.received.events).toEqual([]);
  await change(sql`update reseller set status = 'Suspended' where id = ${id}`);
  await kept.over;
});

test('refuses the eleventh stream of an account until one ends, and not streams of other accounts', async () => {
  const own = await makeReseller(t);
  const other = await makeReseller(t);
  const streams = await Promise.all(Array.from({ length: 10 }, () => listen({ as: own })));
  const refused = await t.call('GET', '/v1/events/stream', { as: own });
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const another = await listen({ as: other });
  expect(another.response.status).toBe(200);
  streams[0]!.close();
  await vi.waitFor(async () => {
    const next = await listen({ as: own });
    next.close();
    expect(next.response.status).toBe(200);
  }, 300_000);
  for (const each of [...streams, another]) each.close();
});

test('limits an account and its sub-resellers to a quarter of all streams, and not other accounts', async () => {
  const few = await startTestService({ streams: { inAll: 24, ofAccount: 4 } });
  const top = await makeReseller(few);
  const below = await makeReseller(few, top);
  const tree = [top, below, await makeReseller(few, below), await makeReseller(few, top)];
  const aborts: AbortController[] = [];
  // Kept, because fetch closes the connection of a response that is garbage-collected.
  const responses: Response[] = [];
  const open = async (as: string) => {
    const abort = new AbortController();
    const response = await fetch(`${few.url}/v1/events/stream`, {
      headers: { Authorization: basic(as) },
      signal: abort.signal,
    });
    aborts.push(abort);
    responses.push(response);
    return response;
  };
  for (const as of tree) for (let n = 0; n < 4; n++) await open(as);
  const opened = responses.map(({ status }) => status);
  expect(opened).toEqual([...Array(6).fill(200), ...Array(10).fill(429)]);
  const refused = await few.call('GET', '/v1/events/stream', { as: tree[3]! });
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '5']);
  expect(refused.body.message).toContain('6 open streams');
  for (const as of [await makeReseller(few), few.operator, few.demo]) expect((await open(as)).status).toBe(200);
  aborts[0]!.abort();
  await vi.waitFor(async () => expect((await open(tree[3]!)).status).toBe(200), 300_000);
  for (const abort of aborts) abort.abort();
  await few.stop();
});

test('continues after a database outage, and holds no connection meanwhile', async () => {
  const own = await makeReseller(t);
  const stream = await listen({ as: own });
  await emitEvent(idOf(own), 'before');
  await expectReceived(stream.received, ['before']);
  const admin = openDatabase({ url: t.databaseUrl, maxConnections: 1 });
  await admin.as(allTenants).many(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
  await vi.waitFor(() => emitEvent(idOf(own), 'after'), 300_000);
  await expectReceived(stream.received, ['before', 'after']);
  const { beats } = stream.received;
  await vi.waitFor(() => expect(stream.received.beats).toBeGreaterThan(beats + 2), 300_000);
  // Jobs have short transactions of their own; one that a stream held would stay.
  const open = () =>
    admin.as(allTenants).many(sql`
      select 1 from pg_stat_activity where datname = current_database() and state like 'idle in%'`);
  await vi.waitFor(async () => expect(await open()).toEqual([]), 300_000);
  await admin.close();
  stream.close();
});

test('disconnects a client that does not read, which then reads the rest from the log', async () => {
  const own = await makeReseller(t);
  const { hostname, port } = new URL(t.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  const request = `GET /v1/events/stream?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(own)}\r\n\r\n`;
  for (let each = 0; each < 60; each += 1) await emitEvent(idOf(own), `${each}`, { note: 'x'.repeat(500_000) });
  socket.write(request);
  // More than the buffers of both ends can hold; only a reading client sees the end.
  const expectDisconnected = async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => listen({ as: own })));
    const statuses = streams.map(({ response }) => response.status);
    for (const each of streams) each.close();
    await Promise.all(streams.map(({ over }) => over));
    expect(statuses).toEqual(Array(10).fill(200));
  };
  await vi.waitFor(expectDisconnected, { timeout: 300_000, interval: 500 });
  let bytes = 0;
  socket.on('data', (piece) => {
    bytes += piece.length;
  });
  const over = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.resume();
  await over;
  expect(bytes).toBeLessThan(60 * 500_000);
  // As any client of server-sent events does, this one reconnects if it was too slow on a busy machine.
  const received: string[] = [];
  let lastId: string | undefined;
  for (let tries = 0; tries < 20 && received.length < 60; tries += 1) {
    const again = await listen({ as: own, after: '0', ...(lastId && { lastId }) });
    await vi.waitFor(
      () => expect(again.received.isOver || received.length + again.received.events.length >= 60).toBe(true),
      {
        timeout: 300_000,
      },
    );
    again.close();
    await again.over;
    received.push(...notes(again.received));
    lastId = again.received.lastId;
  }
  expect(received).toEqual(Array.from({ length: 60 }, (_, each) => `${each}`));
});

test('ends all streams cleanly at the end of the process', async () => {
  const second = await t.second();
  const response = await fetch(`${second.url}/v1/events/stream`, { headers: headersOf({}) });
  const text = response.text();
  await second.service.stop();
  // Cleanly: a client that is cut off after the request timeout reads no end.
  expect(await text).toMatch(/^retry: 2000\nid: evt_\d{16}\n\n/);
});

test('keeps streams open after an internal error, and retries', async () => {
  const streams = new EventStreams(t.ctx, { authoriseMs: 20 });
  const caller = {
    resellerId: idOf(t.demo),
    keyId: null,
    scopes: [],
    isOperator: false,
    address: '127.0.0.1',
    requestId: 'test',
    header: () => undefined,
  };
  let attempts = 0;
  const feed = new EventFeed({ after: (newest) => newest, type: undefined, show: () => '', idOf: String });
  const stream = await streams.open(caller, feed, () => {
    attempts += 1;
    throw new Error('the database is unavailable');
  });
  await expect.poll(() => attempts).toBeGreaterThan(2);
  expect(stream.destroyed).toBe(false);
  stream.destroy();
});
