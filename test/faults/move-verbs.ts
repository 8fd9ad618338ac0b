import { expect } from 'vitest';
import { person } from '../support/parties.ts';
import type { RealService } from '../support/process.ts';
import { countEvents, detail, entries, paidFor, registered, type Verb } from './verb.ts';

/** The operator is a reseller too: it accepts what is offered to it. */
const asTaker = (service: RealService): Record<string, string> => {
  const { reseller_id, api_key } = service.credentials.operator;
  return { Authorization: `Basic ${Buffer.from(`${reseller_id}:${api_key}`).toString('base64')}` };
};

const nextOwner = (domain: string) => `next@${domain}`;

async function makeNext(service: RealService, domain: string, headers: Record<string, string> = {}): Promise<void> {
  const form = person({ email: nextOwner(domain), password: 'a long enough one' });
  const made = await service.call('POST', '/v1/customers', { form, headers });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
}

const nextOf = async (service: RealService, domain: string, headers: Record<string, string> = {}): Promise<string> =>
  (await service.call('GET', `/v1/customers?email=${nextOwner(domain)}`, { headers })).body[0].customer_id as string;

const orderMove = async (
  service: RealService,
  domain: string,
  to: { readonly resellerId: string; readonly customerId: string },
  headers: Record<string, string>,
) =>
  service.call('POST', `/v1/domains/${domain}/move`, {
    form: {
      existing_customer_id: '2001',
      new_reseller_id: to.resellerId,
      new_customer_id: to.customerId,
      default_contacts: 'oldcontact',
    },
    headers,
  });

/** Paid once, by the giving reseller; its two contacts are copied once each, besides the customer's own. */
async function boughtOnceAndCopiedOnce(
  service: RealService,
  domain: string,
  headers: Record<string, string> = {},
): Promise<void> {
  expect(await entries(service, domain, '')).toBe(1);
  expect(await paidFor(service, domain)).toHaveLength(1);
  const customer = await nextOf(service, domain, headers);
  const { body } = await service.call('GET', `/v1/customers/${customer}/contacts?limit=100`, { headers });
  expect(body).toHaveLength(3);
}

const within: Verb = {
  name: 'move',
  kind: 'move',
  step: 'move',
  isRepeatable: true,
  async prepare(service, domain) {
    await registered(service, domain);
    await makeNext(service, domain);
  },
  call: (domain) => async (service, headers) => {
    const customerId = await nextOf(service, domain);
    return orderMove(service, domain, { resellerId: service.credentials.reseller_id, customerId }, headers);
  },
  async check(service, domain) {
    const { customer_id, order_status } = await detail(service, domain);
    expect({ customer_id, order_status }).toEqual({ customer_id: await nextOf(service, domain), order_status: 'Live' });
    await boughtOnceAndCopiedOnce(service, domain);
    expect(await countEvents(service, domain, 'domain.moved')).toBe(1);
  },
};

/** The giving reseller knows an auth code, which the move must remove at the registry. */
async function withCode(service: RealService, domain: string): Promise<void> {
  await registered(service, domain);
  expect((await service.call('DELETE', `/v1/domains/${domain}/theft_protection`)).status).toBe(200);
  expect((await service.call('GET', `/v1/domains/${domain}/auth_code`)).status).toBe(200);
  await makeNext(service, domain, asTaker(service));
}

const offerMove = async (service: RealService, domain: string, headers: Record<string, string>) => {
  const customerId = await nextOf(service, domain, asTaker(service));
  return orderMove(service, domain, { resellerId: service.credentials.operator.reseller_id, customerId }, headers);
};

interface Offered {
  readonly move_id: string;
  readonly domain_name: string;
  readonly domain_id: string | null;
  readonly state: string;
}

async function offerOf(service: RealService, domain: string): Promise<Offered> {
  const { body } = await service.call('GET', '/v1/moves?direction=in&limit=100', { headers: asTaker(service) });
  return (body as Offered[]).find(({ domain_name }) => domain_name === domain)!;
}

