import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeContact, newDomain, newLabel, strongPw } from './support/objects.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
let contact: string;
beforeAll(async () => {
  registry = await startTestRegistry();
  contact = await makeContact(registry.us);
});
afterAll(() => registry.close());

let name: string;
let svTRID: string;
let clTRID: string;
beforeEach(async () => {
  name = `${newLabel('firma')}.co.id`;
  const types = ['admin', 'tech', 'billing'] as const;
  const request = newDomain(name, contact, {
    contacts: types.map((type) => ({ type, id: contact })),
    authInfo: { pw: strongPw },
  });
  const answer = await registry.us.done(request);
  expect(answer.code).toBe(1001);
  expect(answer.pending).toBe(true);
  ({ svTRID, clTRID } = answer);
});

const info = () => registry.us.done({ object: 'domain', verb: 'info', name });
const message = async () => {
  const answer = await registry.us.done({ object: 'poll', verb: 'request' });
  if (answer.msgQ) await registry.us.done({ object: 'poll', verb: 'ack', msgID: answer.msgQ.id });
  return answer.data;
};
const lines = async () => {
  const { entries } = await registry.control<{ entries: { kind: string; amount: string }[] }>(
    'GET',
    `/statement?client=namehold&domain=${name}`,
  );
  return entries.map((line) => `${line.kind} ${line.amount}`);
};

test('refuses changes, and registrations by others, during the review', async () => {
  expect((await info()).data.statuses).toEqual([{ value: 'pendingCreate' }]);
  expect(
    await registry.us.code({ object: 'domain', verb: 'update', name, add: { statuses: [{ value: 'clientHold' }] } }),
  ).toBe(2304);
  expect(await registry.us.code({ object: 'domain', verb: 'delete', name })).toBe(2304);
  expect(
    await registry.otherRegistrar.code({
      object: 'domain',
      verb: 'transfer',
      op: 'request',
      name,
      authInfo: { pw: strongPw },
    }),
  ).toBe(2304);
  const { data } = await registry.us.done({ object: 'domain', verb: 'check', names: [name] });
  expect(data.items[0]?.available).toBe(false);
  expect(await registry.control<string>('GET', '/zones/co.id')).not.toContain(name);
  await registry.control('POST', `/domains/${name}/review`, { decision: 'refuse' });
  await message();
});

test('activates the domain when a reviewer approves it', async () => {
  await registry.control('POST', `/domains/${name}/review`, { decision: 'approve' });
  expect((await info()).data.statuses).toEqual([{ value: 'ok' }]);
  expect(await message()).toMatchObject({
    object: 'domain',
    type: 'panData',
    name,
    granted: true,
    paTRID: { clTRID, svTRID },
  });
  expect(await lines()).toEqual(['charge 7.00']);
  await expect(registry.control('POST', `/domains/${name}/review`, { decision: 'approve' })).rejects.toThrow('409');
  // No add grace period: a delete on the first day refunds nothing.
  expect((await registry.us.done({ object: 'domain', verb: 'delete', name })).code).toBe(1001);
  expect(await lines()).toEqual(['charge 7.00']);
});

test('releases the name and refunds the fee when a reviewer refuses it', async () => {
  await registry.control('POST', `/domains/${name}/review`, { decision: 'refuse' });
  expect(await message()).toMatchObject({ type: 'panData', name, granted: false });
  expect(await registry.us.code({ object: 'domain', verb: 'info', name })).toBe(2303);
  expect(await lines()).toEqual(['charge 7.00', 'refund 7.00']);
});

test('approves after three days, then holds an expired domain for five days before redemption', async () => {
  await registry.move('+3d');
  expect((await info()).data.statuses).toEqual([{ value: 'ok' }]);
  await message();
  await registry.move('+362d');
  const expired = await info();
  expect(expired.data.statuses).toEqual([{ value: 'serverHold' }]);
  const curExpDate = expired.data.exDate?.toISOString().slice(0, 10) as string;
  await registry.us.done({ object: 'domain', verb: 'renew', name, curExpDate });
  expect((await info()).data.statuses).toEqual([{ value: 'ok' }]);
  await registry.move('+372d');
  expect((await info()).ext.rgp?.statuses).toEqual([{ value: 'redemptionPeriod' }]);
  await registry.move('+34d');
  expect(await registry.us.code({ object: 'domain', verb: 'info', name })).toBe(2303);
});
