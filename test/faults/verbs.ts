import { expect } from 'vitest';
import { bills, expire } from './bill-verbs.ts';
import { moves } from './move-verbs.ts';
import { confirmRegistrant } from './registrant-verb.ts';
import { automaticRenewal } from './renewal-verb.ts';
import { transfers } from './transfer-verbs.ts';
import { detail, entries, order, paidFor, registered, registeredOnce, type Verb } from './verb.ts';

const register: Verb = {
  name: 'register',
  kind: 'register',
  step: 'register',
  isRepeatable: true,
  prepare: async () => undefined,
  call: (domain) => (service, headers) => service.call('POST', '/v1/domains', { form: order(domain), headers }),
  check: registeredOnce,
};

const renew: Verb = {
  name: 'renew',
  kind: 'renew',
  step: 'renew',
  isRepeatable: false,
  prepare: registered,
  call: (domain) => async (service, headers) => {
    const { end_date } = await detail(service, domain);
    return service.call('POST', `/v1/domains/${domain}/renew`, {
      form: { years: '1', current_date: end_date, invoice_option: 'no_invoice' },
      headers,
    });
  },
  check: async (service, domain) => expect(await entries(service, domain, 'renew')).toBe(1),
};

const remove: Verb = {
  name: 'delete',
  kind: 'delete',
  step: 'delete',
  isRepeatable: true,
  prepare: registered,
  call: (domain) => (service, headers) => service.call('DELETE', `/v1/domains/${domain}`, { headers }),
  // Within the add grace period the domain is removed at once, and the fee is refunded once.
  check: async (service, domain) => expect(await entries(service, domain, '', { kind: 'refund' })).toBe(1),
};

const setNameservers: Verb = {
  name: 'nameservers',
  kind: 'update',
  step: 'update',
  isRepeatable: true,
  prepare: registered,
  call: (domain) => (service, headers) =>
    service.call('PUT', `/v1/domains/${domain}/ns`, { form: { ns: 'ns1.other-dns.de,ns2.other-dns.de' }, headers }),
  async check(service, domain) {
    expect(await service.call('GET', `/v1/domains/${domain}/ns`)).toMatchObject({
      status: 200,
      body: { ns1: 'ns1.other-dns.de', ns2: 'ns2.other-dns.de' },
    });
    expect(JSON.stringify(await service.control('GET', `/domains/${domain}`))).toContain('ns1.other-dns.de');
  },
};

const lock: Verb = {
  name: 'lock',
  kind: 'update',
  step: 'update',
  isRepeatable: true,
  prepare: registered,
  call: (domain) => (service, headers) =>
    service.call('PUT', `/v1/domains/${domain}/locked`, { form: { reason: 'test' }, headers }),
  async check(service, domain) {
    expect(JSON.stringify(await service.control('GET', `/domains/${domain}`))).toContain('clientUpdateProhibited');
    // A locked domain cannot be changed, so its registry would renew it in the years of later verbs, unpaid.
    const unlocked = await service.call('DELETE', `/v1/domains/${domain}/locked`);
    expect(unlocked.status, JSON.stringify(unlocked.body)).toBe(200);
  },
};

const childHost: Verb = {
  name: 'child nameserver',
  kind: 'child_host',
  step: 'host-create',
  isRepeatable: true,
  prepare: registered,
  call: (domain) => (service, headers) =>
    service.call('POST', `/v1/domains/${domain}/childns`, {
      form: { hostname: `ns1.${domain}`, ip_address: '192.0.2.1' },
      headers,
    }),
  check: async (service, domain) =>
    expect((await service.call('GET', `/v1/domains/${domain}/childns`)).body).toEqual([
      { hostname: `ns1.${domain}`, ip: '192.0.2.1' },
    ]),
};

const restore: Verb = {
  name: 'restore',
  kind: 'restore',
  step: 'restore',
  isRepeatable: true,
  async prepare(service, domain) {
    await registered(service, domain);
    // Past the add grace period, so that a delete leads into redemption.
    await service.control('POST', '/clock', { move: '+10d' });
    expect((await service.call('DELETE', `/v1/domains/${domain}`)).status).toBe(200);
  },
  call: (domain) => (service, headers) =>
    service.call('POST', `/v1/domains/${domain}/restore`, { form: { invoice_option: 'no_invoice' }, headers }),
  check: async (service, domain) => expect(await entries(service, domain, 'restore')).toBe(1),
};

const buyPrivacy: Verb = {
  name: 'privacy',
  kind: 'buy_privacy',
  step: 'buy_privacy',
  isRepeatable: true,
  prepare: registered,
  call: (domain) => (service, headers) =>
    service.call('POST', `/v1/domains/${domain}/privacy_protection/buy`, {
      form: { years: '1', invoice_option: 'no_invoice' },
      headers,
    }),
  async check(service, domain) {
    const { body } = await service.call('GET', `/v1/domains/${domain}/privacy_protection`);
    expect(body).toMatchObject({ privacy_ends_at: expect.any(String) });
    const paid = await paidFor(service, domain);
    expect(paid.filter(({ description }) => /^privacy/i.test(description))).toHaveLength(1);
  },
};

/** Failpoints of a verb that sends nothing. */
const atHome = (kind: string): string[] =>
  ['before-order', 'after-order', 'before-settle', 'in-settle', 'after-settle'].map(
    (failpoint) => `${kind}:${failpoint}`,
  );

export const verbs: readonly Verb[] = [
  ...bills,
  register,
  renew,
  remove,
  setNameservers,
  lock,
  childHost,
  restore,
  buyPrivacy,
  { ...buyPrivacy, tld: 'com', points: atHome('buy_privacy') },
  confirmRegistrant,
  ...transfers,
  ...moves,
  // The last one, because it moves the clock by months for all domains.
  expire,
  automaticRenewal,
];
