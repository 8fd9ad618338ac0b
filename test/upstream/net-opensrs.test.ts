import { spawn } from 'node:child_process';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { dayMs, SimulatorClock, yearsLater } from './simulators/clock.ts';
import type { OpenSrsSettings } from './simulators/opensrs/settings.ts';
import { OpenSrsSimulator } from './simulators/opensrs/simulator.ts';

interface Result {
  readonly value: unknown;
  /** The client's `last_response`: code and text. */
  readonly response: string;
}

const script = fileURLToPath(new URL('net-opensrs.pl', import.meta.url));
const password = 'profile-password-1';
const person = {
  firstname: 'Ada',
  lastname: 'Example & Söhne',
  city: 'Portland',
  state: 'OR',
  country: 'US',
  address: '555 "Someplace" Street',
  zip: '97201',
  email: 'ada@example.com',
  phone: '503-555-1212',
  company: 'n/a',
};

let simulator: OpenSrsSimulator | undefined;
afterEach(async () => simulator?.stop());

async function start(settings: Partial<OpenSrsSettings> = {}): Promise<OpenSrsSimulator> {
  // The client takes the date of its machine for a list of expiring domains.
  simulator = await OpenSrsSimulator.start(settings, new SimulatorClock(() => Date.now()));
  return simulator;
}

/** Lets the Perl client carry out the calls one after another. */
async function perl(calls: unknown[][], key?: string): Promise<Result[]> {
  const { settings } = simulator!.state;
  const client = spawn('perl', [script], {
    env: {
      PATH: process.env.PATH,
      OPENSRS_URL: simulator!.server.url,
      OPENSRS_USERNAME: settings.username,
      OPENSRS_KEY: key ?? settings.key,
      OPENSRS_PASSWORD: password,
    },
    // The client warns of values that it leaves empty.
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  client.stdin.end(JSON.stringify(calls));
  return (await json(client.stdout)) as Result[];
}

it('Net::OpenSRS of Debian checks, registers, renews and revokes; the ledger agrees', async () => {
  const { state, log, problems } = await start();
  const [free, wasRegistered, taken, cookie, wasRenewed, again, expiring, wasRevoked] = await perl([
    ['is_available', 'perl.com'],
    ['register_domain', 'perl.com', person],
    ['is_available', 'perl.com'],
    ['get_cookie', 'perl.com'],
    ['renew_domain', 'perl.com', 2],
    ['make_request', renewal('perl.com', 1)],
    ['get_expiring_domains', 4 * 366],
    ['revoke_domain', 'perl.com'],
  ]);
  expect(free).toEqual({ value: 1, response: '210: Domain available' });
  expect(wasRegistered).toMatchObject({ value: '1', response: expect.stringMatching(/^200: /) });
  expect(taken).toEqual({ value: 0, response: '211: Domain taken' });
  expect(cookie!.value).toMatch(/^o/);
  expect(wasRenewed).toMatchObject({ value: '1', response: expect.stringMatching(/^200: /) });
  expect(again!.response).toBe('555: Domain already renewed');
  expect(expiring!.value).toMatchObject([{ name: 'perl.com', f_auto_renew: 'N', f_let_expire: 'Y' }]);
  expect(wasRevoked).toMatchObject({ value: '1' });

  const domain = state.portfolio.find('perl.com')!;
  expect(domain).toMatchObject({ status: 'deleted', locked: true, autoRenew: false });
  expect(domain.expiresAt).toBe(yearsLater(domain.createdAt, 3));
  expect(state.profiles.get('perl.com')!.contactSet.owner).toMatchObject({
    last_name: 'Example & Söhne',
    address1: '555 "Someplace" Street',
    phone: '+1.5035551212',
  });
  const amounts = state.ledger.entries.filter((entry) => entry.domain === 'perl.com').map(({ amount }) => amount);
  expect(amounts).toEqual([-1_050, -2_300, 1_050]);
  expect(problems.call(simulator)).toEqual([]);
  expect(JSON.stringify(log.requests)).not.toContain(password);
});

/** A renewal by this year plus `years`: the one before the renewal that the client made. */
function renewal(domain: string, years: number): object {
  const year = new Date().getUTCFullYear() + years;
  const attributes = { domain, auto_renew: 0, handle: 'process', period: 2, currentexpirationyear: year };
  return { action: 'renew', object: 'domain', attributes };
}

it('Net::OpenSRS sees a transfer wait, complete and be refused', async () => {
  const { state } = await start();
  simulator!.addElsewhere('coming.com');
  simulator!.addElsewhere('locked.com', { locked: true });
  const [may, mayNot, requested, refused, waiting] = await perl([
    ['check_transfer', 'coming.com'],
    ['check_transfer', 'locked.com'],
    ['transfer_domain', 'coming.com', person],
    ['transfer_domain', 'locked.com', person],
    ['check_transfer', 'coming.com'],
  ]);
  expect(may!.value).toMatchObject({ transferrable: '1' });
  expect(mayNot!.value).toEqual({ transferrable: '0', reason: 'Domain is locked' });
  expect(requested!.value).toBe('1');
  expect(refused).toMatchObject({ value: '0', response: expect.stringMatching(/^487: /) });
  expect(waiting!.value).toMatchObject({ status: 'pending_owner' });
  expect(state.ledger.charges()).toEqual([]);
  state.portfolio.settle();
  const [completed] = await perl([['check_transfer', 'coming.com']]);
  expect(completed!.value).toMatchObject({ status: 'completed' });
  expect(state.ledger.netOfDomain('coming.com')).toBe(1_050);
  expect(simulator!.problems()).toEqual([]);
});

it('Net::OpenSRS is told of a wrong key, of missing money, and gets no answer when it is lost', async () => {
  const { faults, ledger } = Object.assign(await start({ funds: 1_500 }), { ledger: simulator!.state.ledger });
  const [wrong] = await perl([['is_available', 'a.com']], 'another-key');
  expect(wrong!.response).toBe('410: Reseller authentication error.');
  faults.add({ kind: 'lost_after', call: 'sw_register domain' });
  await expect(perl([['register_domain', 'lost.com', person]])).resolves.toMatchObject([{ value: null }]);
  expect(ledger.netOfDomain('lost.com')).toBe(1_050);
  const [orders, poor] = await perl([
    ['make_request', { action: 'get_orders_by_domain', object: 'domain', attributes: { domain: 'lost.com' } }],
    ['register_domain', 'poor.com', person],
  ]);
  expect(orders!.value).toMatchObject({ attributes: { orders: [{ status: 'completed', type: 'new' }] } });
  expect(poor!.response).toMatch(/^440: /);
  expect(simulator!.problems()).toEqual([]);
});

it('Net::OpenSRS reads the list of expiring domains', async () => {
  const { state } = await start();
  const expiresAt = state.clock.now() + 10 * dayMs;
  for (let number = 0; number < 30; number += 1) simulator!.addDomain(`d${number}.com`, { expiresAt });
  const [expiring] = await perl([['get_expiring_domains', 20]]);
  expect(expiring!.value).toHaveLength(30);
});
