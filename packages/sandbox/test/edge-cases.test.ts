import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeContact, makeDomain, newLabel, strongPw } from './support/objects.ts';
import { openSession } from './support/raw.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterAll(() => registry.close());

const v4 = (address: string) => ({ address, version: 'v4' }) as const;
const v6 = (address: string) => ({ address, version: 'v6' }) as const;

describe('addresses of a host', () => {
  test('are limited to thirteen, in one command or several', async () => {
    const ours = await makeDomain(registry.us, `${newLabel()}.org`);
    const many = (count: number) => Array.from({ length: count }, (_, n) => v4(`192.0.2.${n + 1}`));
    const create = (label: string, addresses: object[]) =>
      registry.us.code({ object: 'host', verb: 'create', name: `${label}.${ours}`, addresses } as never);
    expect(await create('ns0', many(14))).toBe(2306);
    expect(await create('ns1', many(13))).toBe(1000);
    const update = (change: object) =>
      registry.us.code({ object: 'host', verb: 'update', name: `ns1.${ours}`, ...change } as never);
    expect(await update({ add: { addresses: [v6('2001:db8::1')] } })).toBe(2306);
    expect(await update({ add: { addresses: [v6('2001:db8::1')] }, rem: { addresses: [v4('192.0.2.1')] } })).toBe(1000);
  });

  test('are duplicates in any spelling', async () => {
    const ours = await makeDomain(registry.us, `${newLabel()}.org`);
    const name = `ns1.${ours}`;
    const twice = [v6('2001:db8::1'), v6('2001:0DB8:0:0:0:0:0:1')];
    expect(await registry.us.code({ object: 'host', verb: 'create', name, addresses: twice })).toBe(2306);
    expect(await registry.us.code({ object: 'host', verb: 'create', name, addresses: twice.slice(1) })).toBe(1000);
    const add = { addresses: twice.slice(0, 1) };
    expect(await registry.us.code({ object: 'host', verb: 'update', name, add })).toBe(2302);
    expect(
      await registry.us.code({ object: 'host', verb: 'update', name, rem: { addresses: [v4('192.0.2.1')] } }),
    ).toBe(2303);
    const zoned = [v6('fe80::1%eth0')];
    expect(await registry.us.code({ object: 'host', verb: 'create', name: `ns2.${ours}`, addresses: zoned })).toBe(
      2005,
    );
  });
});

describe('a contact transfer', () => {
  const move = (id: string, op: 'request' | 'query' | 'approve' | 'reject' | 'cancel', pw?: string) =>
    ({ object: 'contact', verb: 'transfer', op, id, ...(pw === undefined ? {} : { authInfo: { pw } }) }) as const;

  test('allows each step only to the registrar in charge', async () => {
    const id = await makeContact(registry.us);
    await registry.us.done({ object: 'contact', verb: 'update', id, chg: { authInfo: { pw: strongPw } } });
    expect(await registry.us.code(move(id, 'request', strongPw))).toBe(2106);
    expect(await registry.otherRegistrar.code(move(id, 'request'))).toBe(2003);
    expect(await registry.us.code(move(id, 'approve'))).toBe(2301);
    expect(await registry.otherRegistrar.code(move(id, 'query'))).toBe(2201);
    expect(await registry.otherRegistrar.code(move('never-there', 'request', strongPw))).toBe(2303);
    expect(await registry.otherRegistrar.code(move(id, 'request', strongPw))).toBe(1001);
    expect(await registry.otherRegistrar.code(move(id, 'request', strongPw))).toBe(2300);
    expect(await registry.otherRegistrar.code(move(id, 'approve'))).toBe(2201);
    expect(await registry.us.code(move(id, 'cancel'))).toBe(2201);
    expect(await registry.us.code(move(id, 'reject'))).toBe(1000);
    expect(await registry.us.code(move(id, 'reject'))).toBe(2301);
    expect((await registry.otherRegistrar.done(move(id, 'query'))).data).toMatchObject({ trStatus: 'clientRejected' });
  });

  test('requires a new secret of the new sponsor, because the old one is valid once', async () => {
    const id = await makeContact(registry.us);
    await registry.us.done({ object: 'contact', verb: 'update', id, chg: { authInfo: { pw: strongPw } } });
    expect(await registry.otherRegistrar.code(move(id, 'request', strongPw))).toBe(1001);
    await registry.us.done(move(id, 'approve'));
    expect(await registry.us.code(move(id, 'request', strongPw))).toBe(2202);
    expect(await registry.us.code(move(id, 'request', ''))).toBe(2202);
  });

  test('is refused under a lock', async () => {
    const id = await makeContact(registry.us);
    const lock = [{ value: 'clientTransferProhibited' }];
    await registry.us.done({
      object: 'contact',
      verb: 'update',
      id,
      addStatuses: lock,
      chg: { authInfo: { pw: strongPw } },
    });
    expect(await registry.otherRegistrar.code(move(id, 'request', strongPw))).toBe(2304);
    expect(await registry.us.code({ object: 'contact', verb: 'update', id, addStatuses: lock })).toBe(2306);
    await registry.us.done({ object: 'contact', verb: 'update', id, remStatuses: lock });
    expect(await registry.us.code({ object: 'contact', verb: 'update', id, remStatuses: lock })).toBe(2306);
    expect(await registry.otherRegistrar.code(move(id, 'request', strongPw))).toBe(1001);
  });
});

