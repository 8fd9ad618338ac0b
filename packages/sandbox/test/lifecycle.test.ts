import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDomain, newLabel } from './support/objects.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterAll(() => registry.close());

const info = async (name: string) => {
  const answer = await registry.us.done({ object: 'domain', verb: 'info', name });
  return {
    statuses: answer.data.statuses.map((status) => status.value),
    rgp: (answer.ext.rgp?.statuses ?? []).map((status) => status.value),
    exDate: answer.data.exDate?.toISOString().slice(0, 10),
  };
};
const lines = async (name: string) => {
  const { entries } = await registry.control<{ entries: { kind: string; command: string; amount: string }[] }>(
    'GET',
    `/statement?client=namehold&domain=${name}`,
  );
  return entries.map((line) => `${line.kind} ${line.command} ${line.amount}`);
};
const renew = (name: string, curExpDate: string, years = 1) =>
  ({ object: 'domain', verb: 'renew', name, curExpDate, period: { value: years, unit: 'y' } }) as const;
const report = (name: string) => {
  const at = registry.clock.now();
  return {
    object: 'domain',
    verb: 'update',
    name,
    ext: {
      rgp: {
        op: 'report',
        report: {
          preData: 'before',
          postData: 'after',
          deletedAt: at,
          restoredAt: at,
          reason: 'mistake',
          statements: ['one', 'two'],
        },
      },
    },
  } as const;
};
const restore = (name: string) =>
  ({ object: 'domain', verb: 'update', name, ext: { rgp: { op: 'request' } } }) as const;

