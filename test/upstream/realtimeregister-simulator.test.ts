import { afterEach, describe, expect, it } from 'vitest';
import { dayMs, SimulatorClock, yearsLater } from './simulators/clock.ts';
import type { FaultKind } from './simulators/faults.ts';
import { lenientSettings, type RealtimeRegisterSettings } from './simulators/realtimeregister/settings.ts';
import { RealtimeRegisterSimulator } from './simulators/realtimeregister/simulator.ts';

/** The fields of answers that the tests read. */
interface Reply {
  readonly type: string;
  readonly processId: number;
  readonly expiryDate: string;
  readonly status: unknown;
  readonly authcode: string;
  readonly available: boolean;
  readonly premium: boolean;
  readonly price: number;
  readonly quote: { readonly total: number; readonly billables: { product: string; action: string }[] };
  readonly entities: Record<string, unknown>[];
  readonly pagination: { readonly total: number };
  readonly accounts: unknown[];
  readonly count: number;
  readonly notification: { readonly id: number };
}

let running: RealtimeRegisterSimulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  running = [];
});

const person = {
  name: 'Ada Example',
  addressLine: ['1 Main Street'],
  postalCode: '10115',
  city: 'Berlin',
  country: 'DE',
  email: 'ada@example.com',
  voice: '+49.301234567',
};