test('requires a name and an address for a second form of a contact', async () => {
  const id = await makeContact(registry.us);
  const update = (postal: object) =>
    registry.us.code({ object: 'contact', verb: 'update', id, chg: { postal: [postal] } } as never);
  expect(await update({ type: 'loc', name: 'Ádá' })).toBe(2003);
  const addr = { street: ['Fő utca 1'], city: 'Győr', cc: 'HU' };
  expect(await update({ type: 'loc', addr })).toBe(2003);
  expect(await update({ type: 'loc', name: 'Ádá', addr })).toBe(1000);
  expect(await update({ type: 'loc', org: 'Társaság' })).toBe(1000);
  const { data } = await registry.us.done({ object: 'contact', verb: 'info', id });
  expect(data.postal).toHaveLength(2);
  expect(data.postal.find((info) => info.type === 'loc')).toMatchObject({ name: 'Ádá', org: 'Társaság' });
});

test('accepts the acknowledgement of a message once, from its registrar only', async () => {
  const name = await makeDomain(registry.us, `${newLabel()}.org`);
  await registry.us.done({ object: 'domain', verb: 'update', name, chg: { authInfo: { pw: strongPw } } });
  expect(
    await registry.otherRegistrar.code({
      object: 'domain',
      verb: 'transfer',
      op: 'request',
      name,
      authInfo: { pw: strongPw },
    }),
  ).toBe(1001);
  let waiting = await registry.us.done({ object: 'poll', verb: 'request' });
  const ack = (msgID: string) => ({ object: 'poll', verb: 'ack', msgID }) as const;
  while (waiting.msgQ && !JSON.stringify(waiting.data ?? {}).includes(name)) {
    await registry.us.done(ack(waiting.msgQ.id));
    waiting = await registry.us.done({ object: 'poll', verb: 'request' });
  }
  const { id } = waiting.msgQ!;
  expect(await registry.otherRegistrar.code(ack(id))).toBe(2303);
  for (const none of ['0', 'x', '99999999999999999999', '-1'])
    expect(await registry.us.code(ack(none)), none).toBe(2303);
  expect(await registry.us.code(ack(id))).toBe(1000);
  expect(await registry.us.code(ack(id))).toBe(2303);
  await registry.us.done({ object: 'domain', verb: 'transfer', op: 'reject', name });
});

test('refuses prices of unavailable commands, each with its reason', async () => {
  const command = (name: string, more: object = {}) => ({ name, ...more }) as never;
  // Our own client would not send half a year.
  const raw = await openSession(registry.sandbox);
  const { ext } = await raw.send({
    object: 'domain',
    verb: 'check',
    names: [`${newLabel()}.org`],
    ext: {
      fee: {
        commands: [
          command('create', { period: { value: 10, unit: 'y' } }),
          command('renew', { period: { value: 6, unit: 'm' } }),
          command('renew', { period: { value: 24, unit: 'm' } }),
          command('transfer', { period: { value: 2, unit: 'y' } }),
          command('update'),
          command('delete'),
        ],
      },
    },
  });
  raw.close();
  const [create, half, two, transfer, update, removal] = ext.feeCheck!.items[0]!.prices;
  expect(create).toMatchObject({ fees: [{ amount: '107.40' }] });
  expect(half).toMatchObject({ fees: [], reason: 'period not offered' });
  expect(two).toMatchObject({ period: { value: 2, unit: 'y' }, fees: [{ amount: '21.48' }] });
  expect(transfer).toMatchObject({ fees: [], reason: 'period not offered' });
  expect([update, removal]).toMatchObject([{ fees: [{ amount: '0.00' }] }, { fees: [{ amount: '0.00' }] }]);
});

describe('the control API', () => {
  test.each(['statement', 'names'])('ignores an invalid limit of /%s', async (page) => {
    await makeDomain(registry.us, `${newLabel()}.org`);
    const read = async (limit: string) => {
      const answer = await registry.control<{ entries?: object[]; names?: object[] }>(
        'GET',
        `/${page}?client=namehold&limit=${limit}`,
      );
      return (answer.entries ?? answer.names)!.length;
    };
    expect(await read('1')).toBe(1);
    const all = await read('1000');
    expect(all).toBeGreaterThan(1);
    for (const none of ['0', '-5', '1.5', 'x', '']) expect(await read(none), none).toBe(all);
    expect(await read('99999999999')).toBe(all);
  });

  test('refuses tampering with a missing object and changes nothing', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`);
    const tamper = (body: object) => registry.control('POST', `/domains/${name}/tamper`, body);
    await expect(tamper({ sponsor: 'nobody-at-all' })).rejects.toThrow(/^Error: 400|^400/);
    await expect(tamper({ registrant: 'nobody-at-all' })).rejects.toThrow('400');
    await expect(tamper({ expires_at: 'soon' })).rejects.toThrow('400');
    await expect(tamper({ colour: 'red' })).rejects.toThrow('400');
    await expect(registry.control('POST', `/domains/${newLabel()}.org/tamper`, { sponsor: 'rival' })).rejects.toThrow(
      '404',
    );
    expect((await registry.us.done({ object: 'domain', verb: 'info', name })).data).toMatchObject({ clID: 'namehold' });
  });
});
