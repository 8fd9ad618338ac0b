import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeContact, makeDomain, newContact, newLabel, strongPw } from './support/objects.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterAll(() => registry.close());

const transfer = (op: 'request' | 'query' | 'approve' | 'reject' | 'cancel', name: string, pw?: string) =>
  ({ object: 'domain', verb: 'transfer', op, name, ...(pw === undefined ? {} : { authInfo: { pw } }) }) as const;
const info = (name: string) => registry.us.done({ object: 'domain', verb: 'info', name });
const statuses = async (name: string) => (await info(name)).data.statuses.map((status) => status.value);
const setAuthInfo = (name: string, pw = strongPw) =>
  registry.us.done({ object: 'domain', verb: 'update', name, chg: { authInfo: { pw } } });
const readMail = async (client: TestRegistry['us']) => {
  const messages = [];
  while (messages.length < 1_000) {
    const answer = await client.done({ object: 'poll', verb: 'request' });
    if (answer.code === 1300 || answer.msgQ === undefined) return messages;
    messages.push(answer);
    await client.done({ object: 'poll', verb: 'ack', msgID: answer.msgQ.id });
  }
  throw new Error('messages that are acknowledged stay in the queue');
};

let name: string;
beforeEach(async () => {
  await registry.control('POST', '/accounts/rival', { balance: '1000.00', low_balance_threshold: '0.00' });
  name = await makeDomain(registry.us, `${newLabel()}.org`);
  await registry.move('+10d');
  await readMail(registry.us);
  await readMail(registry.otherRegistrar);
});

describe('a transfer request', () => {
  test('requires the authInfo, which must be set', async () => {
    expect(await registry.otherRegistrar.code(transfer('request', name))).toBe(2003);
    expect(await registry.otherRegistrar.code(transfer('request', name, strongPw))).toBe(2202);
    await setAuthInfo(name);
    expect(await registry.otherRegistrar.code(transfer('request', name, `${strongPw}x`))).toBe(2202);
    expect(await registry.otherRegistrar.code(transfer('request', name, strongPw))).toBe(1001);
    expect(await statuses(name)).toEqual(['pendingTransfer']);
    expect(await registry.otherRegistrar.code(transfer('request', name, strongPw))).toBe(2300);
  });

  test('is refused to the sponsor, under a lock, for deleted domains, and beyond ten years', async () => {
    await setAuthInfo(name);
    expect(await registry.us.code(transfer('request', name, strongPw))).toBe(2106);
    await registry.us.done({
      object: 'domain',
      verb: 'update',
      name,
      add: { statuses: [{ value: 'clientTransferProhibited' }] },
    });
    expect(await registry.otherRegistrar.code(transfer('request', name, strongPw))).toBe(2304);
    const long = await makeDomain(registry.us, `${newLabel()}.org`, {
      period: { value: 10, unit: 'y' },
      authInfo: { pw: strongPw },
    });
    expect(await registry.otherRegistrar.code(transfer('request', long, strongPw))).toBe(2105);
    const gone = await makeDomain(registry.us, `${newLabel()}.org`, { authInfo: { pw: strongPw } });
    await registry.move('+6d');
    await registry.us.done({ object: 'domain', verb: 'delete', name: gone });
    expect(await registry.otherRegistrar.code(transfer('request', gone, strongPw))).toBe(2304);
    expect(await registry.otherRegistrar.code(transfer('request', `${newLabel()}.org`, strongPw))).toBe(2303);
  });

  test('does not match an unset authInfo, and a weak one cannot be set', async () => {
    for (const pw of ['short', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'x'.repeat(65)]) {
      expect(await registry.us.code({ object: 'domain', verb: 'update', name, chg: { authInfo: { pw } } })).toBe(2306);
    }
    await setAuthInfo(name);
    await registry.us.done({ object: 'domain', verb: 'update', name, chg: { authInfo: { unset: true } } });
    expect(await registry.otherRegistrar.code(transfer('request', name, strongPw))).toBe(2202);
  });

  test('returns the contacts with the authInfo, and refuses a wrong one', async () => {
    await setAuthInfo(name);
    const stranger = await registry.otherRegistrar.done({ object: 'domain', verb: 'info', name });
    expect(stranger.data.registrant).toBeUndefined();
    const known = await registry.otherRegistrar.done({
      object: 'domain',
      verb: 'info',
      name,
      authInfo: { pw: strongPw },
    });
    expect(known.data.registrant).toBeDefined();
    expect(known.data.authInfo).toBeUndefined();
    expect(
      await registry.otherRegistrar.code({
        object: 'domain',
        verb: 'info',
        name,
        authInfo: { pw: 'wrong-wrong-wrong' },
      }),
    ).toBe(2202);
  });
});

