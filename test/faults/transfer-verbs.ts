import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { done, type OtherRegistrar, openOtherRegistrar } from '../support/other-registrar.ts';
import type { RealService } from '../support/process.ts';
import { countEvents, detail, entries, order, paidFor, registered, type Verb } from './verb.ts';

const authCode = 'a-long-auth-code-4711';
const context = { priority: 'interactive' } as const;
const isReviewed = (domain: string) => domain.endsWith('.id');
/** Thin: a registry without contacts. With reviews: new names are reviewed first. */
const otherTlds = ['cc', 'web.id'] as const;
/** For TLDs that differ only in their contacts: after the send, and before the commit. */
const fewPoints = (kind: string, step = kind) => [`${step}:after-send`, `${kind}:in-settle`];

async function withOtherRegistrar<T>(
  service: RealService,
  act: (otherRegistrar: OtherRegistrar) => Promise<T>,
): Promise<T> {
  const otherRegistrar = openOtherRegistrar(service.credentials.rival_registry_account!);
  try {
    return await act(otherRegistrar);
  } finally {
    await otherRegistrar.close();
  }
}

const passReview = (service: RealService, domain: string) =>
  service.control('POST', `/domains/${domain}/review`, { decision: 'approve' });

/** At the other registrar for longer than the transfer lock after a registration. */
async function elsewhere(service: RealService, domain: string): Promise<void> {
  await withOtherRegistrar(service, async (otherRegistrar) => {
    await otherRegistrar.hold(domain, authCode);
    if (!isReviewed(domain)) return;
    await passReview(service, domain);
    done(await otherRegistrar.registry.update(domain, { authCode }, context));
  });
  await service.control('POST', '/clock', { move: '+61d' });
}

const orderTransfer = (service: RealService, domain: string, headers: Record<string, string>) =>
  service.call('POST', '/v1/domains/transfer', { form: { ...order(domain), auth_code: authCode }, headers });

const approve = (service: RealService, domain: string) =>
  withOtherRegistrar(service, async (otherRegistrar) => {
    const latest = await otherRegistrar.registry.queryTransfer(domain);
    if (latest.kind === 'done' && latest.data?.status === 'pending')
      done(await otherRegistrar.registry.approveTransfer(domain, { priority: 'money' }));
  });

let orders = 0;
/** Any answer of the registry announces a waiting message, so a free name is queried there. */
const askRegistry = (service: RealService) => {
  orders += 1;
  return service.call('GET', `/v1/domains/availability?domain=nobody-asked-${orders}.com`);
};

async function untilShown(service: RealService, domain: string, wanted: object): Promise<void> {
  const shown = async () => {
    await askRegistry(service);
    return detail(service, domain);
  };
  await expect.poll(shown, { timeout: 300_000, interval: 100 }).toMatchObject(wanted);
}

const untilOver = (service: RealService, domain: string) => untilShown(service, domain, { operation: null });

const cameOnce = async (service: RealService, domain: string) => {
  expect(await entries(service, domain, 'transfer')).toBe(1);
  expect(await detail(service, domain)).toMatchObject({ order_status: 'Live' });
  expect(await paidFor(service, domain)).toHaveLength(1);
  expect(await countEvents(service, domain, 'domain.transferred_in')).toBe(1);
};

const transfer: Verb = {
  name: 'transfer',
  kind: 'transfer',
  step: 'transfer',
  isRepeatable: true,
  prepare: elsewhere,
  call: (domain) => (service, headers) => orderTransfer(service, domain, headers),
  async finish(service, domain) {
    await approve(service, domain);
    await untilOver(service, domain);
  },
  check: cameOnce,
};

/** The domain has arrived, and its remaining settings are being set. */
const arrival: Verb = {
  name: 'arrival',
  kind: 'transfer',
  step: 'complete',
  isRepeatable: false,
  points: ['complete:before-journal', 'complete:after-journal', 'complete:after-send', 'complete:after-answered'],
  async prepare(service, domain) {
    await elsewhere(service, domain);
    expect((await orderTransfer(service, domain, {})).status).toBe(202);
    await approve(service, domain);
  },
  call: () => async (service) => {
    for (let waited = 0; waited < 300_000; waited += 50) {
      const called = await askRegistry(service);
      if (called.status === 0) return called;
      await sleep(50);
    }
    throw new Error('the message was not read');
  },
  finish: untilOver,
  check: cameOnce,
};

