import { expect } from 'vitest';
import { Platform, Seller } from '../../namehold-upstream/chain.ts';
import { StrictUpstream } from '../../namehold-upstream/strict-upstream.ts';
import { CentralNicUpstream } from '../centralnic-upstream.ts';
import { FaultyProxy, refusalOf } from './faulty-proxy.ts';
import type { Row } from './rows.ts';

const register = 'POST /v1/domains';
const always = 100_000;

type OfProxy = Pick<
  Row,
  'registrations' | 'requests' | 'page' | 'numbersAsText' | 'missingFields' | 'loseAnswer' | 'contact'
>;

/** What a proxy does to the answers of our own API and of the contract. */
const ofProxy = ({ faults, requests }: FaultyProxy): OfProxy => ({
  registrations: (name) =>
    requests.filter(({ call, body }) => call === register && new URLSearchParams(body).get('domain_name') === name)
      .length,
  requests: () => requests.length,
  page: (name) => faults.add({ kind: 'maintenance', call: register, domain: name }),
  numbersAsText() {
    faults.add({ kind: 'numbers_as_text', times: always });
    return () => faults.clear();
  },
  missingFields: (name) =>
    faults.add({
      kind: 'missing_fields',
      call: register,
      domain: name,
      fields: ['domain_id', 'transaction_id', 'expiry_date'],
    }),
  loseAnswer: (name) => faults.add({ kind: 'lost_after', call: register, domain: name }),
  contact: {
    name: 'no-contact.org',
    begin: () =>
      faults.add({
        kind: 'refused',
        call: register,
        domain: 'no-contact.org',
        message: refusalOf(400, {
          type: 'invalid_request',
          code: 'invalid_argument',
          message: 'The registrant contact is not accepted by the registry of .org.',
          errors: [{ field: 'registrant_contact_id', code: 'invalid_argument' }],
        }),
      }),
    says: /registrant contact is not accepted/,
  },
});

/** Another Namehold, which sells .org and premium domains under .shop. */
export async function nameholdRow(): Promise<Row> {
  const platform = await Platform.start(['org', 'shop']);
  const proxy = await FaultyProxy.start(platform.port);
  const tlds = ['org', 'shop', 'nl'];
  const way = { ...platform.way, port: proxy.port };
  const seller = await Seller.open(way, tlds);
  const connect: Row['connect'] = ({ key, currency } = {}) =>
    seller.connect({ ...way, ...(key === undefined ? {} : { key }) }, tlds, currency === undefined ? {} : { currency });
  const asReseller = async (path: string, json: object) => {
    const { status, body } = await platform.service.call('POST', path, { json });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  };
  /** A suspension is applied within five seconds. */
  const answers = (status: number) =>
    expect.poll(async () => (await platform.service.call('GET', '/v1/account/balance')).status).toBe(status);
  let skew = 0;
  return {
    ...ofProxy(proxy),
    seller,
    connect,
    charges: async (name) => (await platform.charged(name)).filter((line) => line.startsWith('charge')).length,
    wrongKey: { begin: () => connect({ key: 'another-key-0123456789' }), end: () => connect(), says: /401/ },
    address: {
      async begin() {
        const { api_key } = await asReseller('/v1/account/keys', { label: 'elsewhere', ip_whitelist: ['192.0.2.10'] });
        await connect({ key: api_key });
      },
      end: () => connect(),
      says: /may not be used from 127\.0\.0\.1/,
    },
    suspended: {
      async begin() {
        await platform.asOperator('POST', `/v1/resellers/${way.reseller}/suspend`, {});
        await answers(403);
      },
      async end() {
        await platform.asOperator('POST', `/v1/resellers/${way.reseller}/activate`, {});
        await answers(200);
        await connect();
      },
      says: /suspended/,
    },
    currency: { says: /billed in USD/ },
    unsold: { name: 'name.nl' },
    premium: { name: 'gem-bad.shop' },
    // No clock is moved back, because the registry behind the upstream would refuse that.
    async clock(skewMs) {
      const move = `+${Math.abs(skewMs - skew) / 1_000}s`;
      if (skewMs > skew) await platform.service.control('POST', '/clock', { move });
      else seller.t.moveClock(move);
      skew = skewMs;
    },
    problems: () => [],
    async stop() {
      await proxy.stop();
      await platform.stop();
    },
  };
}