describe('the end of a transfer', () => {
  beforeEach(async () => {
    await registry.us.done({
      object: 'host',
      verb: 'create',
      name: `ns.${name}`,
      addresses: [{ address: '192.0.2.9', version: 'v4' }],
    });
    await setAuthInfo(name);
    await registry.otherRegistrar.done(transfer('request', name, strongPw));
  });

  test('charges a fee, adds a year, moves hosts, removes authInfo and sends a message after an approval', async () => {
    const before = (await info(name)).data.exDate as Date;
    expect(await registry.otherRegistrar.code(transfer('approve', name))).toBe(2201);
    const answer = await registry.us.done(transfer('approve', name));
    expect(answer.data).toMatchObject({ trStatus: 'clientApproved', reID: 'rival', acID: 'namehold' });
    const after = await registry.otherRegistrar.done({ object: 'domain', verb: 'info', name });
    expect(after.data.clID).toBe('rival');
    expect(after.data.exDate?.getUTCFullYear()).toBe(before.getUTCFullYear() + 1);
    expect(after.ext.rgp?.statuses).toEqual([{ value: 'transferPeriod' }]);
    const host = await registry.otherRegistrar.done({ object: 'host', verb: 'info', name: `ns.${name}` });
    expect(host.data.clID).toBe('rival');
    expect(await registry.us.code(transfer('request', name, strongPw))).toBe(2202);
    const mail = await readMail(registry.otherRegistrar);
    expect(mail.map((message) => message.data)).toMatchObject([{ type: 'trnData', name, trStatus: 'clientApproved' }]);
    const { entries } = await registry.control<{ entries: object[] }>('GET', `/statement?client=rival&domain=${name}`);
    expect(entries).toMatchObject([{ kind: 'charge', command: 'transfer', amount: '10.74', years: 1 }]);
    expect((await registry.us.done(transfer('query', name))).data).toMatchObject({ trStatus: 'clientApproved' });
    // Within the transfer grace a delete refunds the fee, and the domain can be redeemed.
    await registry.otherRegistrar.done({ object: 'host', verb: 'delete', name: `ns.${name}` });
    expect((await registry.otherRegistrar.done({ object: 'domain', verb: 'delete', name })).code).toBe(1001);
    const after2 = await registry.control<{ entries: object[] }>('GET', `/statement?client=rival&domain=${name}`);
    expect(after2.entries).toMatchObject([
      { kind: 'charge' },
      { kind: 'refund', command: 'transfer', amount: '10.74' },
    ]);
  });

  test('changes nothing and sends the other registrar a message after a rejection or cancellation', async () => {
    expect(await registry.otherRegistrar.code(transfer('reject', name))).toBe(2201);
    await readMail(registry.us);
    await registry.us.done(transfer('reject', name));
    expect((await readMail(registry.otherRegistrar)).map((m) => m.data)).toMatchObject([
      { trStatus: 'clientRejected' },
    ]);
    expect(await registry.us.code(transfer('approve', name))).toBe(2301);
    await registry.otherRegistrar.done(transfer('request', name, strongPw));
    expect(await registry.us.code(transfer('cancel', name))).toBe(2201);
    await registry.otherRegistrar.done(transfer('cancel', name));
    expect((await readMail(registry.us)).map((m) => m.data)).toMatchObject([
      { trStatus: 'pending' },
      { trStatus: 'clientCancelled' },
    ]);
    expect(await statuses(name)).toEqual(['ok']);
    expect((await info(name)).data.clID).toBe('namehold');
  });

  test('is an approval after five days without a response, with messages to both registrars', async () => {
    await registry.move('+4d');
    expect((await info(name)).data.clID).toBe('namehold');
    await registry.move('+1d');
    expect((await info(name)).data.clID).toBe('rival');
    expect((await readMail(registry.us)).map((m) => m.data)).toMatchObject([
      { trStatus: 'pending' },
      { trStatus: 'serverApproved' },
    ]);
    expect((await readMail(registry.otherRegistrar)).map((m) => m.data)).toMatchObject([
      { trStatus: 'serverApproved' },
    ]);
  });

  test('is required before other changes of the domain', async () => {
    const { exDate } = (await info(name)).data;
    const codes = await Promise.all([
      registry.us.code({ object: 'domain', verb: 'update', name, add: { statuses: [{ value: 'clientHold' }] } }),
      registry.us.code({ object: 'domain', verb: 'delete', name }),
      registry.us.code({
        object: 'domain',
        verb: 'renew',
        name,
        curExpDate: exDate?.toISOString().slice(0, 10) as string,
      }),
    ]);
    expect(codes).toEqual([2304, 2304, 2304]);
  });
});