const cancelTransfer: Verb = {
  name: 'cancel',
  kind: 'transfer',
  step: 'transfer-cancel',
  isRepeatable: true,
  points: ['after-order', 'before-journal', 'after-journal', 'after-send', 'before-answered', 'after-answered'].map(
    (failpoint) => `transfer-cancel:${failpoint}`,
  ),
  endsAs: 'cancelled',
  async prepare(service, domain) {
    await elsewhere(service, domain);
    expect((await orderTransfer(service, domain, {})).status).toBe(202);
  },
  call: (domain) => (service, headers) => service.call('POST', `/v1/domains/${domain}/transfer/cancel`, { headers }),
  // While being cancelled, the operation waits for the registry as before; afterwards the domain does not exist here.
  async finish(service, domain) {
    const left = async () => (await detail(service, domain)).operation ?? null;
    await expect.poll(left, { timeout: 300_000, interval: 100 }).toBeNull();
  },
  async check(service, domain) {
    expect(await entries(service, domain, '')).toBe(0);
    expect(await paidFor(service, domain)).toHaveLength(0);
    expect(JSON.stringify(await service.control('GET', `/domains/${domain}`))).toContain('clientCancelled');
  },
};

/** The other registrar has requested the domain, and we know of it. */
async function askedFor(service: RealService, domain: string): Promise<void> {
  if (isReviewed(domain)) {
    expect((await service.call('POST', '/v1/domains', { form: order(domain) })).status).toBe(202);
    await passReview(service, domain);
    await untilShown(service, domain, { order_status: 'Live', operation: null });
  } else await registered(service, domain);
  expect((await service.call('DELETE', `/v1/domains/${domain}/theft_protection`)).status).toBe(200);
  const { body: code } = await service.call('GET', `/v1/domains/${domain}/auth_code`);
  const request = { name: domain, authCode: code, years: 1 };
  await withOtherRegistrar(service, async (otherRegistrar) =>
    done(await otherRegistrar.registry.requestTransfer(request, context)),
  );
  await untilShown(service, domain, { order_status: 'Pending Transfer' });
}

/** Our own answer to a transfer away. */
const answer = (verb: 'approve' | 'reject', check: Verb['check']): Verb => ({
  name: verb,
  kind: `${verb}_transfer`,
  step: `${verb}_transfer`,
  isRepeatable: true,
  prepare: askedFor,
  call: (domain) => (service, headers) =>
    service.call('POST', `/v1/domains/${domain}/transfer/${verb}`, {
      form: verb === 'reject' ? { reason: 'holder_objects' } : {},
      headers,
    }),
  async check(service, domain) {
    expect(await entries(service, domain, 'create')).toBe(1);
    expect(await entries(service, domain, 'transfer')).toBe(0);
    expect(await paidFor(service, domain)).toHaveLength(1);
    await check(service, domain);
  },
});

const approveTransferOut = answer('approve', async (service, domain) => {
  expect(await service.control('GET', `/domains/${domain}`)).toMatchObject({ sponsor: 'rival' });
  expect(await entries(service, domain, 'transfer', { client: 'rival' })).toBe(1);
  expect(await detail(service, domain)).toMatchObject({
    order_status: 'Transferred Away',
    transfer_away: { registrar: 'rival', status: 'clientApproved' },
  });
  for (const type of ['domain.transfer_approved', 'domain.transferred_away'])
    expect(await countEvents(service, domain, type), type).toBe(1);
});

const keep = answer('reject', async (service, domain) => {
  expect(await service.control('GET', `/domains/${domain}`)).toMatchObject({ sponsor: 'namehold' });
  expect(await entries(service, domain, 'transfer', { client: 'rival' })).toBe(0);
  expect(await detail(service, domain)).toMatchObject({
    order_status: 'Live',
    transfer_away: { registrar: 'rival', status: 'clientRejected' },
  });
  for (const type of ['domain.transfer_rejected', 'domain.transfer_ended'])
    expect(await countEvents(service, domain, type), type).toBe(1);
});

const elsewhereToo = otherTlds.flatMap((tld): Verb[] => [
  { ...transfer, tld, points: fewPoints('transfer') },
  { ...cancelTransfer, tld, points: ['transfer-cancel:after-send'] },
  { ...approveTransferOut, tld, points: fewPoints('approve_transfer') },
  { ...keep, tld, points: fewPoints('reject_transfer') },
]);

export const transfers: readonly Verb[] = [
  transfer,
  arrival,
  cancelTransfer,
  approveTransferOut,
  keep,
  ...elsewhereToo,
  { ...arrival, tld: 'web.id', points: ['complete:after-send'] },
];