async function open(settings: Partial<RealtimeRegisterSettings> = {}, wall?: () => number) {
  const simulator = await RealtimeRegisterSimulator.start(settings, new SimulatorClock(), wall);
  running.push(simulator);
  const { customer, apiKey } = simulator.state.settings;
  const headers = { Authorization: `ApiKey ${apiKey}`, 'Content-Type': 'application/json' };
  const call = async (method: string, path: string, body?: object) => {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${simulator.server.url}/v2/${path}`, { method, headers, ...text });
    const answer = await response.text();
    const json = (answer === '' ? {} : JSON.parse(answer)) as Reply;
    return { status: response.status, json, process: response.headers.get('x-process-id') };
  };
  await call('POST', `customers/${customer}/contacts/ada`, person);
  const contacts = ['ADMIN', 'BILLING', 'TECH'].map((role) => ({ role, handle: 'ada' }));
  const register = (name: string, values: object = {}) =>
    call('POST', `domains/${name}`, { customer, registrant: 'ada', period: 12, autoRenew: false, contacts, ...values });
  const renew = (name: string, values: object = {}) => call('POST', `domains/${name}/renew`, { period: 12, ...values });
  return { simulator, ...simulator.state, call, register, renew };
}

describe('orders and money', () => {
  it('answers with a process, in a header or in the body, or is done at once', async () => {
    for (const processIdIn of ['header', 'body'] as const) {
      const { call, register } = await open({ processIdIn, executedAfterRequests: 2 });
      const { status, json, process } = await register('a.com');
      expect([status, process === null, json.processId === undefined]).toEqual([
        202,
        processIdIn === 'body',
        processIdIn === 'header',
      ]);
      const id = process ?? json.processId;
      expect((await call('GET', `processes/${id}`)).json).toMatchObject({
        status: 'RUNNING',
        reservation: { USD: 1_029 },
      });
      expect((await call('GET', `processes/${id}`)).json).toMatchObject({
        status: 'COMPLETED',
        action: 'create',
        identifier: 'a.com',
        transaction: { USD: 1_029 },
        command: { registrant: 'ada', autoRenew: false },
      });
    }
    const { register, renew } = await open(lenientSettings);
    expect(await register('a.com')).toMatchObject({ status: 201, json: { expiryDate: '2027-01-15T12:00:00Z' } });
    expect(await renew('a.com')).toMatchObject({ status: 200, json: { expiryDate: '2028-01-15T12:00:00Z' } });
  });

  it('renews again when it is asked again, because a renewal has no guard', async () => {
    const { register, renew, ledger, simulator } = await open(lenientSettings);
    await register('a.com');
    await renew('a.com');
    await renew('a.com');
    expect(ledger.charges('a.com')).toHaveLength(3);
    expect(simulator.problems()).toEqual([]);
  });

  it('knows, ignores or checks the expiry date of a renewal', async () => {
    const codes = [];
    for (const expiryDateOfRenewal of ['unknown', 'ignored', 'checked'] as const) {
      const { register, renew } = await open({ ...lenientSettings, expiryDateOfRenewal });
      await register('a.com');
      for (const expiryDate of ['2027-01-15T12:00:00Z', '2026-01-15T12:00:00Z'])
        codes.push((await renew('a.com', { expiryDate })).status);
    }
    expect(codes).toEqual([400, 400, 200, 200, 200, 400]);
  });

  it('requires consent to a premium price, and quotes without an order', async () => {
    const { call, register, premium, ledger } = await open(lenientSettings);
    premium.set('gold.com', { create: 50_000, renew: 40_000 });
    expect((await call('GET', 'domains/gold.com/check')).json).toMatchObject({ premium: true, price: 50_000 });
    const refused = await register('gold.com');
    expect(refused.json.type).toBe('BillableAcknowledgmentNeededException');
    const { billables } = refused.json.quote;
    expect(billables).toMatchObject([{ product: 'domain_com_premium', action: 'CREATE' }]);
    const contacts = { customer: 'exampleshop', registrant: 'ada' };
    expect((await call('POST', 'domains/gold.com?quote=true', contacts)).json.quote.total).toBe(50_000);
    expect(ledger.charges()).toHaveLength(0);
    expect((await register('gold.com', { billables })).status).toBe(201);
    expect(ledger.netOfDomain('gold.com')).toBe(50_000);
  });

  it('shows a process that waits, fails or is in doubt', async () => {
    const { call, register, simulator, portfolio, ledger } = await open();
    const kinds = { saved: 'SCHEDULED', in_doubt: 'IN_DOUBT', fails_later: 'RUNNING' } as const;
    for (const [kind, status] of Object.entries(kinds)) {
      const name = `${kind.replaceAll('_', '-')}.com`;
      simulator.faults.add({ kind: kind as FaultKind, call: 'createDomain' });
      const { process } = await register(name);
      expect((await call('GET', `processes/${process}`)).json.status).toBe(status);
      expect((await call('GET', `domains/${name}`)).json.type).toBe('ObjectDoesNotExist');
    }
    portfolio.settle();
    const query = 'processes?type=domain&identifier=fails-later.com&createdDate:gte=2026-01-14T00:00:00Z';
    const { entities } = (await call('GET', query)).json;
    expect(entities).toMatchObject([{ status: 'FAILED', error: { type: 'ProcessError' } }]);
    expect(ledger.charges()).toHaveLength(2);
    expect(simulator.problems()).toEqual([]);
  });

  it('deletes with and without a refund, and restores', async () => {
    for (const settings of [{}, lenientSettings]) {
      const { call, register, clock, ledger, simulator } = await open(settings);
      await register('soon.com');
      await register('late.com');
      await call('DELETE', 'domains/soon.com');
      clock.advance(10 * dayMs);
      await call('DELETE', 'domains/late.com');
      expect((await call('GET', 'domains/late.com')).json.status).toEqual(['PENDING_DELETE', 'REDEMPTION_PERIOD']);
      await call('POST', 'domains/late.com/restore', { reason: 'wanted' });
      expect((await call('GET', 'domains/late.com')).json.status).toEqual(['OK']);
      expect([ledger.netOfDomain('soon.com'), ledger.netOfDomain('late.com')]).toEqual([0, 1_029 + 8_000]);
      const isProcess = simulator.state.settings.refundsIn === 'process';
      const [paid] = (await call('GET', 'processes?identifier=soon.com&action=create')).json.entities;
      expect(paid?.refund).toEqual(isProcess ? { USD: 1_029 } : undefined);
      const rows = (await call('GET', 'billing/financialtransactions?processIdentifier=soon.com')).json.entities;
      expect(rows.map(({ amount }) => amount)).toEqual(isProcess ? [1_029] : [1_029, -1_029]);
      expect(simulator.problems()).toEqual([]);
    }
  });

  it('transfers in after a while, or not at all', async () => {
    const { call, simulator, portfolio, ledger } = await open();
    const order = { customer: 'exampleshop', registrant: 'ada', autoRenew: false };
    simulator.addElsewhere('comes.com');
    simulator.addElsewhere('locked.com', { locked: true });
    const wrong = await call('POST', 'domains/comes.com/transfer', { ...order, authcode: 'wrong' });
    expect(wrong.json.type).toBe('AuthCodeInvalidError');
    const locked = await call('POST', 'domains/locked.com/transfer', { ...order, authcode: 'Code-4711' });
    expect(locked.json.type).toBe('ObjectStatusProhibitsOperation');
    const { process } = await call('POST', 'domains/comes.com/transfer', { ...order, authcode: 'Code-4711' });
    expect((await call('GET', `domains/comes.com/transfer/${process}`)).json).toMatchObject({
      status: 'pending',
      type: 'IN',
    });
    expect((await call('DELETE', `processes/${process}`)).status).toBe(200);
    const again = await call('POST', 'domains/comes.com/transfer', { ...order, authcode: 'Code-4711' });
    portfolio.complete(again.process!);
    expect((await call('GET', 'domains/comes.com')).status).toBe(200);
    expect(ledger.charges('comes.com')).toHaveLength(1);
    expect(simulator.problems()).toEqual([]);
  });

  it('changes statuses by the whole list, nameservers, DS records, codes and hosts', async () => {
    const { call, register, portfolio, locked } = await open(lenientSettings);
    await register('c.com');
    const lock = ['CLIENT_TRANSFER_PROHIBITED', 'CLIENT_UPDATE_PROHIBITED', 'ADD_PERIOD'];
    const dsData = [{ keyTag: 1, algorithm: 13, digestType: 2, digest: 'AB' }];
    await call('POST', 'domains/c.com/update', { status: lock, ns: ['ns1.c.com'], dsData, authcode: 'Code-1' });
    expect(portfolio.find('c.com')).toMatchObject({ locked: true, nameservers: ['ns1.c.com'], authCode: 'Code-1' });
    expect(locked.has('c.com')).toBe(true);
    expect((await call('POST', 'domains/c.com/update', { ns: [] })).json.type).toBe('ObjectStatusProhibitsOperation');
    const fixed = await call('POST', 'domains/c.com/update', { status: ['OK', 'ADD_PERIOD', 'SERVER_HOLD'] });
    expect(fixed.json.type).toBe('ValidationError');
    await call('POST', 'domains/c.com/update', { status: ['OK', 'ADD_PERIOD'] });
    expect([portfolio.find('c.com')!.locked, locked.has('c.com')]).toEqual([false, false]);
    const address = { ipVersion: 'V4', address: '192.0.2.1' };
    expect((await call('POST', 'hosts/ns1.c.com', { addresses: [address] })).status).toBe(201);
    expect((await call('GET', 'hosts?domain=c.com')).json.entities).toMatchObject([{ hostName: 'ns1.c.com' }]);
    expect((await call('DELETE', 'hosts/ns1.c.com')).json.type).toBe('ObjectStatusProhibitsOperation');
  });

  it('auto-renews what it may renew', async () => {
    const { call, register, clock, ledger, portfolio } = await open(lenientSettings);
    await register('kept.com');
    await register('renewed.com', { autoRenew: true });
    clock.advance(366 * dayMs);
    await call('GET', 'domains/renewed.com');
    expect([ledger.charges('kept.com').length, ledger.charges('renewed.com').length]).toEqual([1, 2]);
    expect(portfolio.find('renewed.com')!.expiresAt).toBe(yearsLater(Date.UTC(2027, 0, 15, 12), 1));
  });
});

describe('contacts', () => {
  it('have our handles, and properties that a TLD may need', async () => {
    const { call, register } = await open(lenientSettings);
    const path = 'customers/exampleshop/contacts/ada';
    expect((await call('POST', path, person)).json.type).toBe('ObjectExists');
    expect((await call('POST', `${path}/update`, { voice: '030 123' })).json.type).toBe('ConstraintViolationException');
    expect((await register('a.nl')).json.type).toBe('ValidationError');
    await call('POST', `${path}/sidn`, { properties: { 'nl-legalForm': 'PERSOON' } });
    expect((await register('a.nl')).status).toBe(201);
    expect((await register('a.co.uk')).json.type).toBe('ValidationError');
    expect((await register('a.co.uk', { contacts: [] })).status).toBe(201);
    expect((await call('DELETE', path)).json.type).toBe('ObjectStatusProhibitsOperation');
  });
});

describe('faults and the account', () => {
  const carriedOut: [FaultKind, boolean][] = [
    ['lost_before', false],
    ['maintenance', false],
    ['refused', false],
    ['cut', true],
    ['error_after', true],
    ['doubled', true],
    ['missing_fields', true],
  ];

  it.each(carriedOut)('%s: carried out %s', async (kind, isDone) => {
    const { register, simulator, ledger } = await open(lenientSettings);
    simulator.faults.add({ kind, call: 'createDomain', fields: ['expiryDate'] });
    const answer = await register('a.com').catch(() => undefined);
    expect(answer?.json.expiryDate).toBeUndefined();
    expect(ledger.charges('a.com')).toHaveLength(isDone ? 1 : 0);
    expect(simulator.problems()).toEqual([]);
    expect((await register('b.com')).status).toBe(201);
  });

  it('refuses unknown fields and filters, or ignores them', async () => {
    const strict = await open();
    expect((await strict.register('a.com', { reference: 'x' })).json.type).toBe('UnrecognizedPropertyException');
    expect((await strict.call('GET', 'processes?reference=x')).json.type).toBe('ConstraintViolationException');
    expect((await strict.call('GET', 'processes?limit=2000')).json.type).toBe('ConstraintViolationException');
    const lenient = await open(lenientSettings);
    expect((await lenient.register('a.com', { reference: 'x' })).status).toBe(201);
    expect((await lenient.call('GET', 'processes?reference=x')).json.pagination.total).toBe(1);
  });

  it('shows a missing domain, and one of another account, as the settings say', async () => {
    const answers = [];
    for (const missing of ['status_400', 'status_404', 'empty_404'] as const) {
      const { call } = await open({ missing });
      const { status, json } = await call('GET', 'domains/missing.com');
      answers.push([status, json.type]);
    }
    expect(answers).toEqual([
      [400, 'ObjectDoesNotExist'],
      [404, 'ObjectDoesNotExist'],
      [404, undefined],
    ]);
    const { call, simulator } = await open({ otherAccount: 'forbidden' });
    simulator.addElsewhere('cousin.com', { sameRegistrar: true });
    expect((await call('GET', 'domains/cousin.com')).status).toBe(403);
  });

  it('blocks the account above its rate', async () => {
    const { call } = await open({ limits: { all: { calls: 3, withinMs: 1_000 } } }, () => 0);
    await call('GET', 'domains/a.com/check');
    await call('GET', 'domains/b.com/check');
    expect((await call('GET', 'domains/c.com/check')).status).toBe(429);
  });

  it('has credit, and a queue that advances by acknowledgement', async () => {
    const { call, simulator } = await open();
    const account = { currency: 'USD', balance: 10_000_000, reservation: 0, locked: 0 };
    expect((await call('GET', 'customers/exampleshop/credit')).json.accounts).toEqual([account]);
    simulator.notify('a.com', 'changed');
    const poll = 'customers/exampleshop/notifications';
    expect((await call('GET', `${poll}/poll`)).json).toMatchObject({ count: 1, notification: { id: 1 } });
    await call('POST', `${poll}/1/ack`);
    expect((await call('GET', `${poll}/poll`)).json).toEqual({ count: 0 });
    expect((await call('GET', 'customers/another/credit')).status).toBe(403);
  });

  it('lists 3,000 domains in 3 pages', async () => {
    const { call, simulator } = await open();
    for (let number = 0; number < 3_000; number += 1) simulator.addDomain(`d${number}.com`);
    const names = new Set<unknown>();
    for (let offset = 0; offset < 3_000; offset += 1_000) {
      const { entities } = (await call('GET', `domains?limit=1000&offset=${offset}&fields=domainName`)).json;
      for (const { domainName } of entities) names.add(domainName);
    }
    expect(names.size).toBe(3_000);
  });
});
