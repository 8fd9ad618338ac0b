import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import { Platform, Seller } from './chain.ts';
import { StrictUpstream } from './strict-upstream.ts';

const ns = 'ns1.host.example,ns2.host.example';

/** An upstream that renews new domains by itself, unless an order says otherwise. */
interface Row {
  readonly seller: Seller;
  isOn(name: string): Promise<boolean> | boolean;
  switchOn(name: string): Promise<unknown> | unknown;
  stop(): Promise<void>;
}

const rows: Readonly<Record<string, () => Promise<Row>>> = {
  async namehold() {
    const platform = await Platform.start(['org']);
    const setMode = async (path: string) => {
      const { status, body } = await platform.service.call('PUT', path, { json: { renewal_mode: 'renew' } });
      expect(status, JSON.stringify(body)).toBe(200);
    };
    await setMode('/v1/account/renewal_mode');
    return {
      seller: await Seller.open(platform.way, ['org']),
      isOn: async (name) => (await platform.read(name)).renewal_mode === 'renew',
      switchOn: (name) => setMode(`/v1/domains/${name}/renewal_mode`),
      stop: () => platform.stop(),
    };
  },
  async contract() {
    const upstream = await StrictUpstream.start();
    const autoRenew = { field: 'auto_renew', call: 'auto_renewal' };
    const profile = { dialect: 'contract', customerId: '9', contract: { autoRenew } };
    const way = { port: upstream.port, ...upstream.credentials };
    const found = (name: string) => upstream.holding(name)[0]!;
    return {
      seller: await Seller.open(way, ['org'], profile),
      isOn: (name) => found(name).autoRenew,
      switchOn(name) {
        found(name).autoRenew = true;
      },
      stop: () => upstream.stop(),
    };
  },
};

describe.each(Object.entries(rows))("the upstream's own renewal with the dialect %s", (_, open) => {
  let row: Row;
  beforeAll(async () => {
    row = await open();
  });
  afterAll(async () => {
    await row?.seller.t.stop();
    await row?.stop();
  });

  test('is switched off in the order', async () => {
    const called = await row.seller.order('own.org', { ns });
    expect(called.status, called.text).toBe(200);
    expect(await row.isOn('own.org')).toBe(false);
    expect(await reconcileNames(row.seller.t.ctx, ['own.org'])).toMatchObject([{ drift: [] }]);
  });

  test('is found by the comparison and switched off', async () => {
    await row.switchOn('own.org');
    const [repaired] = await reconcileNames(row.seller.t.ctx, ['own.org']);
    expect(repaired?.drift).toMatchObject([{ field: 'auto_renewal', action: 'repaired' }]);
    expect(await row.isOn('own.org')).toBe(false);
  });
});
