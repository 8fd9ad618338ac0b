import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { clearAlarm, raiseAlarm } from '../../src/core/alarms/alarm.ts';
import { takeUnreportedAlarm } from '../../src/core/alarms/notify.sql.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const key = 'test:late';
const raise = (sentence: string, severity: 'warning' | 'critical' = 'warning') =>
  raiseAlarm(t.ctx, { key, severity, sentence });
const list = async (state = 'open') => {
  const called = await t.call('GET', '/v1/operator/alarms', { query: { state }, as: t.operator });
  expect(called.status, called.text).toBe(200);
  return called.body as { key: string; acknowledged: { reason: string; by: string; until: string } | null }[];
};
const acknowledged = async () => (await list()).find((each) => each.key === key)?.acknowledged;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const acknowledge = (json: object, headers: Record<string, string> = {}, as = t.operator) =>
  t.call('PUT', '/v1/operator/alarms/acknowledgement', { json, headers, as });
const withdraw = (as = t.operator) => t.call('DELETE', '/v1/operator/alarms/acknowledgement', { json: { key }, as });
const nextNotified = async () => (await takeUnreportedAlarm(t.ctx.db.autocommit(allTenants), 3))?.key;
const updateAlarm = (statement: ReturnType<typeof sql>) =>
  t.ctx.db.autocommit(allTenants).run(sql`update alarm set ${statement} where key = ${key}`);

test('shows the note of an acknowledged alarm and sends no notification for it', async () => {
  await raise('3 zones are late');
  await raiseAlarm(t.ctx, { key: 'test:other', severity: 'warning', sentence: 'another' });
  const headers = { 'Idempotency-Key': 'note-once' };
  const json = { key, reason: 'the line is being repaired', until: inHours(5) };
  const done = await acknowledge(json, headers);
  expect(done.status, done.text).toBe(200);
  expect(done.body.acknowledged).toMatchObject({ reason: 'the line is being repaired' });
  expect((await acknowledge(json, headers)).text).toBe(done.text);
  expect(await countRows(t, 'audit', sql`action = 'alarm.acknowledge' and object_id = ${key}`)).toBe(1);
  const log = await t.call('GET', '/v1/account/audit', { as: t.operator, query: { object_id: key } });
  expect(log.text).toContain('the line is being repaired');
  expect((await list()).map((each) => each.key)).toEqual(['test:other', key]);
  expect((await list('acknowledged')).map((each) => each.key)).toEqual([key]);
  expect(await nextNotified()).toBe('test:other');
  expect(await nextNotified()).toBeUndefined();
});

test('keeps the acknowledgement when only numbers change, and ends it for new text, severity or start', async () => {
  await raise('4711 zones are late');
  expect(await acknowledged()).toMatchObject({ reason: 'the line is being repaired' });
  await raise('4711 zones are lost');
  expect(await acknowledged()).toBeNull();
  expect(await nextNotified()).toBe(key);
  const again = { key, reason: 'again', until: inHours(5) };
  await acknowledge(again);
  await raise('4711 zones are lost', 'critical');
  expect(await acknowledged()).toBeNull();
  expect(await nextNotified()).toBe(key);
  await acknowledge(again);
  await clearAlarm(t.ctx, key);
  await raise('4711 zones are lost', 'critical');
  expect(await acknowledged()).toBeNull();
  expect(await nextNotified()).toBe(key);
});

test('opens the alarm again after the acknowledgement time and sends its notification once more', async () => {
  await acknowledge({ key, reason: 'for an hour', until: inHours(1) });
  expect(await nextNotified()).toBeUndefined();
  await updateAlarm(sql`acknowledged_until = now() - interval '1 second', told_at = now() - interval '1 hour'`);
  expect(await acknowledged()).toBeNull();
  expect(await list('acknowledged')).toEqual([]);
  expect(await nextNotified()).toBe(key);
  expect(await nextNotified()).toBeUndefined();
  await acknowledge({ key, reason: 'once more', until: inHours(1) });
  expect((await withdraw()).body.acknowledged).toBeNull();
  expect(await acknowledged()).toBeNull();
  expect(await countRows(t, 'audit', sql`action = 'alarm.acknowledgement_withdraw'`)).toBe(1);
});

test('refuses other callers, an unknown alarm, a missing or too late end, and a missing note', async () => {
  const good = { key, reason: 'x', until: inHours(1) };
  expect((await acknowledge(good, {}, t.demo)).body.code).toBe('operator_only');
  expect((await withdraw(t.demo)).body.code).toBe('operator_only');
  expect((await acknowledge({ ...good, key: 'test:none' })).status).toBe(404);
  for (const wrong of [{ until: inHours(-1) }, { until: inHours(31 * 24) }, { until: 'soon' }, { reason: '' }])
    expect((await acknowledge({ ...good, ...wrong })).status, JSON.stringify(wrong)).toBe(400);
  await clearAlarm(t.ctx, key);
  expect((await acknowledge(good)).status).toBe(404);
  expect((await withdraw()).status).toBe(404);
});