describe('renew', () => {
  test('adds the years, charges, and starts the renew grace period; a repeat fails', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`);
    const { exDate } = await info(name);
    const first = await registry.us.done(renew(name, exDate as string, 2));
    expect(first.data?.exDate?.getUTCFullYear()).toBe(Number(exDate?.slice(0, 4)) + 2);
    expect((await info(name)).rgp).toEqual(['addPeriod', 'renewPeriod']);
    expect(await registry.us.code(renew(name, exDate as string, 2))).toBe(2306);
    expect(await lines(name)).toEqual(['charge create 10.74', 'charge renew 21.48']);
  });

  test('extends to at most ten years ahead, and refuses periods outside the range', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`, { period: { value: 9, unit: 'y' } });
    const { exDate } = await info(name);
    expect(await registry.us.code(renew(name, exDate as string, 2))).toBe(2105);
    expect(await registry.us.code(renew(name, exDate as string, 1))).toBe(1000);
  });

  test('is refused under clientRenewProhibited, to other registrars, and for missing domains', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`);
    const { exDate } = await info(name);
    expect(await registry.otherRegistrar.code(renew(name, exDate as string))).toBe(2201);
    await registry.us.done({
      object: 'domain',
      verb: 'update',
      name,
      add: { statuses: [{ value: 'clientRenewProhibited' }] },
    });
    expect(await registry.us.code(renew(name, exDate as string))).toBe(2304);
    expect(await registry.us.code(renew(`${newLabel()}.org`, exDate as string))).toBe(2303);
  });
});

describe('delete and restore', () => {
  test('make the name available at once and refund all money within the add grace period', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`);
    const { exDate } = await info(name);
    await registry.us.done(renew(name, exDate as string));
    const answer = await registry.us.done({ object: 'domain', verb: 'delete', name });
    expect(answer.code).toBe(1000);
    expect(await registry.us.code({ object: 'domain', verb: 'info', name })).toBe(2303);
    expect(await lines(name)).toEqual([
      'charge create 10.74',
      'charge renew 10.74',
      'refund create 10.74',
      'refund renew 10.74',
    ]);
  });

  test('follow redemption, pending delete and removal after a delete', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`);
    await registry.move('+6d');
    expect((await info(name)).rgp).toEqual([]);
    const answer = await registry.us.done({ object: 'domain', verb: 'delete', name });
    expect(answer.code).toBe(1001);
    expect(await info(name)).toMatchObject({ statuses: ['pendingDelete'], rgp: ['redemptionPeriod'] });
    expect(await registry.us.code({ object: 'domain', verb: 'delete', name })).toBe(2304);
    await registry.move('+30d');
    expect(await info(name)).toMatchObject({ statuses: ['pendingDelete'], rgp: ['pendingDelete'] });
    expect(await registry.us.code(restore(name))).toBe(2304);
    await registry.move('+5d');
    expect(await registry.us.code({ object: 'domain', verb: 'info', name })).toBe(2303);
    expect(await lines(name)).toEqual(['charge create 10.74']);
  });

  test('charge the restore fee, wait for the report, and restore the domain', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`);
    await registry.move('+6d');
    await registry.us.done({ object: 'domain', verb: 'delete', name });
    expect(await registry.us.code(report(name))).toBe(2304);
    const answer = await registry.us.done(restore(name));
    expect(answer.ext.rgp?.statuses).toEqual([{ value: 'pendingRestore' }]);
    expect(await registry.us.code(restore(name))).toBe(2304);
    await registry.us.done(report(name));
    expect(await info(name)).toMatchObject({ statuses: ['ok'], rgp: [] });
    expect(await lines(name)).toEqual(['charge create 10.74', 'charge restore 40.00']);
  });

  test('restore the domain by the request alone where no report is required', async () => {
    const name = `${newLabel()}.fr`;
    const hosts = ['ns1.elsewhere.de', 'ns2.elsewhere.de'].map((host) => ({ name: host, addresses: [] }));
    await makeDomain(registry.us, name, { ns: { model: 'attributes', hosts } });
    await registry.us.done({ object: 'domain', verb: 'delete', name });
    expect(await info(name)).toMatchObject({ statuses: ['pendingDelete'], rgp: ['redemptionPeriod'] });
    const answer = await registry.us.done(restore(name));
    expect(answer.ext.rgp).toBeUndefined();
    expect(await info(name)).toMatchObject({ statuses: ['ok'], rgp: [] });
    expect(await registry.us.code(report(name))).toBe(2304);
    expect(await lines(name)).toEqual(['charge create 5.60', 'charge restore 15.00']);
  });

  test('return the domain to redemption if no report arrives within seven days', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`);
    await registry.move('+6d');
    await registry.us.done({ object: 'domain', verb: 'delete', name });
    await registry.move('+20d');
    await registry.us.done(restore(name));
    await registry.move('+7d');
    expect((await info(name)).rgp).toEqual(['redemptionPeriod']);
    await registry.move('+3d');
    expect((await info(name)).rgp).toEqual(['pendingDelete']);
  });

  test('are refused while subordinate hosts exist, and under a prohibiting status', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`);
    await registry.us.done({
      object: 'host',
      verb: 'create',
      name: `ns.${name}`,
      addresses: [{ address: '192.0.2.1', version: 'v4' }],
    });
    expect(await registry.us.code({ object: 'domain', verb: 'delete', name })).toBe(2305);
    await registry.us.done({ object: 'host', verb: 'delete', name: `ns.${name}` });
    await registry.us.done({
      object: 'domain',
      verb: 'update',
      name,
      add: { statuses: [{ value: 'clientDeleteProhibited' }] },
    });
    expect(await registry.us.code({ object: 'domain', verb: 'delete', name })).toBe(2304);
    expect(await registry.otherRegistrar.code({ object: 'domain', verb: 'delete', name })).toBe(2201);
  });
});

describe('expiry', () => {
  test('auto-renews with a charge and a message, and a delete within the grace period refunds the year', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`);
    const { exDate } = await info(name);
    await registry.move('+366d');
    const renewed = await info(name);
    expect(Number(renewed.exDate?.slice(0, 4))).toBe(Number(exDate?.slice(0, 4)) + 1);
    expect(renewed.rgp).toEqual(['autoRenewPeriod']);
    await registry.us.done({ object: 'domain', verb: 'delete', name });
    expect(await lines(name)).toEqual(['charge create 10.74', 'charge autorenew 10.74', 'refund autorenew 10.74']);
    expect((await info(name)).exDate).toBe(exDate);
    // Expired in redemption: the restore adds a paid year.
    await registry.us.done(restore(name));
    expect(await lines(name)).toEqual(expect.arrayContaining(['charge restore 40.00', 'charge renew 10.74']));
    await registry.us.done(report(name));
    expect((await info(name)).exDate).toBe(renewed.exDate);
  });

  test('keeps the auto-renewed year after 45 days', async () => {
    const name = await makeDomain(registry.us, `${newLabel()}.org`);
    await registry.move('+365d');
    await registry.move('+46d');
    await registry.us.done({ object: 'domain', verb: 'delete', name });
    expect(await lines(name)).toEqual(['charge create 10.74', 'charge autorenew 10.74']);
  });
});
