import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeContact, makeDomain, newDomain, newLabel, strongPw } from './support/objects.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
let contact: string;
beforeAll(async () => {
  registry = await startTestRegistry();
  contact = await makeContact(registry.us);
});
afterAll(() => registry.close());

const fee = (amount: string, currency = 'USD') => ({ fee: { currency, fees: [{ amount }] } });

test('charges every name with a premium prefix its premium price', async () => {
  const name = `gem-${newLabel()}.shop`;
  const create = newDomain(name, contact);
  expect(await registry.us.code(create)).toBe(2003);
  expect(await registry.us.code({ ...create, ext: fee('3.50') })).toBe(2004);
  expect(await registry.us.code({ ...create, ext: fee('120.00') })).toBe(1000);
});

describe('fee check', () => {
  test('returns prices by name, command and years, with the class', async () => {
    const label = newLabel();
    const { ext } = await registry.us.done({
      object: 'domain',
      verb: 'check',
      names: ['gold.shop', `${label}.shop`, 'bank.shop', `${label}.org`],
      ext: {
        fee: {
          currency: 'USD',
          commands: [
            { name: 'create', period: { value: 2, unit: 'y' } },
            { name: 'renew' },
            { name: 'transfer' },
            { name: 'restore' },
          ],
        },
      },
    });
    const items = ext.feeCheck?.items ?? [];
    const amounts = items.map((item) => item.prices.map((price) => price.fees[0]?.amount));
    expect(amounts).toEqual([
      ['5000.00', '250.00', '250.00', '80.00'],
      ['7.00', '24.00', '24.00', '80.00'],
      [],
      ['21.48', '10.74', '10.74', '40.00'],
    ]);
    expect(items.map((item) => item.class)).toEqual(['premium', 'standard', undefined, 'standard']);
    expect(items[0]?.prices[0]).toMatchObject({ standard: false, fees: [{ refundable: true, gracePeriod: 'P5D' }] });
    expect(items[2]).toMatchObject({ available: false, reason: 'Reserved' });
  });

  test('refuses another currency', async () => {
    const request = {
      object: 'domain',
      verb: 'check',
      names: ['gold.shop'],
      ext: { fee: { currency: 'EUR', commands: [{ name: 'create' }] } },
    } as const;
    expect(await registry.us.code(request)).toBe(2004);
  });
});

describe('fee agreement', () => {
  test('is required for a premium name, with the correct price', async () => {
    expect(await registry.us.code(newDomain('coffee.shop', contact))).toBe(2003);
    expect(await registry.us.code(newDomain('coffee.shop', contact, { ext: fee('799.99') }))).toBe(2004);
    expect(await registry.us.code(newDomain('coffee.shop', contact, { ext: fee('800.01') }))).toBe(2004);
    expect(await registry.us.code(newDomain('coffee.shop', contact, { ext: fee('800.00', 'EUR') }))).toBe(2004);
    const answer = await registry.us.done(newDomain('coffee.shop', contact, { ext: fee('800.00') }));
    expect(answer.ext.fee).toMatchObject({ currency: 'USD', fees: [{ amount: '800.00' }] });
    expect(answer.ext.fee?.balance).toMatch(/^\d+\.\d\d$/);
    const { exDate } = (await registry.us.done({ object: 'domain', verb: 'info', name: 'coffee.shop' })).data;
    const renew = {
      object: 'domain',
      verb: 'renew',
      name: 'coffee.shop',
      curExpDate: exDate?.toISOString().slice(0, 10) as string,
    } as const;
    expect(await registry.us.code(renew)).toBe(2003);
    expect((await registry.us.done({ ...renew, ext: fee('800.00') })).ext.fee).toMatchObject({
      fees: [{ amount: '800.00' }],
    });
  });

  test('is not required to renew a premium name at the list price', async () => {
    await registry.us.done(newDomain('tea.shop', contact, { ext: fee('400.00') }));
    const { exDate } = (await registry.us.done({ object: 'domain', verb: 'info', name: 'tea.shop' })).data;
    await registry.us.done({
      object: 'domain',
      verb: 'renew',
      name: 'tea.shop',
      curExpDate: exDate?.toISOString().slice(0, 10) as string,
    });
    const { entries } = await registry.control<{ entries: object[] }>(
      'GET',
      '/statement?client=namehold&domain=tea.shop',
    );
    expect(entries).toMatchObject([{ amount: '400.00' }, { amount: '24.00' }]);
  });

  test('is refused with a wrong price for standard names too, on every paid command', async () => {
    const name = `${newLabel()}.shop`;
    expect(await registry.us.code(newDomain(name, contact, { ext: fee('3.49') }))).toBe(2004);
    await registry.us.done(newDomain(name, contact, { ext: fee('3.50'), authInfo: { pw: strongPw } }));
    const transfer = { object: 'domain', verb: 'transfer', op: 'request', name, authInfo: { pw: strongPw } } as const;
    expect(await registry.otherRegistrar.code({ ...transfer, ext: fee('1.00') })).toBe(2004);
    expect(await registry.otherRegistrar.code({ ...transfer, ext: fee('24.00') })).toBe(1001);
    await registry.us.done({ object: 'domain', verb: 'transfer', op: 'reject', name });
    await registry.move('+6d');
    await registry.us.done({ object: 'domain', verb: 'delete', name });
    const restore = { object: 'domain', verb: 'update', name } as const;
    expect(await registry.us.code({ ...restore, ext: { ...fee('1.00'), rgp: { op: 'request' } } })).toBe(2004);
    const answer = await registry.us.done({ ...restore, ext: { ...fee('80.00'), rgp: { op: 'request' } } });
    expect(answer.ext.fee).toMatchObject({ fees: [{ amount: '80.00' }] });
  });

  test('does not allow the registration of reserved names', async () => {
    expect(await registry.us.code(newDomain('bank.shop', contact, { ext: fee('3.50') }))).toBe(2306);
  });
});

