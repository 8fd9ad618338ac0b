import { readFileSync } from 'node:fs';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pollAfresh } from '../../../../test/support/poll.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { reconcileNames } from '../../src/core/domains/compare/reconcile.ts';
import { connectRegistry } from '../../src/core/registries/connect.ts';
import { readBalanceLimits } from '../../src/core/registries/read-balance.ts';
import { loadCatalogue } from '../../src/core/tlds/load.ts';
import { sandboxCatalogue } from '../../src/embedded/sandbox-catalogue.ts';
import type { SandboxSystem } from '../../src/embedded/sandbox-process.ts';
import { watchOperations } from '../../src/jobs/watch-operations.ts';
import { bundledProfile, bundledProfiles } from '../../src/registries/profiles/bundled.ts';
import { readProfile } from '../../src/registries/read-profile.ts';
import { testConnection } from '../../src/registries/test-connection.ts';
import { lifeOf, orderOf } from '../domains/life.ts';

/** Every bundled profile, connected as an operator would, to the sandbox port that behaves like its registry. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  for (const name of tried) await connect(name, JSON.parse(bundledProfile(name)!));
  for (const version of drafts) await connect(doorOf(version), profileOf(version));
  await loadCatalogue(t.ctx, JSON.stringify(catalogue()), 'file');
});
afterAll(async () => {
  await expectReconciled(t);
  await life.ledgerIsSound();
  await t.stop();
});

/** Too little is known of these registries for a sandbox port. */
const untried = ['godaddy', 'nominet', 'nominet-uk'];
/** It resells TLDs of the others: test/upstream/centralnic.test.ts. */
const reseller = 'centralnic-reseller';
const tried = bundledProfiles().filter((name) => ![...untried, reseller].includes(name));

/** Drafts of RFC 8748. */
const drafts = ['0.6', '0.11', '0.12'];
const doorOf = (version: string) => `fee-${version.replace('.', '-')}`;

/** A registry with contacts, and the URI of its fee draft. */
function profileOf(version: string): ProfileFile {
  const { namespaces, ...file } = JSON.parse(bundledProfile('pandi')!) as ProfileFile;
  const rules = { ...file.rules, requiredContacts: ['admin', 'tech'] };
  return { ...file, rules, tlds: {}, namespaces: { ...namespaces, fee: draft(version) } };
}

type ProfileFile = Record<string, Record<string, unknown>>;

const systemOf = (name: string): SandboxSystem =>
  t.service.sandbox!.state.systems!.find((system) => system.name === name)!;

/** One command a second is the default for registries with unknown limits. */
const quick = { commandsPerSecond: 10_000 };

async function connect(name: string, file: ProfileFile, id = name, pace: object = quick): Promise<void> {
  const { state } = t.service.sandbox!;
  const system = systemOf(name);
  const limits = { ...file.limits, ...pace };
  const profile = readProfile(JSON.stringify({ ...file, limits }), name);
  await connectRegistry(t.ctx, {
    id,
    // Under a second id it is the same account with the same domains.
    profile: id === name ? { ...profile, holdings_url: `http://127.0.0.1:${state.control_port}/names` } : profile,
    host: state.host,
    port: system.port,
    serverName: 'localhost',
    clientId: system.client_id,
    password: system.password,
    caPem: readFileSync(state.ca_file, 'utf8'),
    certificatePem: readFileSync(system.cert_file, 'utf8'),
    keyPem: readFileSync(system.key_file, 'utf8'),
    tlds: system.tlds,
    confirmsTlds: true,
  });
}

const noGraces = { add: 0, renew: 0, transfer: 0 };

/** TLD facts of the registries that are not in their profiles. */
function catalogue() {
  const connected = [...tried, ...drafts.map(doorOf)];
  const served = new Set(connected.flatMap((name) => systemOf(name).tlds));
  return sandboxCatalogue()
    .filter(({ name }) => served.has(name))
    .map(({ name, rules: { auth_code: _, ...rules } }) => {
      const { model: _1, ...contacts } = rules.contacts;
      const { host_model: _2, ...nameservers } = rules.nameservers;
      const { records: _3, ...dnssec } = rules.dnssec;
      const grace_days = name === 'biz' ? { ...rules.grace_days, ...noGraces } : rules.grace_days;
      return { name, rules: { ...rules, contacts, nameservers, dnssec, grace_days } };
    });
}

