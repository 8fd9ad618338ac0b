import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeContact, makeDomain, newDomain, newLabel } from './support/objects.ts';
import { openSession } from './support/raw.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterEach(() => registry.control('DELETE', '/faults'));
afterAll(() => registry.close());

const turn = (fault: object) => registry.control('POST', '/faults', fault);
const info = (name: string) => registry.us.done({ object: 'domain', verb: 'info', name });

test('swaps the answers of two sessions of one account with their ids', async () => {
  const [one, two] = [await openSession(registry.sandbox), await openSession(registry.sandbox)];
  const names = [`${newLabel('one')}.org`, `${newLabel('two')}.org`] as const;
  await turn({ kind: 'swapped-answers', commands: ['domain:check'], ms: 60_000, limit: 2 });
  const check = (at: 0 | 1) => ({ object: 'domain', verb: 'check', names: [names[at]] }) as const;
  const [first, second] = await Promise.all([one.send(check(0), 'SWAP-ONE'), two.send(check(1), 'SWAP-TWO')]);
  expect(first).toMatchObject({ clTRID: 'SWAP-TWO', data: { items: [{ id: names[1] }] } });
  expect(second).toMatchObject({ clTRID: 'SWAP-ONE', data: { items: [{ id: names[0] }] } });
  expect((await one.send(check(0), 'SWAP-THREE')).clTRID).toBe('SWAP-THREE');
  for (const raw of [one, two]) raw.close();
});

test('delivers an answer normally if there is no other to swap with', async () => {
  const raw = await openSession(registry.sandbox);
  await turn({ kind: 'swapped-answers', ms: 1 });
  expect((await raw.send({ object: 'poll', verb: 'request' }, 'ALONE-1')).clTRID).toBe('ALONE-1');
  raw.close();
});

test('rounds a creation date to midnight, and no other date', async () => {
  const name = await makeDomain(registry.us, `${newLabel('midnight')}.org`);
  const { data: exact } = await info(name);
  expect(exact.crDate?.toISOString()).toBe('2026-03-01T12:00:00.000Z');
  await turn({ kind: 'midnight-dates' });
  const { data } = await info(name);
  expect(data.crDate?.toISOString()).toBe('2026-03-01T00:00:00.000Z');
  expect(data.exDate).toEqual(exact.exDate);
});

test.each([
  ['offset', '2027-03-01T19:00:00.000+07:00'],
  ['none', '2027-03-01T19:00:00.000<'],
  ['Z', '2027-03-01T19:00:00.000Z'],
])("writes dates in the registry's own time zone, marked by %s", async (mark, written) => {
  const name = await makeDomain(registry.us, `${newLabel('zone')}.org`);
  await turn({ kind: 'zone-dates', zone: '+07:00', mark });
  const answer = await registry.us.send({ object: 'domain', verb: 'info', name });
  expect(answer).toHaveProperty('frame', expect.stringContaining(`exDate>${written}`));
});

test('writes dates in other forms of the same instant', async () => {
  const name = await makeDomain(registry.us, `${newLabel('spelled')}.org`);
  const { data: exact } = await info(name);
  await turn({ kind: 'other-dates', seed: 3 });
  const frames = [];
  for (let at = 0; at < 20; at += 1) {
    const answer = await info(name);
    expect(answer.data).toEqual(exact);
    frames.push(answer.frame);
  }
  const written = frames.map((frame) => /exDate>([^<]+)</.exec(frame)![1]);
  expect([...new Set(written)].sort()).toEqual([
    '2027-03-01 12:00:00.000Z',
    '2027-03-01T12:00:00.000',
    '2027-03-01T12:00:00.000000Z',
    '2027-03-01T19:00:00.000+07:00',
  ]);
});

test('writes answers with other prefixes and the same content', async () => {
  const name = await makeDomain(registry.us, `${newLabel('prefix')}.org`);
  const before = await info(name);
  await turn({ kind: 'other-prefixes' });
  const after = await info(name);
  expect(after.data).toEqual(before.data);
  expect(after.ext).toEqual(before.ext);
  expect(after.frame).toMatch(/<e:epp xmlns:e="[\s\S]*<n-domain:infData/);
});

test('continues on another session when one closes between two commands', async () => {
  const raw = await openSession(registry.sandbox);
  await turn({ kind: 'hang-up', commands: ['domain'] });
  expect((await raw.send({ object: 'domain', verb: 'check', names: ['a.org'] })).results[0].code).toBe(1000);
  await raw.closed();
  const name = await makeDomain(registry.us, `${newLabel('hang-up')}.org`);
  for (let at = 0; at < 5; at += 1) {
    expect((await info(name)).data.name).toBe(name);
    await expect.poll(() => registry.us.pool.state().sessions).toBe(0);
  }
});

test('answers every command in chaos mode, which are not listed and cannot be ended', async () => {
  const { sandbox, client, close } = await startTestRegistry({ chaosSeed: 7 });
  const us = client(0);
  const frames = [];
  for (let at = 0; at < 300; at += 1)
    frames.push((await us.done({ object: 'domain', verb: 'check', names: ['a.org'] })).frame);
  expect(frames.filter((frame) => frame.includes('<e:epp'))).not.toEqual([]);
  expect(await (await fetch(`http://127.0.0.1:${sandbox.controlPort}/faults`)).json()).toEqual({ faults: [] });
  await us.close();
  await close();
});

test('returns an info that lags behind a change for a while', async () => {
  const name = `${newLabel('lag')}.org`;
  await turn({ kind: 'lagging-info', ms: 600_000 });
  await registry.us.done(newDomain(name, await makeContact(registry.us)));
  expect(await registry.us.code({ object: 'domain', verb: 'info', name })).toBe(2303);
  expect(await registry.otherRegistrar.code({ object: 'domain', verb: 'info', name })).toBe(1000);
  await registry.control('DELETE', '/faults');
  const before = (await info(name)).data.statuses.map(({ value }) => value);
  await turn({ kind: 'lagging-info', ms: 600_000, limit: 1 });
  await registry.us.done({ object: 'domain', verb: 'update', name, add: { statuses: [{ value: 'clientHold' }] } });
  // The older of the two copies lags, and is used once.
  expect(await registry.us.code({ object: 'domain', verb: 'info', name })).toBe(2303);
  const after = (await info(name)).data.statuses.map(({ value }) => value);
  expect(before).not.toContain('clientHold');
  expect(after).toContain('clientHold');
});

test('refuses an invalid zone, and an invalid end of a hold', async () => {
  await expect(turn({ kind: 'zone-dates', zone: 'Asia/Jakarta' })).rejects.toThrow('zone must be');
  await expect(turn({ kind: 'held', until: 'doomsday' })).rejects.toThrow('until must be');
});
