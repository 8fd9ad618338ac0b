import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RealCall, RealService } from '../support/process.ts';
import { done, openRival, type Rival } from '../support/rival.ts';

type Call = (service: RealService, headers: Record<string, string>) => Promise<RealCall>;

/** One changing command, what must be there before it, and how the registry shows that it happened once. */
export interface Verb {
  readonly name: string;
  /** Labels of its points: that of the operation's kind, and that of the registry command. */
  readonly kind: string;
  readonly step: string;
  /** The very same request can be made again, so that its Idempotency-Key must answer. */
  readonly isRepeatable: boolean;
  /** Where not all points that a verb of its kind has are on its way. */
  readonly points?: readonly string[];
  /** What must happen elsewhere before it can end. */
  finish?(service: RealService, domain: string): Promise<void>;
  /** `done`, unless said otherwise. */
  readonly endsAs?: 'cancelled';
  prepare(service: RealService, domain: string): Promise<void>;
  call(domain: string): Call;
  check(service: RealService, domain: string): Promise<void>;
}

export const order = (name: string): Record<string, string> => ({
  domain_name: name,
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3002',
  tech_contact_id: '3002',
  billing_contact_id: '3001',
  invoice_option: 'no_invoice',
});

const party = {
  company: 'Firm',
  address_line_1: '1 Road',
  city: 'Singapore',
  state: 'Not Applicable',
  country_code: 'SG',
  zipcode: '068808',
  tel_cc_no: '65',
  tel_no: '61234567',
};

async function registered(service: RealService, domain: string): Promise<void> {
  expect((await service.call('POST', '/v1/domains', { form: order(domain) })).status).toBe(200);
}

interface Entry {
  readonly kind: string;
  readonly command: string;
}

async function entries(service: RealService, domain: string, command: string, kind = 'charge'): Promise<number> {
  const statement = (await service.control('GET', `/statement?client=namehold&domain=${domain}`)) as {
    entries: Entry[];
  };
  return statement.entries.filter((entry) => entry.kind === kind && entry.command.includes(command)).length;
}

const detail = async (service: RealService, domain: string) =>
  (await service.call('GET', `/v1/domains/${domain}`)).body;

async function paidFor(service: RealService, domain: string): Promise<{ description: string }[]> {
  const listed = await service.call('GET', '/v1/account/transactions?limit=100');
  return (listed.body as { description: string; status: string }[]).filter(
    ({ description, status }) => status === 'completed' && description.includes(domain),
  );
}

const register: Verb = {
  name: 'register',
  kind: 'register',
  step: 'register',
  isRepeatable: true,
  prepare: async () => undefined,
  call: (domain) => (service, headers) => service.call('POST', '/v1/domains', { form: order(domain), headers }),
  async check(service, domain) {
    expect(await entries(service, domain, 'create')).toBe(1);
    expect(await detail(service, domain)).toMatchObject({ domain_name: domain });
    expect(await paidFor(service, domain)).toHaveLength(1);
  },
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
  // Within the add grace the name is gone at once, and the fee comes back once.
  check: async (service, domain) => expect(await entries(service, domain, '', 'refund')).toBe(1),
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
  check: async (service, domain) =>
    expect(JSON.stringify(await service.control('GET', `/domains/${domain}`))).toContain('clientUpdateProhibited'),
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
    // Past the add grace, so that a delete leads into redemption.
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

const authCode = 'a-long-auth-code-4711';

async function withRival<T>(service: RealService, act: (rival: Rival) => Promise<T>): Promise<T> {
  const rival = openRival(service.credentials.rival_registry_account!);
  try {
    return await act(rival);
  } finally {
    await rival.close();
  }
}

/** At the rival for longer than a name may be kept back. */
async function elsewhere(service: RealService, domain: string): Promise<void> {
  await withRival(service, (rival) => rival.hold(domain, authCode));
  await service.control('POST', '/clock', { move: '+61d' });
}

const orderTransfer = (service: RealService, domain: string, headers: Record<string, string>) =>
  service.call('POST', '/v1/domains/transfer', { form: { ...order(domain), auth_code: authCode }, headers });

const approve = (service: RealService, domain: string) =>
  withRival(service, async (rival) => {
    const latest = await rival.registry.queryTransfer(domain);
    if (latest.kind === 'done' && latest.data?.status === 'pending')
      done(await rival.registry.approveTransfer(domain, { lane: 'money' }));
  });

let asked = 0;
/** Any answer of the registry tells that a message waits; a name that nobody asked for yet is asked there. */
const askRegistry = (service: RealService) => {
  asked += 1;
  return service.call('GET', `/v1/domains/availability?domain=nobody-asked-${asked}.com`);
};

async function untilOver(service: RealService, domain: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await askRegistry(service);
        return (await detail(service, domain)).operation;
      },
      { timeout: 300_000 },
    )
    .toBeNull();
}