test('the sandbox has a registry for each bundled profile except the listed ones', () => {
  const names = t.service.sandbox!.state.systems!.map(({ name }) => name);
  expect(names.filter((name) => !name.startsWith('fee-')).sort()).toEqual([...tried, reseller].sort());
});

test.each(tried)('registry test of %s succeeds', async (name) => {
  const { ok, findings } = await testConnection(t.ctx, name);
  expect(findings.filter((each) => !each.startsWith('The catalogue requires '))).toEqual([
    expect.stringContaining('calls itself Sandbox of a registry'),
    'check, info and poll are answered as expected',
  ]);
  expect(ok).toBe(true);
});

const draft = (version: string) => `urn:ietf:params:xml:ns:fee-${version}`;
const wrongs: Record<string, { readonly change: (file: ProfileFile) => ProfileFile; readonly differs: RegExp }> = {
  verisign: {
    change: ({ extensions: _, ...file }) => file,
    differs: /a check of 5 names under \.com was answered with 2003 .*namestoreExt is missing/,
  },
  nomulus: {
    change: (file) => ({ ...file, limits: { ...file.limits, maxNamesPerCheck: 51 } }),
    differs: /a check of 51 names under \.app was answered with 2004 /,
  },
  'identity-digital': {
    change: (file) => ({ ...file, namespaces: { ...file.namespaces, fee: draft('0.11') } }),
    differs: /the profile has fee \(urn:ietf:params:xml:ns:fee-0\.11\), which the server does not offer/,
  },
  publicinterest: {
    change: (file) => ({ ...file, namespaces: { ...file.namespaces, fee: 'urn:ietf:params:xml:ns:epp:fee-1.0' } }),
    differs: /the profile has fee \(.*fee-1\.0\), which the server does not offer/,
  },
  centralnic: {
    change: (file) => ({ ...file, namespaces: { ...file.namespaces, fee: draft('0.12') } }),
    differs: /the profile has fee \(urn:ietf:params:xml:ns:fee-0\.12\), which the server does not offer/,
  },
  pandi: {
    change: (file) => ({ ...file, namespaces: { ...file.namespaces, launch: 'urn:ietf:params:xml:ns:launch-1.0' } }),
    differs: /the profile has launch \(.*launch-1\.0\), which the server does not offer/,
  },
  'generic-rfc': {
    change: (file) => ({ ...file, limits: { maxNamesPerCheck: 6 } }) as ProfileFile,
    differs: /a check of 6 names under \.biz was answered with 2004 /,
  },
};

test.each(tried)('registry test of %s with one wrong field fails and names the field', async (name) => {
  const file = JSON.parse(bundledProfile(name)!) as ProfileFile;
  await connect(name, wrongs[name]!.change(file));
  const { ok, findings } = await testConnection(t.ctx, name);
  expect(findings.join('\n')).toMatch(wrongs[name]!.differs);
  expect(ok).toBe(false);
  await connect(name, file);
});

