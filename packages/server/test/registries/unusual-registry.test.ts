import { IETF_NAMESPACES } from '@namehold/epp';
import { refusal } from '@namehold/epp/server';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { expireAuthCodes } from '../../src/core/domains/change/auth-code.ts';
import { readPoll } from '../../src/core/domains/compare/read-poll.ts';
import { showMessage } from '../../src/core/domains/compare/show-message.ts';
import { testConnection } from '../../src/registries/test-connection.ts';
import type { UnusualRegistry } from './unusual-registry.ts';
import { UnusualRegistryService, unusualProfile } from './unusual-registry-world.ts';

let shop: UnusualRegistryService;
let t: TestService;
let there: UnusualRegistry;
beforeAll(async () => {
  shop = await UnusualRegistryService.open();
  ({ t, there } = shop);
});
afterAll(() => shop.close());

test('registers with the default profile: an auth code on domain and contacts, no host command', async () => {
  const called = await shop.order('first.odd');
  expect(called.status, called.text).toBe(200);
  expect(there.names.get('first.odd')).toMatchObject({
    clID: 'us',
    statuses: ['clientTransferProhibited'],
    ns: { model: 'attributes', hosts: [{ name: 'ns1.host.test' }, { name: 'ns2.host.test' }] },
  });
  expect(there.seen.filter(({ object }) => object === 'host')).toEqual([]);
  // Fields of a contact that the profile withholds.
  const [made] = there.seen.filter(({ object, verb }) => object === 'contact' && verb === 'create');
  expect(made).toMatchObject({ postal: [{ addr: { street: [] } }] });
  for (const part of ['voice', 'fax']) expect(made).not.toHaveProperty(part);
});

test("sets a requested auth code in the registry's format, and a random one after its expiry", async () => {
  const before = there.names.get('first.odd')!.pw;
  const called = await t.call('GET', '/v1/domains/first.odd/auth_code');
  expect(called.status, called.text).toBe(200);
  expect(there.names.get('first.odd')!.pw).toBe(called.body);
  expect(called.body).not.toBe(before);
  t.moveClock('+15d');
  await expireAuthCodes(t.ctx);
  const after = there.names.get('first.odd')!.pw;
  expect(after).toMatch(there.capabilities.secret);
  expect([before, called.body]).not.toContain(after);
});

test('sends glue for nameservers below the domain with its delegation', async () => {
  const form = { hostname: 'ns1.first.odd', ip_address: '192.0.2.1' };
  const made = await t.call('POST', '/v1/domains/first.odd/childns', { form });
  expect(made.status, made.text).toBe(200);
  const set = await t.call('PUT', '/v1/domains/first.odd/ns', { form: { ns: 'ns1.first.odd,ns2.host.test' } });
  expect(set.status, set.text).toBe(200);
  expect(there.names.get('first.odd')!.ns).toMatchObject({
    hosts: [{ name: 'ns2.host.test' }, { name: 'ns1.first.odd', addresses: [{ address: '192.0.2.1' }] }],
  });
  expect(there.seen.filter(({ object }) => object === 'host')).toEqual([]);
});

test('refuses an order, releases the hold and sends one create when an unnamed registrar holds the name', async () => {
  shop.takenMeanwhile('taken.odd');
  const called = await shop.order('taken.odd');
  expect(called.body).toMatchObject({ code: 'domain_not_available' });
  expect(there.count('domain:create', 'taken.odd')).toBe(1);
  expect(await shop.held()).toBe(0);
});

test("settles a lost create as refused when the query shows another registrar's domain", async () => {
  there.capabilities.meddle = (command, session) => {
    if (command.object !== 'domain' || command.verb !== 'create') return undefined;
    there.give('lost.odd');
    session.destroy('cut');
    return undefined;
  };
  const called = await shop.order('lost.odd');
  expect(called.body).toMatchObject({ code: 'domain_not_available' });
  expect(there.count('domain:create', 'lost.odd')).toBe(1);
  expect(await shop.held()).toBe(0);
});

test('sends the command again after "session limit exceeded", and clears the alarm afterwards', async () => {
  const limits = async () => (await openAlarms(t.ctx)).filter(({ key }) => key === 'registry:strange:login');
  let isFull = true;
  there.capabilities.meddle = ({ object, verb }) =>
    isFull && object === 'domain' && verb === 'create' ? refusal(2502) : undefined;
  const placed = shop.order('crowded.odd');
  await vi.waitFor(async () => expect(await limits()).toHaveLength(1), 300_000);
  expect((await limits())[0]).toMatchObject({ severity: 'warning', sentence: expect.stringContaining('2502') });
  isFull = false;
  // As if the pause were over.
  const { id } = await shop.operationOf('crowded.odd');
  await vi.waitFor(async () => {
    await t.ctx.db.autocommit(allTenants).run(sql`update registry_pace set paused_until = now()`);
    await shop.reconnect();
    await shop.tryAgain(id, 0);
    expect((await shop.operationOf('crowded.odd')).state).toBe('done');
  }, 300_000);
  expect((await placed).status).toBeLessThan(300);
  expect(there.names.get('crowded.odd')).toMatchObject({ clID: 'us' });
  expect(await shop.held()).toBe(0);
  const { n } = await t.ctx.db
    .as(allTenants)
    .one<{ n: number }>(
      sql`select count(*)::integer as n from ledger_transaction where operation_id = ${id} and status = 'completed'`,
    );
  expect(n).toBe(1);
  await vi.waitFor(async () => expect(await limits()).toEqual([]), 300_000);
  there.capabilities.meddle = () => undefined;
});