const acceptMove = async (service: RealService, domain: string, headers: Record<string, string>) =>
  service.call('POST', `/v1/moves/${(await offerOf(service, domain)).move_id}/accept`, {
    headers: { ...headers, ...asTaker(service) },
  });

async function changedHandsOnce(service: RealService, domain: string): Promise<void> {
  const { domain_id, state } = await offerOf(service, domain);
  expect(state).toBe('done');
  const headers = asTaker(service);
  const { body: theirs } = await service.call('GET', `/v1/domains/${domain_id}`, { headers });
  // Its theft protection may be under way already.
  expect(theirs).toMatchObject({ domain_name: domain, order_status: 'Live' });
  expect(theirs.customer_id).toBe(await nextOf(service, domain, headers));
  expect(await detail(service, domain)).toMatchObject({ order_status: 'Moved' });
  await boughtOnceAndCopiedOnce(service, domain, headers);
  expect(await countEvents(service, domain, 'domain.moved_away')).toBe(1);
  expect(await countEvents(service, domain, 'domain.moved_in', headers)).toBe(1);
  expect(await service.control('GET', `/domains/${domain}`)).toMatchObject({
    sponsor: 'namehold',
    auth_info_set: false,
  });
}

const offer: Verb = {
  name: 'offer',
  kind: 'move',
  step: 'move',
  isRepeatable: true,
  points: ['move:before-order', 'move:after-order'],
  prepare: withCode,
  call: (domain) => (service, headers) => offerMove(service, domain, headers),
  async finish(service, domain) {
    const taken = await acceptMove(service, domain, {});
    expect(taken.status, JSON.stringify(taken.body)).toBe(200);
  },
  check: changedHandsOnce,
};

const accept: Verb = {
  name: 'accept',
  kind: 'move',
  step: 'move',
  isRepeatable: true,
  goesOnFrom: 'action_required',
  points: [
    ...['before-order', 'after-order'].map((failpoint) => `move-accept:${failpoint}`),
    ...['before-send', 'after-answer', 'before-settle', 'in-settle', 'after-settle'].map(
      (failpoint) => `move:${failpoint}`,
    ),
    ...['before-journal', 'after-journal', 'after-send', 'before-answered', 'after-answered'].map(
      (failpoint) => `move:${failpoint}`,
    ),
  ],
  async prepare(service, domain) {
    await withCode(service, domain);
    expect((await offerMove(service, domain, {})).status).toBe(202);
  },
  call: (domain) => (service, headers) => acceptMove(service, domain, headers),
  check: changedHandsOnce,
};

/** The same request is repeated when the domain and its code belong to the new reseller. */
const codes = new Map<string, string>();
const claim: Verb = {
  name: 'claim',
  kind: 'move',
  step: 'move',
  isRepeatable: true,
  points: ['move:before-order', 'move:after-order', 'move:after-send', 'move:in-settle'],
  async prepare(service, domain) {
    await withCode(service, domain);
    codes.set(domain, (await service.call('GET', `/v1/domains/${domain}/auth_code`)).body);
  },
  call: (domain) => async (service, headers) => {
    const customer_id = await nextOf(service, domain, asTaker(service));
    return service.call('POST', '/v1/moves', {
      json: { domain_name: domain, auth_code: codes.get(domain), customer_id },
      headers: { ...headers, ...asTaker(service) },
    });
  },
  check: changedHandsOnce,
};

export const moves: readonly Verb[] = [
  within,
  offer,
  accept,
  claim,
  // At a registry without contacts nothing is sent, except for an auth code that the giving reseller knows.
  {
    ...within,
    tld: 'cc',
    points: ['before-order', 'after-order', 'before-settle', 'in-settle', 'after-settle'].map(
      (failpoint) => `move:${failpoint}`,
    ),
  },
  { ...accept, tld: 'cc', points: ['move:after-send', 'move:in-settle'] },
];