const nameservers = { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' };

async function buy(name: string, registry: string): Promise<void> {
  const headers = { Prefer: 'wait=60' };
  const called = await t.call('POST', '/v1/domains', { form: orderOf(name, nameservers), headers });
  expect([200, 202], called.text).toContain(called.status);
  if (called.status === 200) return;
  // Documents are checked: the message of approval settles the order.
  await t.control('POST', `/domains/${name}/review`, { decision: 'approve' });
  await pollAfresh(t.ctx, registry);
  await vi.waitFor(async () => expect((await life.row(name)).state).toBe('live'), 300_000);
}

async function linesOf(registry: string, name: string): Promise<string[]> {
  const { body } = await t.control('GET', `/statement?client=${systemOf(registry).client_id}&domain=${name}`);
  return body.entries.map(({ kind, command }: Record<string, string>) => `${kind} ${command}`);
}

test.each(tried)(
  'registers, renews and deletes a domain at %s, and the statement matches our ledger',
  async (registry) => {
    const system = systemOf(registry);
    const name = `whole-life.${system.tlds.at(-1)}`;
    await buy(name, registry);
    const renewed = await life.renew(name);
    expect(renewed.status, renewed.text).toBe(200);
    const { body } = await t.control('GET', `/domains/${name}`);
    expect(body).toMatchObject({ sponsor: system.client_id });
    expect((await t.call('DELETE', `/v1/domains/${name}`)).status).toBe(200);
    expect((await linesOf(registry, name)).slice(0, 2)).toEqual(['charge create', 'charge renew']);
    await expectReconciled(t);
  },
);

test.each(drafts)('registers and renews at fee draft %s, and ledger and statement are equal', async (version) => {
  const registry = doorOf(version);
  expect(await testConnection(t.ctx, registry)).toMatchObject({ ok: true });
  const [tld] = systemOf(registry).tlds;
  const plain = `plain.${tld}`;
  await buy(plain, registry);
  expect((await life.renew(plain)).status).toBe(200);
  const gem = `gem-dear.${tld}`;
  const unseen = await t.call('POST', '/v1/domains', { form: orderOf(gem, nameservers) });
  expect(unseen.body, unseen.text).toMatchObject({ code: 'price_guard_required' });
  const guarded = { ...nameservers, max_price: '140.00' };
  const bought = await t.call('POST', '/v1/domains', { form: orderOf(gem, guarded), headers: { Prefer: 'wait=60' } });
  expect(bought.status, bought.text).toBe(200);
  expect((await life.renew(gem)).body).toMatchObject({ code: 'price_guard_required' });
  const renewed = await life.renew(gem, { max_price: '50.00' });
  expect(renewed.status, renewed.text).toBe(200);
  const { body } = await t.control('GET', `/statement?client=${systemOf(registry).client_id}`);
  const charged = body.entries.filter(({ kind }: { kind: string }) => kind === 'charge');
  const yearly = charged.find(({ domain }: { domain: string }) => domain === plain).amount;
  expect(charged.map(({ domain, amount }: Record<string, string>) => `${domain} ${amount}`)).toEqual([
    `${plain} ${yearly}`,
    `${plain} ${yearly}`,
    `${gem} 120.00`,
    `${gem} 40.00`,
  ]);
  expect(await owedTo(registry)).toBe(body.charged);
  await expectReconciled(t);
});

/** What we owe a registry by our own ledger. */
async function owedTo(registry: string): Promise<string> {
  const { owed } = await t.ctx.db.as(allTenants).one<{ owed: string }>(sql`
    select (coalesce(sum(e.amount), 0) / 100)::numeric(12, 2)::text as owed
    from ledger_entry e join ledger_account a on a.id = e.account_id and a.kind = 'registry_payable'
    join operation o on o.transaction_id = e.transaction_id where o.registry_id = ${registry}`);
  return owed;
}

test('sends contacts only to a registry that stores them', async () => {
  await buy('no-people.com', 'verisign');
  await buy('people.org', 'publicinterest');
  const [thin, thick] = [
    await t.control('GET', '/domains/no-people.com'),
    await t.control('GET', '/domains/people.org'),
  ];
  expect(thin.body.registrant).toBeNull();
  expect(thick.body.registrant).toMatch(/^nh/);
});

test('sends only the registrant and the technical contact to CentralNic', async () => {
  const name = 'two-roles.shop';
  await buy(name, 'centralnic');
  const shown = async () => (await t.control('GET', `/domains/${name}`)).body;
  const { registrant, contacts } = await shown();
  expect(registrant).toMatch(/^nh/);
  expect(contacts.map(({ type }: { type: string }) => type)).toEqual(['tech']);
  const { cltrid, frame_sealed } = await t.ctx.db.as(allTenants).one<{ cltrid: string; frame_sealed: string }>(sql`
    select cltrid, frame_sealed from registry_command where registry_id = 'centralnic' and verb = 'create' and name = ${name}`);
  const frame = t.ctx.vault.open(frame_sealed, `command:${cltrid}`);
  expect(frame).toContain(`<domain:registrant>${registrant}</domain:registrant>`);
  expect(frame.match(/<domain:contact type="\w+">/g)).toEqual(['<domain:contact type="tech">']);
  // Data that is never sent cannot differ.
  const [report] = await reconcileNames(t.ctx, [name]);
  expect(report).toMatchObject({ name, drift: [] });
  const tested = await testConnection(t.ctx, 'centralnic');
  expect(tested.findings.join('\n')).toContain('The catalogue requires admin for .shop (contacts.required)');
});

test('sells privacy without a command if the registry stores no contacts', async () => {
  const name = 'quiet-people.com';
  await buy(name, 'verisign');
  const before = await life.balance();
  const bought = await t.call('POST', `/v1/domains/${name}/privacy_protection/buy`, { form: {} });
  expect(bought.body, bought.text).toMatchObject({ operation_state: 'done' });
  expect(before.available - (await life.balance()).available).toBe(300n);
  const { body } = await t.call('GET', `/v1/domains/${name}/privacy_protection`);
  expect(body.privacy_protection_enabled).toBe('true');
  expect(await linesOf('verisign', name)).toEqual(['charge create']);
});

test('reads and shows the Verisign balance, and raises an alarm below its threshold', async () => {
  const usual = { ...readBalanceLimits };
  readBalanceLimits.everyMs = 0;
  const account = (to: object) => t.control('POST', `/accounts/${systemOf('verisign').client_id}`, to);
  const before = (await account({})).body;
  const read = async () => {
    await pollAfresh(t.ctx, 'verisign');
    await watchOperations(t.ctx);
    const shown = await t.call('GET', '/v1/operator/registries', { as: t.operator });
    const alarms = await t.call('GET', '/v1/operator/alarms', { query: { state: 'open' }, as: t.operator });
    return {
      balance: shown.body.registries.find((each: Record<string, string>) => each.registry_id === 'verisign').balance,
      alarm: alarms.body.find(({ key }: { key: string }) => key === 'registry:verisign:balance')?.sentence,
    };
  };
  await account({ balance: '-150.00', credit_limit: '1000.00', low_balance_threshold: '500.00' });
  expect(await read()).toEqual({ balance: { amount: '850.00', currency: 'USD' }, alarm: undefined });
  await account({ balance: '-500.00' });
  expect(await read()).toEqual({
    balance: { amount: '500.00', currency: 'USD' },
    alarm: expect.stringContaining('is low: 500.00 USD left, its threshold is 500.00'),
  });
  await account({ balance: '-499.99' });
  expect(await read()).toEqual({ balance: { amount: '500.01', currency: 'USD' }, alarm: undefined });
  await account({
    balance: before.balance,
    credit_limit: before.credit_limit,
    low_balance_threshold: before.low_balance_threshold,
  });
  await read();
  Object.assign(readBalanceLimits, usual);
});

test('refunds a domain on both sides when a message reports its documents as rejected', async () => {
  const before = await life.balance();
  const name = 'not-in-order.co.id';
  const headers = { Prefer: 'wait=60' };
  const called = await t.call('POST', '/v1/domains', { form: orderOf(name, nameservers), headers });
  expect(called.body, called.text).toMatchObject({ operation_state: 'waiting_registry' });
  expect((await life.balance()).held).toBeGreaterThan(0n);
  await t.control('POST', `/domains/${name}/review`, { decision: 'refuse' });
  await pollAfresh(t.ctx, 'pandi');
  await vi.waitFor(async () => expect(await life.balance()).toEqual(before), 300_000);
  expect(await linesOf('pandi', name)).toEqual(['charge create', 'refund create']);
});

test('completes a restore whose report a separate message confirms', async () => {
  const name = 'comes-back.com';
  await buy(name, 'verisign');
  t.moveClock('+10d');
  expect((await t.call('DELETE', `/v1/domains/${name}`)).status).toBe(200);
  const form = { invoice_option: 'no_invoice' };
  const restored = await t.call('POST', `/v1/domains/${name}/restore`, { form });
  expect(restored.status, restored.text).toBe(200);
  await pollAfresh(t.ctx, 'verisign');
  const notices = await t.ctx.db
    .as(allTenants)
    .many<{ kind: string }>(
      sql`select kind from poll_message where registry_id = 'verisign' and domain_name = ${name}`,
    );
  expect(notices.map(({ kind }) => kind)).toContain('restore_due');
  expect(await linesOf('verisign', name)).toEqual(['charge create', 'charge restore']);
});

test('notifies the reseller of required documents, and refuses and refunds the domain without them', async () => {
  const before = await life.balance();
  const name = 'papers.co.id';
  const headers = { Prefer: 'wait=60' };
  const called = await t.call('POST', '/v1/domains', { form: orderOf(name, nameservers), headers });
  expect(called.body, called.text).toMatchObject({ operation_state: 'waiting_registry' });
  const { domain_id: id, operation_id: operation } = called.body;
  const review = async (decision: object) => {
    await t.control('POST', `/domains/${name}/review`, decision);
    await pollAfresh(t.ctx, 'pandi');
  };
  const turn = async () => (await t.call('GET', `/v1/domains/${id}/timeline`)).body.must_act;
  expect(await turn()).toMatchObject({ who: 'registry' });
  const deed = 'the deed of the company cannot be read';
  await review({ decision: 'want', documents: deed });
  expect(await turn()).toMatchObject({ who: 'reseller', sentence: expect.stringContaining(deed) });
  const shown = await t.call('GET', `/v1/operations/${operation}`);
  expect(shown.body).toMatchObject({ state: 'waiting_registry', attention: { why: expect.stringContaining(deed) } });
  await review({ decision: 'received' });
  expect(await turn()).toMatchObject({ who: 'registry' });
  await review({ decision: 'want', documents: 'a letter of the holder' });
  expect((await life.balance()).held).toBeGreaterThan(0n);
  t.moveClock('+8d');
  await pollAfresh(t.ctx, 'pandi');
  await vi.waitFor(async () => expect(await life.balance()).toEqual(before), 300_000);
  expect(await linesOf('pandi', name)).toEqual(['charge create', 'refund create']);
  expect(await life.events(name)).toEqual([
    ...Array(4).fill('domain.registration_pending'),
    'domain.registration_refused',
  ]);
});

test('finds all results right after a registry was added, tested or changed', async () => {
  const file = JSON.parse(bundledProfile('publicinterest')!) as ProfileFile;
  const taken = 'taken-there.org';
  const register = await t.control('POST', '/transfers', {
    action: 'register',
    name: taken,
    auth_code: 'Their-Auth-Code-1',
  });
  expect(register.status, JSON.stringify(register.body)).toBe(200);
  const search = async (label: string) => {
    const names = [`${label}-1.org`, `${label}-2.org`, taken];
    const found = await t.call('GET', '/v1/domains/availability', { query: { domain: names.join(',') } });
    expect(found.status, found.text).toBe(200);
    const statuses = Object.values(found.body as Record<string, { status: string }>).map(({ status }) => status);
    expect(statuses, found.text).toEqual(['available', 'available', 'regthroughothers']);
  };
  // At the default rate of one command a second, logins included.
  await connect('publicinterest', file, 'second-org', {});
  await search('added');
  await testConnection(t.ctx, 'second-org');
  await search('tested');
  // Settings of an open connection are compared every few seconds, and searches continue while it is replaced.
  const open = await t.ctx.registries.of('second-org');
  await connect('publicinterest', file, 'second-org');
  let at = 0;
  do {
    at += 1;
    expect(at, 'searches until the connection is replaced').toBeLessThan(10_000);
    await Promise.all([search(`changed-${at}`), search(`beside-${at}`)]);
  } while ((await t.ctx.registries.of('second-org')) === open);
  // Commands of the replaced connection are sent through the new one.
  expect(await open.info(taken)).toMatchObject({ kind: 'done', data: { isOurs: false } });
});