test('stores, acknowledges and reports unreadable messages, which block no others', async () => {
  const domain = 'urn:ietf:params:xml:ns:domain-1.0';
  const bodies: Record<string, string> = {
    a1: `<d:trnData xmlns:d="${domain}"><d:name>first.odd</d:name><d:trStatus>pending</d:trStatus></d:trnData>`,
    a2: `<d:trnData xmlns:d="${domain}"><d:name>first.odd</d:name><d:trStatus>clientCancelled</d:trStatus><d:reID>other</d:reID><d:reDate>2027-03-18T08:02:14.00Z</d:reDate><d:acID>us</d:acID><d:acDate>2027-03-23 08:02:14</d:acDate><d:exDate>2028-11-16</d:exDate></d:trnData>`,
    a3: '<x:odd xmlns:x="urn:x"><x:at>2026-13-45 25:00</x:at></x:odd>',
  };
  for (const id of Object.keys(bodies)) there.messages.push({ id, text: 'News.' });
  const queue = '<qDate>2027-03-18 08:02:14.0</qDate>';
  there.capabilities.rewrite = ({ object, verb }, xml) => {
    const id = /msgQ[^>]* id="(\w+)"/.exec(xml)?.[1];
    if (object !== 'poll' || verb !== 'request' || id === undefined) return xml;
    return xml.replace('<msg>News', `${queue}<msg>News`).replace('</msgQ>', `</msgQ><resData>${bodies[id]}</resData>`);
  };
  await readPoll(t.ctx, 'strange');
  expect(there.messages).toEqual([]);
  const stored = await t.ctx.db
    .as(allTenants)
    .many<{ message_id: string; kind: string; outcome: string | null; queued_at: Date }>(
      sql`select message_id, kind, outcome, queued_at from poll_message order by message_id`,
    );
  expect(stored.map(({ message_id, kind }) => `${message_id} ${kind}`)).toEqual([
    'a1 unreadable',
    'a2 transfer',
    'a3 other',
  ]);
  expect(stored[1]!.queued_at.toISOString()).toBe('2027-03-18T08:02:14.000Z');
  expect(stored[0]!.outcome).toContain('first.odd compared');
  const alarm = (await openAlarms(t.ctx)).filter(({ key }) => key.startsWith('registry:strange:message'));
  expect(alarm.map(({ key }) => key)).toEqual(['registry:strange:message:a1']);
  expect(await showMessage(t.ctx, 'strange', 'a1')).toEqual([expect.stringContaining('<d:trStatus>pending')]);
  expect((await openAlarms(t.ctx)).filter(({ key }) => key.startsWith('registry:strange:message'))).toEqual([]);
  expect(await shop.alarms('registry:strange:namespace')).toEqual(['registry:strange:namespace:urn:x']);
  there.capabilities.rewrite = (_command, xml) => xml;
});

test('reports messages in forms outside the profile once for each form', async () => {
  const maintenance = 'urn:ietf:params:xml:ns:epp:maintenance-1.0';
  const change = 'urn:ietf:params:xml:ns:changePoll-1.0';
  const behind: Record<string, string> = {
    f1: `<resData><m:infData xmlns:m="${maintenance}"><m:item/></m:infData></resData>`,
    f2: `<resData><d:infData xmlns:d="${IETF_NAMESPACES.domain}"><d:name>first.odd</d:name><d:roid>D1</d:roid><d:clID>us</d:clID></d:infData></resData><extension><c:changeData xmlns:c="${change}"/></extension>`,
  };
  for (const id of Object.keys(behind)) there.messages.push({ id, text: 'News.' });
  there.capabilities.rewrite = ({ object, verb }, xml) => {
    const id = /msgQ[^>]* id="(\w+)"/.exec(xml)?.[1];
    return object === 'poll' && verb === 'request' && id ? xml.replace('</msgQ>', `</msgQ>${behind[id]}`) : xml;
  };
  await readPoll(t.ctx, 'strange');
  expect(there.messages).toEqual([]);
  const keys = [maintenance, change].map((uri) => `registry:strange:namespace:${uri}`);
  expect(await shop.alarms('registry:strange:namespace')).toEqual(expect.arrayContaining(keys));
  expect(await showMessage(t.ctx, 'strange', 'f1')).toEqual([expect.stringContaining('<m:item/>')]);
  expect(await shop.alarms(keys[0]!)).toEqual([]);
  there.capabilities.rewrite = (_command, xml) => xml;
});

