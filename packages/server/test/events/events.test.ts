import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { lifeOf } from '../domains/life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  for (const name of ['event-one.com', 'event-two.com', 'event-three.com']) await life.buy(name);
});
afterAll(async () => {
  expect(await life.count('operation')).toBe(4);
  await life.ledgerIsSound();
  await t.stop();
});

interface Event {
  readonly event_id: string;
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

const read = async (query: Record<string, string> = {}) => {
  const called = await t.call('GET', '/v1/events', { query });
  expect(called.status, called.text).toBe(200);
  return called.body as { events: Event[]; has_more: boolean; next_after: string };
};

test('returns an ordered, numbered and complete log', async () => {
  const { events, has_more, next_after } = await read();
  expect(has_more).toBe(false);
  expect(next_after).toBe(events.at(-1)!.event_id);
  events.forEach((event, index) => {
    expect(event.event_id).toBe(`evt_${String(index + 1).padStart(16, '0')}`);
  });
  const registered = events.filter((event) => event.type === 'domain.registered');
  expect(registered.map((event) => event.payload.domain_name)).toEqual([
    'event-one.com',
    'event-two.com',
    'event-three.com',
  ]);
});

test('returns the same events by pages and at once, and for a repeated request', async () => {
  const whole = (await read()).events;
  for (const limit of ['1', '2']) {
    const seen: Event[] = [];
    let after: string | undefined;
    for (let pages = 0; ; pages += 1) {
      expect(pages, 'pages of the log').toBeLessThan(1_000);
      const page = await read({ limit, ...(after ? { after } : {}) });
      seen.push(...page.events);
      after = page.next_after;
      if (!page.has_more) break;
    }
    // Zones are published in the background: the log may have grown meanwhile, but never changed.
    expect(seen.slice(0, whole.length)).toEqual(whole);
  }
});

test('returns nothing at the end of the log, and keeps the position', async () => {
  const type = 'domain.*';
  const { next_after } = await read({ type });
  expect(await read({ after: next_after, type })).toEqual({ events: [], has_more: false, next_after });
  await life.renew('event-one.com');
  const more = await read({ after: next_after });
  expect(more.events.map((event) => event.type)).toContain('domain.renewed');
  expect((await read({ after: next_after, type: 'domain.renewed' })).events).toHaveLength(1);
});

test('filters by the full type or its prefix', async () => {
  const { events: all, next_after } = await read();
  expect((await read({ type: 'domain.registered' })).events).toHaveLength(3);
  const below = (await read({ type: 'domain.*' })).events.filter((event) => event.event_id <= next_after);
  expect(below).toEqual(all.filter((event) => event.type.startsWith('domain.')));
  for (const unknown of ['nothing', 'domain.nosuch', 'nosuch.*']) {
    const called = await t.call('GET', '/v1/events', { query: { type: unknown } });
    expect([called.status, called.body.errors?.[0].field]).toEqual([400, 'type']);
    expect(called.body.message).toContain('domain.registered');
  }
});

test('refuses invalid parameters', async () => {
  for (const query of [{ after: 'yesterday' }, { limit: '0' }, { limit: '1001' }, { colour: 'red' }]) {
    const called = await t.call('GET', '/v1/events', { query: query as unknown as Record<string, string> });
    expect(called.status).toBe(400);
  }
});

test('returns a separate log for another reseller', async () => {
  const stranger = await makeReseller(t);
  const called = await t.call('GET', '/v1/events', { as: stranger });
  expect(JSON.stringify(called.body)).not.toContain('event-one.com');
});