test('refunds the auto-renewed year to the losing registrar on a transfer in its grace period', async () => {
  await setAuthInfo(name);
  await registry.move('+360d');
  const { exDate } = (await info(name)).data;
  await registry.otherRegistrar.done(transfer('request', name, strongPw));
  await registry.us.done(transfer('approve', name));
  expect((await registry.otherRegistrar.done({ object: 'domain', verb: 'info', name })).data.exDate).toEqual(exDate);
  const { entries } = await registry.control<{ entries: object[] }>('GET', `/statement?client=namehold&domain=${name}`);
  expect(entries).toMatchObject([
    { kind: 'charge' },
    { kind: 'charge', command: 'autorenew' },
    { kind: 'refund', command: 'autorenew' },
  ]);
});

test('transfers contacts in the same way', async () => {
  const id = await makeContact(registry.us);
  const move = (op: 'request' | 'query' | 'approve' | 'cancel', pw?: string) =>
    ({ object: 'contact', verb: 'transfer', op, id, ...(pw === undefined ? {} : { authInfo: { pw } }) }) as const;
  await registry.us.done({ object: 'contact', verb: 'update', id, chg: { authInfo: { pw: strongPw } } });
  expect(await registry.otherRegistrar.code(move('request', 'wrong-wrong-wrong'))).toBe(2202);
  expect(await registry.otherRegistrar.code(move('request', strongPw))).toBe(1001);
  expect(await registry.us.code({ object: 'contact', verb: 'update', id, chg: { email: 'new@example.org' } })).toBe(
    2304,
  );
  expect((await registry.otherRegistrar.done(move('query'))).data).toMatchObject({ trStatus: 'pending' });
  await registry.us.done(move('approve'));
  expect((await registry.otherRegistrar.done({ object: 'contact', verb: 'info', id })).data.clID).toBe('rival');
  await registry.otherRegistrar.done({ object: 'contact', verb: 'update', id, chg: { authInfo: { pw: strongPw } } });
  await registry.us.done(move('request', strongPw));
  await registry.move('+5d');
  expect((await registry.us.done({ object: 'contact', verb: 'info', id })).data.clID).toBe('namehold');
  expect(newContact(id).id).toBe(id);
});