test('raises an alarm while the head of the queue is unreadable', async () => {
  const stuck = async () => (await openAlarms(t.ctx)).some(({ key }) => key === 'registry:strange:queue');
  there.capabilities.rewrite = ({ object }, xml) => (object === 'poll' ? xml.replace('<trID>', '<trID') : xml);
  await readPoll(t.ctx, 'strange');
  expect(await stuck()).toBe(true);
  there.capabilities.rewrite = (_command, xml) => xml;
  await readPoll(t.ctx, 'strange');
  expect(await stuck()).toBe(false);
});

test.each([
  ['a message without a queue', (xml: string) => xml.replace(/<msgQ.*<\/msgQ>/s, '')],
  ['a message without an id', (xml: string) => xml.replace(/(<msgQ[^>]*) id="[^"]*"/, '$1')],
])('reports %s at the head of the queue', async (_what, without) => {
  there.messages.push({ id: 'q1', text: 'News.' });
  there.capabilities.rewrite = ({ object, verb }, xml) =>
    object === 'poll' && verb === 'request' ? without(xml) : xml;
  await readPoll(t.ctx, 'strange');
  expect(await shop.alarms('registry:strange:queue')).toHaveLength(1);
  there.capabilities.rewrite = (_command, xml) => xml;
  await readPoll(t.ctx, 'strange');
  expect(there.messages).toEqual([]);
  expect(await shop.alarms('registry:strange:queue')).toEqual([]);
});

test('reports refused acknowledgements and refused polls', async () => {
  for (const verb of ['ack', 'request']) {
    there.messages.push({ id: `r-${verb}`, text: 'News.' });
    there.capabilities.meddle = (command) =>
      command.object === 'poll' && command.verb === verb ? refusal(2308) : undefined;
    await readPoll(t.ctx, 'strange');
    expect(await shop.alarms('registry:strange:queue')).toHaveLength(1);
    there.capabilities.meddle = () => undefined;
    await readPoll(t.ctx, 'strange');
    expect(there.messages).toEqual([]);
    expect(await shop.alarms('registry:strange:queue')).toEqual([]);
  }
});

test('does not attribute our own refusals to the registry', async () => {
  const called = await shop.order('long.odd', { years: '5' });
  expect(called.body).toMatchObject({ code: 'invalid_argument', errors: [{ field: 'period' }] });
  expect(called.body.message).not.toMatch(/registry refused/i);
  expect(there.count('domain:create', 'long.odd')).toBe(0);
  expect(await shop.held()).toBe(0);
});

test('changes nothing in a connection test, and reports a wrong profile', async () => {
  const before = there.seen.length;
  there.messages.push({ id: 'b1', text: 'News.' });
  const good = await testConnection(t.ctx, 'strange');
  expect(good).toMatchObject({
    ok: true,
    findings: expect.arrayContaining(['check, info and poll are answered as expected']),
  });
  expect(there.seen.slice(before).map(({ object, verb }) => `${object}:${verb}`)).toEqual([
    'domain:check',
    'domain:info',
    'poll:request',
  ]);
  expect(there.messages.splice(0)).toHaveLength(1);
  there.capabilities.meddle = (command) =>
    command.object === 'domain' && command.verb === 'check' && command.names.length > 4
      ? refusal(2004, 'at most 4')
      : undefined;
  const bad = await testConnection(t.ctx, 'strange');
  expect(bad.ok).toBe(false);
  expect(bad.findings.join()).toContain('a check of 5 names under .odd was answered with 2004');
  there.capabilities.meddle = () => undefined;
});

test('fails the connection test if the profile requires what the server lacks', async () => {
  const usual = there.capabilities.namespaces;
  const tested = async (rules: object) => {
    await shop.connect({ ...unusualProfile, rules: { ...unusualProfile.rules, ...rules } });
    const { ok, findings } = await testConnection(t.ctx, 'strange');
    return `${ok ? 'works' : 'fails'}: ${findings.filter((each) => /can be registered|prices cannot/.test(each)).join()}`;
  };
  expect(await tested({})).toBe('works: ');
  expect(await tested({ hostModel: 'objects' })).toMatch(/^fails: .* under \.odd: .*host objects/);
  expect(await tested({ secureAuthInfo: true })).toMatch(/^fails: .* under \.odd: .*empty auth code/);
  const { contact: _, ...without } = usual;
  there.capabilities.namespaces = without;
  expect(await tested({ dataModel: 'maximum' })).toMatch(/^fails: .* under \.odd: .*contacts/);
  expect(await tested({ dataModel: 'thin' })).toBe('works: ');
  there.capabilities.namespaces = { ...usual, fee: 'urn:ietf:params:xml:ns:fee-0.11' };
  expect(await tested({})).toMatch(/^fails: prices cannot be queried: .*fee-0\.11/);
  there.capabilities.namespaces = usual;
  expect(await tested({})).toBe('works: ');
});