/** An upstream with the contract alone. */
export async function contractRow(): Promise<Row> {
  const upstream = await StrictUpstream.start();
  upstream.soldTlds = ['org'];
  const proxy = await FaultyProxy.start(upstream.port);
  const { reseller, key: ownKey } = upstream.credentials;
  const tlds = ['org', 'shop'];
  const profile = { dialect: 'contract', customerId: '9', timeouts: { queryMs: 20_000, transformMs: 2_000 } };
  const way = { port: proxy.port, reseller, key: ownKey };
  const seller = await Seller.open(way, tlds, profile);
  const connect: Row['connect'] = ({ key, currency } = {}) =>
    seller.connect({ ...way, ...(key === undefined ? {} : { key }) }, tlds, {
      ...profile,
      ...(currency === undefined ? {} : { currency }),
    });
  const refusing = (message: string) => ({
    begin() {
      upstream.refusal = { status: 403, message };
    },
    async end() {
      upstream.refusal = undefined;
      await connect();
    },
    says: new RegExp(message),
  });
  return {
    ...ofProxy(proxy),
    seller,
    connect,
    charges: (name) => upstream.charges(name).length,
    wrongKey: { begin: () => connect({ key: 'another-key-0123456789' }), end: () => connect(), says: /wrong key/ },
    address: refusing('this address is not allowed'),
    suspended: refusing('the account is suspended'),
    currency: { impossible: 'the contract has no currency in balances and prices' },
    unsold: { name: 'name.shop', says: /not in your contract/ },
    premium: { name: 'gold.org', begin: () => upstream.premium.add('gold.org'), says: /premium domain/ },
    clock(skewMs) {
      upstream.skewMs = skewMs;
    },
    problems: () => [],
    async stop() {
      await proxy.stop();
      await upstream.stop();
    },
  };
}

/** CentralNic Reseller: orders over EPP, and an HTTP API beside it. */
export async function centralNicRow(): Promise<Row> {
  const tlds = ['org', 'shop'];
  const upstream = await CentralNicUpstream.open(tlds);
  const { seller } = upstream;
  const connect: Row['connect'] = ({ key, currency } = {}) =>
    upstream.connect(tlds, currency === undefined ? {} : { currency: currency as never }, key);
  const onlyOverTls = 'a connection that is not allowed is closed before EPP, as an unreachable registry is';
  return {
    seller,
    connect,
    charges: async (name) => (await upstream.charges(name)).length,
    registrations: () => undefined,
    requests: () => undefined,
    wrongKey: { begin: () => connect({ key: 'Wrong-key-0815' }), end: () => connect(), says: /2200/ },
    address: { impossible: onlyOverTls },
    suspended: { impossible: 'EPP has no code for it: the login is refused, as with a wrong key' },
    currency: { says: /kept in USD/ },
    unsold: { name: 'name.shop' },
    premium: { impossible: 'the simulated system has no premium domains; prices over EPP have tests of their own' },
    contact: { impossible: 'the simulated system accepts every contact that EPP allows' },
    page: (name) => upstream.fault('maintenance', 'domain:create', { name }),
    numbersAsText: { impossible: 'XML has only texts' },
    missingFields: (name) => upstream.fault('cut', 'domain:create', { name, bytes: 40 }),
    clock(skewMs) {
      upstream.skewMs = skewMs;
    },
    loseAnswer: (name) => upstream.fault('drop-after-commit', 'domain:create', { name }),
    problems: () => [],
    stop: () => upstream.sandbox.stop(),
  };
}
