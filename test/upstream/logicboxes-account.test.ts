import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { Seller } from '../namehold-upstream/chain.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import type { TestService } from '../support/service.ts';
import { SimulatorClock } from './simulators/clock.ts';
import { strictSettings } from './simulators/logicboxes/settings.ts';
import { LogicBoxesSimulator } from './simulators/logicboxes/simulator.ts';

/** Limits of the account at LogicBoxes. Bad input and trouble are in `bad-input.test.ts`. */
let upstream: LogicBoxesSimulator;
let seller: Seller;
let more: object;
const domorg = { addnewdomain: 1_040, renewdomain: 1_060, addtransferdomain: 1_020, restoredomain: 7_000 };
const ns = 'ns1.host.example,ns2.host.example';

beforeAll(async () => {
  const products = { ...strictSettings.products, domorg };
  upstream = await LogicBoxesSimulator.start({ products }, new SimulatorClock(Date.now));
  const customerId = upstream.addCustomer('shop@example.com').id;
  const timeouts = { queryMs: 20_000, transformMs: 2_000 };
  const logicboxes = { visibleAfterSeconds: 1 };
  more = { dialect: 'logicboxes', basePath: '/api', customerId, timeouts, logicboxes };
  seller = await Seller.open(way(), ['org'], more);
});
afterAll(async () => {
  await seller?.t.stop();
  await upstream?.stop();
});

const way = (key = upstream.state.settings.apiKey) => ({
  port: upstream.server.port,
  reseller: upstream.state.settings.resellerId,
  key,
});
const check = async (name: string, t: TestService = seller.t) =>
  (await t.call('GET', '/v1/domains/availability', { query: { domain: name } })).body[0]?.[name]?.status;
const alarms = async () => (await openAlarms(seller.t.ctx)).map(({ key }) => key);
const charges = (name: string) => upstream.state.ledger.charges(name).length;

test('waits for an account that is blocked, and orders once', async () => {
  upstream.server.blockedBecause = 'too many calls';
  const called = await seller.order('blocked.org', { ns }, '3001', 3);
  upstream.server.blockedBecause = undefined;
  if (called.status === 202) expect(await seller.settled(called.body.operation_id)).toBe('done');
  else expect((await seller.order('blocked.org', { ns })).status).toBe(200);
  expect(charges('blocked.org')).toBe(1);
});

test('waits for money with an alarm, and orders once', async () => {
  const { ledger } = upstream.state;
  const funds = ledger.available;
  ledger.hold('other', funds);
  const called = await seller.order('unfunded.org', { ns }, '3001', 5);
  expect(called.status, called.text).toBe(202);
  await expect.poll(alarms).toContain('registry:up:balance');
  ledger.release('other');
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(charges('unfunded.org')).toBe(1);
});

test('reports a domain whose availability is not known as unknown', async () => {
  upstream.state.unknown.add('dim.org');
  expect(await check('dim.org')).toBe('unknown');
});

test('agrees with our records', async () => {
  expect(upstream.problems()).toEqual([]);
  await expectReconciled(seller.t);
});