describe('the account', () => {
  test('is refused with 2104 if the balance is too low, and nothing is written', async () => {
    await registry.control('POST', '/accounts/rival', { balance: '10.73', credit_limit: '0.00' });
    const registrant = await makeContact(registry.otherRegistrar);
    const name = `${newLabel()}.org`;
    expect(await registry.otherRegistrar.code(newDomain(name, registrant))).toBe(2104);
    expect(await registry.otherRegistrar.code({ object: 'domain', verb: 'info', name })).toBe(2303);
    await registry.control('POST', '/accounts/rival', { credit_limit: '0.01' });
    expect(await registry.otherRegistrar.code(newDomain(name, registrant))).toBe(1000);
    const { exDate } = (await registry.otherRegistrar.done({ object: 'domain', verb: 'info', name })).data;
    const curExpDate = exDate?.toISOString().slice(0, 10) as string;
    expect(await registry.otherRegistrar.code({ object: 'domain', verb: 'renew', name, curExpDate })).toBe(2104);
    const ours = await makeDomain(registry.us, `${newLabel()}.org`, { authInfo: { pw: strongPw } });
    expect(
      await registry.otherRegistrar.code({
        object: 'domain',
        verb: 'transfer',
        op: 'request',
        name: ours,
        authInfo: { pw: strongPw },
      }),
    ).toBe(2104);
  });

  test('has a statement whose lines add up to the balance, line by line', async () => {
    for (const client of ['namehold', 'rival']) {
      const statement = await registry.control<{
        balance: string;
        entries: { kind: string; amount: string; balance_after: string }[];
      }>('GET', `/statement?client=${client}`);
      const cents = (text: string) => Math.round(Number(text) * 100);
      let balance = 1_000_000_000;
      for (const line of statement.entries) {
        balance += line.kind === 'charge' ? -cents(line.amount) : cents(line.amount);
        expect(cents(line.balance_after)).toBe(balance);
      }
      expect(cents(statement.balance)).toBe(balance);
    }
  });

  test('is never overdrawn by twenty concurrent creates', async () => {
    await registry.control('POST', '/accounts/rival', { balance: '53.70', credit_limit: '0.00' });
    const registrant = await makeContact(registry.otherRegistrar);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => registry.otherRegistrar.send(newDomain(`${newLabel()}.org`, registrant))),
    );
    expect(answers.filter((answer) => answer.code === 1000)).toHaveLength(5);
    expect(answers.filter((answer) => answer.code === 2104)).toHaveLength(15);
  });

  test('is charged once for twenty concurrent creates of one name', async () => {
    const name = `${newLabel()}.org`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => registry.us.send(newDomain(name, contact))));
    expect(answers.filter((answer) => answer.code === 1000)).toHaveLength(1);
    expect(answers.filter((answer) => answer.code === 2302)).toHaveLength(19);
    const { entries } = await registry.control<{ entries: object[] }>(
      'GET',
      `/statement?client=namehold&domain=${name}`,
    );
    expect(entries).toHaveLength(1);
  });
});
