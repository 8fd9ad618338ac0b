import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { connectRegistry } from '../../packages/server/src/core/registries/connect.ts';
import { csv, offer, Seller, upstreamAt } from '../namehold-upstream/chain.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { startTestService } from '../support/service.ts';
import { dialectsOfOthers, type SimulatedUpstream, upstreams } from './simulators/upstreams.ts';

const ns = 'ns1.host.example,ns2.host.example';
const blocked = 'too many calls';

/**
 * The alarm about a blocked account, with the upstream's own message. Null: it closes connections instead of answering, so nothing shows
 * that the account is blocked.
 */
const alarms: Readonly<Record<string, RegExp | null>> = {
  logicboxes: null,
  opensrs: /opensrs limits our requests \(Exceeded max command rate\).*orders wait.*limits.requestsPerMinute/,
  openprovider: /openprovider refuses our login \(401: 10005 Access denied\)/,
  realtimeregister: /realtimeregister limits our requests \(too many calls\).*orders wait.*limits.requestsPerMinute/,
};

const opened: SimulatedUpstream[] = [];
let seller: Seller;
beforeAll(async () => {
  seller = Seller.of(await startTestService({ env: { NAMEHOLD_THEFT_PROTECTION: 'off' } }));
});
afterAll(async () => {
  await seller?.t.stop();
  await Promise.all(opened.map((upstream) => upstream.stop()));
});

test('every dialect has a row', () => {
  expect(Object.keys(alarms).sort()).toEqual(dialectsOfOthers());
});

describe.each(Object.entries(alarms))('a blocked account (%s)', (dialect, alarm) => {
  let upstream: SimulatedUpstream;
  const connect = async () => {
    const { way, profile } = upstream;
    await connectRegistry(seller.t.ctx, { ...upstreamAt(way, ['org'], profile), id: dialect });
    await seller.t.service.parts.registries.reload(dialect);
  };
  const sentence = async () =>
    (await openAlarms(seller.t.ctx)).find(({ key }) => key === `registry:${dialect}:login`)?.sentence;
  const check = async (name: string) =>
    (await seller.t.call('GET', '/v1/domains/availability', { query: { domain: name } })).body[0][name].status;
  const name = `blocked-${dialect}.org`;

  beforeAll(async () => {
    upstream = await upstreams[dialect]!();
    opened.push(upstream);
    await connect();
    // The rules and costs of the first connection are taken over by the others.
    if (dialect !== 'logicboxes') return;
    const { t } = seller;
    await offer(t, ['org'], csv(['org'], 'costs'), dialect);
  });
  /** The order that waits for the end of the block. */
  const waits = async (expected: RegExp): Promise<string> => {
    await expect.poll(sentence).toMatch(expected);
    const { length } = upstream.server.log.requests;
    expect(await check(`third-${name}`)).toBe('unknown');
    const called = await seller.order(name, { ns }, '3001', 1);
    expect(called.status, called.text).toBe(202);
    expect(upstream.server.log.requests).toHaveLength(length);
    expect(upstream.ledger.charges(name)).toEqual([]);
    return called.body.operation_id;
  };

  test('is announced, queried no more, and charged once after its end', async () => {
    expect(await check(name)).toBe('available');
    upstream.server.blockedBecause = blocked;
    expect(await check(`other-${name}`)).toBe('unknown');
    const operation = alarm ? await waits(alarm) : undefined;
    upstream.server.blockedBecause = undefined;
    // A connection with new settings is tried at once. Otherwise it is tried at the end of the pause.
    await connect();
    if (operation) expect(await seller.settled(operation)).toBe('done');
    else expect((await seller.order(name, { ns })).status).toBe(200);
    await expect.poll(sentence).toBeUndefined();
    expect(upstream.ledger.charges(name)).toHaveLength(1);
    expect(upstream.problems()).toEqual([]);
  });
});

test('agrees with all upstreams in the end', () => expectReconciled(seller.t));