const cameOnce = async (service: RealService, domain: string) => {
  expect(await entries(service, domain, 'transfer')).toBe(1);
  expect(await detail(service, domain)).toMatchObject({ order_status: 'Live' });
  expect(await paidFor(service, domain)).toHaveLength(1);
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

/** The name has come, and what is left to set is being set. */
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
    throw new Error('nobody looked at the message');
  },
  finish: untilOver,
  check: cameOnce,
};

const cancelTransfer: Verb = {
  name: 'cancel',
  kind: 'transfer',
  step: 'transfer-cancel',
  isRepeatable: false,
  points: ['after-order', 'before-journal', 'after-journal', 'after-send', 'before-answered', 'after-answered'].map(
    (point) => `transfer-cancel:${point}`,
  ),
  endsAs: 'cancelled',
  async prepare(service, domain) {
    await elsewhere(service, domain);
    expect((await orderTransfer(service, domain, {})).status).toBe(202);
  },
  call: (domain) => (service, headers) => service.call('POST', `/v1/domains/${domain}/transfer/cancel`, { headers }),
  async check(service, domain) {
    expect(await entries(service, domain, '')).toBe(0);
    expect(await paidFor(service, domain)).toHaveLength(0);
    expect(JSON.stringify(await service.control('GET', `/domains/${domain}`))).toContain('clientCancelled');
  },
};

/** The link in the mail that asks the one address of both sides. */
async function confirmationLink(service: RealService, address: string): Promise<string> {
  for (let waited = 0; waited < 300_000; waited += 50) {
    const mails = (await service.call('GET', '/v1/sandbox/mail?limit=100')).body as { to: string; text: string }[];
    const asked = mails.find(({ to, text }) => to.includes(address) && text.includes('From then on'));
    const link = /^https?:\/\/\S+\/confirm\/\S+$/m.exec(asked?.text ?? '')?.[0];
    if (link) return link;
    await sleep(50);
  }
  throw new Error('nobody was asked');
}

/** Both holders have said yes, and the service dies before it is carried out. */
const confirmHolder: Verb = {
  name: 'holder',
  kind: 'update',
  step: 'update',
  isRepeatable: false,
  points: ['holder-change:after-answer', 'holder-change:after-begin'],
  async prepare(service, domain) {
    const holder = async (name: string) => {
      const form = { ...party, name, email: `holder@${domain}` };
      return (await service.call('POST', '/v1/customers/2001/contacts', { form })).body.contact_id as string;
    };
    const registrant_contact_id = await holder('Before');
    const bought = { ...order(domain), registrant_contact_id };
    expect((await service.call('POST', '/v1/domains', { form: bought })).status).toBe(200);
    const form = { ...order(domain), registrant_contact_id: await holder('After'), designated_agent: 'false' };
    expect((await service.call('PUT', `/v1/domains/${domain}/contacts`, { form })).status).toBe(202);
  },
  call: (domain) => async (service) => {
    const link = await confirmationLink(service, `holder@${domain}`);
    const answer = { method: 'POST', body: new URLSearchParams({ answer: 'yes' }) };
    return fetch(link, answer).then(
      ({ status }) => ({ status, body: undefined }),
      () => ({ status: 0, body: undefined }),
    );
  },
  async finish(service, domain) {
    for (let waited = 0; waited < 300_000; waited += 50) {
      if ((await detail(service, domain)).registrant_contact?.name === 'After') return;
      await sleep(50);
    }
  },
  async check(service, domain) {
    expect((await detail(service, domain)).registrant_contact).toMatchObject({ name: 'After' });
    expect(await paidFor(service, domain)).toHaveLength(1);
  },
};

export const verbs: readonly Verb[] = [
  register,
  renew,
  remove,
  setNameservers,
  lock,
  childHost,
  restore,
  buyPrivacy,
  transfer,
  arrival,
  cancelTransfer,
  confirmHolder,
];
